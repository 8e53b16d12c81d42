/** `npm run demo | doctor | whois | tools | policy:test | pending | record | report | table:create`: the other commands of the house. */
import packageJson from '../package.json' with { type: 'json' };
import { runCommand } from './compose/commands/commands.ts';
import { endWithoutReaders, processTerminal } from './compose/terminal.ts';
import { processEnvironment } from './config/environment.ts';

endWithoutReaders();
const [name = '', ...words] = process.argv.slice(2);
process.exitCode = await runCommand(name, words, {
  read: processEnvironment(),
  version: packageJson.version,
  terminal: processTerminal,
});
