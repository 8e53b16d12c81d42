/** `npm start`: one process of Countersign until SIGINT or SIGTERM. */
import packageJson from '../package.json' with { type: 'json' };
import { processVariables, readEnvironment } from './config/environment.ts';
import { runUntilSignal } from './compose/run.ts';

process.exitCode = await runUntilSignal(readEnvironment(processVariables()), packageJson.version);
