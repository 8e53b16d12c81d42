/** Owns `npm run tools`: every tool with its source, effect, risk, the verdict that the rules give it, and its definition. */
import { columns } from '../../audit/columns.ts';
import { conditionsText, policyLine, staticVerdict } from '../../policy/static-verdict.ts';
import { readPolicy } from '../policy-side.ts';
import { shippedTools } from '../shipped-tools.ts';
import type { Command } from './command.ts';

const HEAD = ['tool', 'source', 'effect', 'risk', 'verdict', 'by rule', '', 'definition'];

export const tools: Command = ({ environment, terminal }) => {
  const file = readPolicy(environment.policyFile);
  const { facts, definitions } = shippedTools(file);
  const rows = definitions().map(({ tool, server, digest }) => {
    const { effect = '', risk = '' } = facts(tool) ?? {};
    const found = staticVerdict(file, { name: tool, server });
    const pin = `${digest.slice(0, 4)}…${digest.slice(-2)}`;
    return [
      tool,
      server,
      effect,
      risk,
      found.verdict,
      found.rule ?? (found.verdict === 'allow' ? 'talks to people' : 'the defaults'),
      conditionsText(found),
      pin,
    ];
  });
  for (const line of columns([HEAD, ...rows])) terminal.print(line);
  terminal.print('');
  terminal.print(
    policyLine(
      file,
      definitions().map(({ tool: name, server }) => ({ name, server })),
    ),
  );
  if (rows.some(row => row[6] !== ''))
    terminal.print('+1 condition: a rule with a condition comes first, and may decide otherwise about a call.');
  if (rows.some(([tool = '', server]) => server === 'agents' && tool.startsWith('ask_')))
    terminal.print('ask_<agent>: only an agent whose `tools` name it has it, whatever the rules say.');
  return Promise.resolve(0);
};
