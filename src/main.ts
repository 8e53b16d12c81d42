/** `npm start`: one process of Countersign until SIGINT or SIGTERM. */
import packageJson from '../package.json' with { type: 'json' };
import { processEnvironment } from './config/environment.ts';
import { runUntilSignal } from './compose/run.ts';

process.exitCode = await runUntilSignal(processEnvironment(), packageJson.version);
