/** A process that opens the workspace of a folder, prints its address, and runs until it is killed. */
import { startWorkspace } from '../../src/local/server.ts';

const { url } = await startWorkspace({ dataDir: process.argv[2] ?? '' });
console.log(url);
