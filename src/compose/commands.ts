/** Owns the list of commands; each takes the environment and further words, and resolves with the exit code. */
import type { Environment } from '../config/environment.ts';
import { createTable } from '../store/table.ts';
import type { CliCommand } from './cli-command.ts';
import { systemClock } from './clock.ts';
import { demo } from './demo-run.ts';
import { doctor } from './doctor.ts';
import { pending } from './pending.ts';
import { startProblem } from './run.ts';
import { tableClient } from './table-side.ts';
import { whois } from './whois.ts';

async function tableCreate({ table }: Environment): Promise<number> {
  if (table === null) {
    console.error('DYNAMODB_TABLE is not set. The embedded table needs no creating.');
    return 2;
  }
  const made = await createTable(tableClient(table), table.name, systemClock);
  console.log(
    made === 'created' ? `Made the table ${table.name}.` : `The table ${table.name} is there already, and fits.`,
  );
  return 0;
}

/** Sentences instead of stack traces; 1 for something that went wrong on the way. */
const guarded =
  (command: CliCommand): CliCommand =>
  async (...given) => {
    try {
      return await command(...given);
    } catch (error) {
      for (const line of startProblem(error) ?? [error instanceof Error ? error.message : String(error)])
        console.error(line);
      return 1;
    }
  };

export const commands: Readonly<Record<string, CliCommand>> = {
  demo: guarded(demo),
  doctor: guarded(doctor),
  whois: guarded(whois),
  pending: guarded(pending),
  'table:create': guarded(tableCreate),
};
