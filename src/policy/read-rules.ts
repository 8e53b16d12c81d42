/** Owns the sections `channels`, `defaults` and `rules`: rules in normal form, with what they leave out filled in. */
import type { ChannelId } from '../thread/ids.ts';
import { type Condition, readCondition } from './condition.ts';
import type { AskTerms, Rule } from './normal-form.ts';
import type { People } from './read-people.ts';
import { termsOf } from './read-terms.ts';
import { ASKING, CHANNELS, DEFAULTS, NOT_IN_DEFAULTS, RULE, RULE_LATER } from './schema.ts';
import { type Entry, excerptOf, type Read, type Source } from './source.ts';

const EXPIRES_MS = 4 * 3_600_000;
const VERDICTS = ['deny', 'ask', 'allow'] as const;

/** Reads `channels`. */
export function readChannels(source: Source, entry: Entry | undefined) {
  const entries = entry ? source.entries(entry.node, 'channels', entry.at) : [];
  const read = source.section(entries, 'channels', CHANNELS);
  return { approvals: read.approvals?.value ?? null, operators: read.operators?.value ?? null };
}

/** Reads `defaults`; without approvers there nobody could decide what no rule knows, so they must be named. */
export function readDefaults(
  source: Source,
  entry: Entry | undefined,
  people: People,
  channel: ChannelId | null,
): AskTerms {
  const entries = entry ? source.entries(entry.node, 'defaults', entry.at) : [];
  for (const { key, at } of entries)
    if (NOT_IN_DEFAULTS.includes(key))
      source.problem(at, `defaults: ${key} is about the arguments of a tool, and so belongs in a rule`);
  const own = entries.filter(({ key }) => !NOT_IN_DEFAULTS.includes(key));
  const read = source.section(own, 'defaults', DEFAULTS);
  if (!entries.some(({ key }) => key === 'approvers'))
    source.problem(entry?.at ?? 0, 'defaults.approvers is missing: it says who decides where no rule does');
  return termsOf(
    { source, entries: own, read, where: 'defaults', people },
    {
      ladder: [{ afterMs: 0, scopes: [] }],
      quorum: 1,
      expiresInMs: EXPIRES_MS,
      remindMs: [],
      notify: null,
      confirm: 'by_risk',
      edit: [],
      onReject: 'replan',
      selfApproval: 'never',
      channel,
    },
  );
}

/** Reads `rules`, in their order. */
export function readRules(source: Source, entry: Entry | undefined, people: People, defaults: AskTerms): Rule[] {
  if (!entry) return [];
  const seen = new Set<string>();
  return source.items(entry.node, 'rules', entry.at).flatMap(({ node, at }, index) => {
    const entries = source.entries(node, `rules[${index}]`, at);
    const named = entries.find(({ key }) => key === 'id');
    const id = named ? source.plain(named.node, named.at) : undefined;
    const where = typeof id === 'string' ? `rules[${index}] "${id}"` : `rules[${index}]`;
    if (entries.length === 0) return [];
    if (!named) source.problem(at, `${where}: id is missing`);
    else if (typeof id === 'string' && seen.has(id)) source.problem(named.at, `${where}: another rule has this id`);
    if (typeof id === 'string') seen.add(id);
    return readRule(source, entries, where, at, people, defaults) ?? [];
  });
}

function readRule(
  source: Source,
  entries: readonly Entry[],
  where: string,
  at: number,
  people: People,
  defaults: AskTerms,
): Rule | undefined {
  const given = VERDICTS.filter(verdict => entries.some(({ key }) => key === verdict));
  const [verdict, second] = given;
  if (!verdict || second) {
    source.problem(
      at,
      `${where}: ${second ? `has ${given.join(' and ')}; a rule has one` : 'needs deny, ask or allow'}`,
    );
  }
  const asks = verdict === 'ask' || verdict === undefined;
  const meant = asks ? entries : entries.filter(({ key }) => !Object.hasOwn(ASKING, key));
  for (const entry of entries.filter(each => !meant.includes(each)))
    source.problem(entry.at, `${where}: ${entry.key} means nothing in a rule with ${verdict}; only ask has it`);
  const read = source.section(meant, where, { ...RULE, ...ASKING }, RULE_LATER);
  const condition = conditionOf(source, read.when, where);
  const terms = asks ? termsOf({ source, entries, read, where, people }, defaults) : undefined;
  if (verdict === 'deny' && !entries.some(({ key }) => key === 'why'))
    source.problem(at, `${where}: a rule with deny needs why; people are told it`);
  const id = read.id?.value ?? '';
  const tools = (verdict && read[verdict]?.value) ?? [];
  const why = read.why?.value ?? null;
  if (verdict === 'deny') return { id, tools, condition, verdict, why: why ?? '' };
  if (verdict === 'allow') return { id, tools, condition, verdict, why };
  return terms && { id, tools, condition, verdict: 'ask', why, terms };
}

function conditionOf(source: Source, when: Read<string> | undefined, where: string): Condition | null {
  if (!when) return null;
  const read = readCondition(when.value);
  if ('ok' in read) return read.ok;
  for (const { text, offset } of read.problems)
    source.problem(when.valueAt, `${where} when: ${text}`, excerptOf(when.value, offset));
  return null;
}
