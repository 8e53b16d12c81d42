/** A process that opens the workspace of a folder, prints its address, and runs until it is killed. */
import { EVERYTHING } from './everything.ts';
import { startWorkspace } from '../../src/local/server.ts';

const { url } = await startWorkspace({ dataDir: process.argv[2] ?? '', installation: EVERYTHING });
console.log(url);
