/** A process that takes the node of a folder, says under which name, and holds it until it is killed. */
import { systemFresh } from '../../src/compose/clock.ts';
import { takeNode } from '../../src/compose/node-lock.ts';

const node = takeNode(process.argv[2] ?? '', systemFresh);
process.stdout.write(`${node.writer}\n`);
setInterval(() => {}, 60_000);
