/** `npm run demo | doctor | whois | pending | table:create`: the other commands of the house. */
import packageJson from '../package.json' with { type: 'json' };
import { commands } from './compose/commands.ts';
import { processVariables, readEnvironment } from './config/environment.ts';

const [name = '', ...words] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const read = readEnvironment(processVariables());

if (command === undefined) {
  console.error(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 2;
} else if ('problems' in read) {
  for (const problem of read.problems) console.error(problem);
  process.exitCode = 2;
} else process.exitCode = await command(read.ok, words, packageJson.version);
