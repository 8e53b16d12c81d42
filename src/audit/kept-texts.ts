/** Owns the texts to which records refer by digest, as they stand behind the pages: policies, instructions, definitions. */
import type { Digest } from '../thread/ids.ts';
import type { RecordDoc } from '../thread/record.ts';
import { brief, type Pen } from './pen.ts';

/** Each text once, under what it is; one that is not on record (any more) says so. */
export function textLines(pen: Pen, docs: readonly RecordDoc[], texts: ReadonlyMap<Digest, string>): string[] {
  const named = new Map<Digest, string>();
  for (const { called, rule, asked } of docs) {
    if (called.definition !== null) named.set(called.definition, `Definition of ${pen.show.line(called.tool)}`);
    if (called.instructions !== null)
      named.set(called.instructions.digest, `Instructions of agent ${pen.show.line(asked.agent)}`);
    if (rule !== null) named.set(rule.policy, 'Policy');
  }
  return [...named].flatMap(([digest, name]) => {
    const text = texts.get(digest);
    const lines = text === undefined ? ['not on record'] : pen.show.text(text).replace(/\n$/, '').split('\n');
    return ['', `${name}, ${brief(digest)}`, ...lines.map(line => `  | ${line}`)];
  });
}
