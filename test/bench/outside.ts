/** The world outside of what is measured, in a process of its own: the embedded table in memory, and the model. */
import { startDynalite } from '../../src/local/dynalite.ts';
import { startModel } from './model-server.ts';

const [table, model] = await Promise.all([startDynalite(), startModel()]);
process.send?.({ table: table.endpoint, model });
process.once('disconnect', () => process.exit(0));
