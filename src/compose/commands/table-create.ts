/** Owns `npm run table:create`: the table that DYNAMODB_TABLE names, with its keys, index and protections. */
import { createTable } from '../../store/table.ts';
import { systemClock } from '../clock.ts';
import { tableClient } from '../table-side.ts';
import type { Command } from './command.ts';

export const tableCreate: Command = async ({ environment: { table }, terminal }) => {
  if (table === null) {
    terminal.complain('DYNAMODB_TABLE is not set. The embedded table needs no creating.');
    return 2;
  }
  const client = tableClient(table);
  try {
    const made = await createTable(client, table.name, systemClock);
    const words = { created: `Made the table ${table.name}.`, found: `The table ${table.name} is there, and fits.` };
    terminal.print(words[made]);
    return 0;
  } finally {
    client.destroy();
  }
};
