/** Owns the section `tests`: examples of calls and what the rules are expected to say about them. */
import type { ChannelId, UserId } from '../thread/ids.ts';
import { nearest } from './nearest.ts';
import type { PolicyTest, Rule } from './normal-form.ts';
import { TEST } from './schema.ts';
import type { Entry, Read, Source } from './source.ts';

/** Reads `tests`; what an example leaves out is a member who asks in a channel of no name, and no facts. */
export function readTests(source: Source, entry: Entry | undefined, rules: readonly Rule[]): PolicyTest[] {
  if (!entry) return [];
  return source.items(entry.node, 'tests', entry.at).flatMap(({ node, at }, index) => {
    const where = `tests[${index}]`;
    const entries = source.entries(node, where, at);
    const read = source.section(entries, where, TEST);
    for (const key of ['call', 'expect'])
      if (!entries.some(each => each.key === key)) source.problem(at, `${where}: ${key} is missing`);
    if (!read.call || !read.expect) return [];
    return {
      place: source.place(at),
      tool: read.call.value,
      args: read.args?.value ?? {},
      facts: read.facts?.value ?? {},
      requester: { id: read.requester?.value ?? ('U0000TEST' as UserId), groups: read.groups?.value ?? [] },
      channel: read.channel?.value ?? ('C0000TEST' as ChannelId),
      tainted: read.tainted?.value ?? false,
      expect: expected(source, read.expect, where, rules),
    };
  });
}

function expected(source: Source, expect: Read<string>, where: string, rules: readonly Rule[]): PolicyTest['expect'] {
  const [word = '', rule] = expect.value.split(' ');
  const verdict = word === 'allow' || word === 'deny' ? word : 'ask';
  const found = rules.find(({ id }) => id === rule);
  if (rule !== undefined && !found)
    source.problem(
      expect.at,
      `${where}: expect names no rule of this file: "${rule}"${nearest(
        rule,
        rules.map(r => r.id),
      )}`,
    );
  else if (found && found.verdict !== verdict)
    source.problem(expect.at, `${where}: expects ${verdict}, but rule ${found.id} can only ${found.verdict}`);
  return { verdict, rule: rule ?? null };
}
