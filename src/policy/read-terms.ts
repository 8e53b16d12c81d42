/** Owns what is asked for where people decide: who and how many, until when, reminders, the ladder, grants. */
import type { GrantTerms, Scope } from '../thread/events.ts';
import type { AskTerms } from './normal-form.ts';
import { type People, scopesNamed } from './read-people.ts';
import { type ASKING, GRANTS, STEP } from './schema.ts';
import type { Entry, Read, Section, Source } from './source.ts';

type Ladder = AskTerms['ladder'];

/** A rule that asks, or the defaults, while it is being read. */
interface Asking {
  readonly source: Source;
  readonly entries: readonly Entry[];
  readonly read: Section<typeof ASKING>;
  /** How its sentences begin. */
  readonly where: string;
  readonly people: People;
}

/** The terms, with those of `base` where nothing else is said; what `base` would do only after the expiry falls away. */
export function termsOf(asking: Asking, base: AskTerms): AskTerms {
  const { source, read, where, people } = asking;
  const expiresInMs = read.expires?.value ?? base.expiresInMs;
  const ladder = ladderOf(asking, base, expiresInMs);
  const quorum = read.quorum?.value ?? base.quorum;
  const asked = read.quorum ?? read.approvers ?? read.escalate;
  if (asked) checkQuorum(source, ladder, quorum, where, asked.at);
  const grants = grantsOf(asking);
  return {
    ...base,
    ladder,
    quorum,
    expiresInMs,
    remindMs: remindersOf(asking, base, expiresInMs),
    notify: read.notify ? notified(source, read.notify, where, people) : base.notify,
    confirm: read.confirm?.value ?? base.confirm,
    edit: read.edit?.value ?? base.edit,
    onReject: read.on_reject?.value ?? base.onReject,
    selfApproval: read.self_approval?.value ?? base.selfApproval,
    channel: read.channel?.value ?? base.channel,
    ...(grants === null ? {} : { grants }),
  };
}

/** Who decides from the beginning, then each further step. */
function ladderOf(asking: Asking, base: AskTerms, expiresInMs: number): Ladder {
  const { source, read, where, people } = asking;
  const named = scopesNamed(source, read.approvers, `${where}: approvers`, people);
  const first = { afterMs: 0, scopes: read.approvers ? named : [...(base.ladder[0]?.scopes ?? [])] };
  const inherited = base.ladder.slice(1).filter(step => step.afterMs < expiresInMs);
  return [first, ...(stepsOf(asking, expiresInMs) ?? inherited)];
}

/** The steps of `escalate`, one or a list of them; undefined where it is not there. */
function stepsOf({ source, entries, where, people }: Asking, expiresInMs: number): Ladder | undefined {
  const entry = entries.find(({ key }) => key === 'escalate');
  if (!entry) return undefined;
  const isList = Array.isArray(source.plain(entry.node, entry.at));
  const items = isList ? source.items(entry.node, where, entry.at) : [{ node: entry.node, at: entry.at }];
  let beforeMs = 0;
  return items.flatMap(({ node, at }, index) => {
    const name = `${where}: escalate${isList ? `[${index}]` : ''}`;
    const given = source.entries(node, name, at);
    const { after, to } = source.section(given, name, STEP);
    if (given.length === 0) return [];
    for (const key of Object.keys(STEP))
      if (!given.some(each => each.key === key)) source.problem(at, `${name}: ${key} is missing`);
    if (!after) return [];
    if (after.value >= expiresInMs)
      source.problem(after.at, `${name}: after is ${spoken(after.value)}, but it expires at ${spoken(expiresInMs)}`);
    else if (after.value <= beforeMs) source.problem(after.at, `${name}: must come later than the step before it`);
    beforeMs = after.value;
    return { afterMs: after.value, scopes: scopesNamed(source, to, `${name}: to`, people) };
  });
}

function remindersOf({ source, read, where }: Asking, base: AskTerms, expiresInMs: number): number[] {
  const { remind } = read;
  if (!remind) return base.remindMs.filter(ms => ms < expiresInMs);
  for (const ms of remind.value)
    if (ms >= expiresInMs)
      source.problem(remind.at, `${where}: remind has ${spoken(ms)}, but it expires at ${spoken(expiresInMs)}`);
  return remind.value.toSorted((a, b) => a - b);
}

/** What may be allowed for a while; null where nothing may. */
function grantsOf({ source, entries, where }: Asking): GrantTerms | null {
  const entry = entries.find(({ key }) => key === 'grants');
  if (!entry) return null;
  const name = `${where}: grants`;
  const given = source.entries(entry.node, name, entry.at);
  const { max, uses, scope, where: same } = source.section(given, name, GRANTS);
  if (given.length === 0) return null;
  for (const [key, why] of [
    ['max', 'nothing would end it'],
    ['uses', 'nothing would count it'],
  ] as const)
    if (!given.some(each => each.key === key)) source.problem(entry.at, `${name}: ${key} is missing: ${why}`);
  if (!max || !uses) return null;
  return { maxMs: max.value, uses: uses.value, scope: scope?.value ?? 'thread', where: same?.value ?? [] };
}

/** How many people a group has is known only when it is asked for; users that are listed can be counted here. */
function checkQuorum(source: Source, ladder: Ladder, quorum: number, where: string, at: number): void {
  const scopes = ladder.flatMap(step => step.scopes);
  const listed = new Set(scopes.flatMap(scope => scope.users)).size;
  const isOpen = ladder.some(step => step.scopes.length === 0) || scopes.some(isOpenEnded);
  if (isOpen || listed >= quorum) return;
  const who = ladder.length > 1 ? 'approvers and escalate have' : 'approvers has';
  source.problem(
    at,
    `${where}: quorum is ${quorum}, but ${who} ${listed === 1 ? '1 person' : `${listed} people`}${ladder.length > 1 ? ' together' : ''}`,
  );
}

const isOpenEnded = (scope: Scope): boolean => scope.groups.length > 0 || scope.users.length === 0;

function notified(source: Source, notify: Read<string>, where: string, people: People): Scope | null {
  if (notify.value === 'nobody') return null;
  return scopesNamed(source, { ...notify, value: [notify.value] }, `${where}: notify`, people)[0] ?? null;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** A duration as the file would write it. */
function spoken(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms % each === 0) ?? ['s', 1_000];
  return `${ms / size}${unit}`;
}
