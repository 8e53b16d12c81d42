/** Owns what the inspector says of each stored event: one sentence of its own words, from the event's facts and body. Pure. */
import type { EventOf, ThreadEvent } from '../../thread/events.ts';
import { shortId, type ApprovalId, type CallId } from '../../thread/ids.ts';
import { at, type Thread } from '../../thread/thread.ts';

/** Whom an event names by id, and the thread as it is behind the event. */
export interface Told {
  readonly thread: Thread;
  /** A person's name; the id itself where nobody is known. */
  readonly person: (id: string) => string;
  /** A channel’s name with its #; the id itself where none is known. */
  readonly channel: (id: string) => string;
}

type Words = { readonly [K in ThreadEvent['type']]: (event: EventOf<K>, told: Told) => string };

const MOST_QUOTED = 160;

/** What one event says happened. */
export function wordsOf(event: ThreadEvent, told: Told): string {
  const say = WORDS[event.type] as (event: ThreadEvent, told: Told) => string;
  return say(event, told);
}

/** The person behind an event, by id; null where it is the software's own doing. */
export function actorOf(event: ThreadEvent): string | null {
  if ('author' in event) return event.author;
  const by = 'by' in event ? event.by : undefined;
  return typeof by === 'string' ? by : null;
}

const WORDS: Words = {
  'message.received': ({ author, mention, body }, { person }) =>
    `${person(author)} ${mention ? 'mentioned the agent' : 'wrote'}: ${quoted(named(body?.text, person))}`,
  'message.edited': ({ author, body }, { person }) =>
    `${person(author)} changed a message: ${quoted(named(body?.text, person))}`,
  'message.deleted': () => 'A message was deleted by its author',
  'message.kept': ({ by }, { person }) => `${person(by)} keeps waiting; their message stays in line`,
  'lease.taken': ({ holder, lengthMs }) => `${holder} took the lease for ${span(lengthMs)}`,
  'lease.released': ({ holder, synced }) =>
    `${holder} gave the lease back${synced ? ', with everything posted' : ', with something still to post or do'}`,
  'run.started': ({ run, agent, requesters, within, repeats }, { person }) =>
    `Run ${run} of ${agent} began for ${list(requesters.map(person))}${within ? `, inside “${within.name}”` : ''}${repeats ? `, repeating ${repeats.tool}` : ''}`,
  'run.ended': ({ run, how, code, by, body }, { person }) =>
    `Run ${run} ${how}${reason(code)}${by === undefined ? '' : ` by ${person(by)}`}${tail(body?.detail)}`,
  'model.replied': ({ turn, model, usage, calls, body }) =>
    `The model (${model}) answered turn ${turn}: ${calls.length === 0 ? quoted(body?.text) : `it asks for ${list(calls.map(one => one.tool))}`} · ${usage.input}+${usage.output} tokens`,
  'model.away': ({ code, untilMs, body }, told) =>
    `The model does not answer (${code}); tried again until ${clock(untilMs, told)}${tail(body?.detail)}`,
  'context.summarised': ({ upTo }) => `The conversation up to commit ${upTo} was summarised`,
  'call.proposed': ({ tool, name, within }, { thread }) =>
    `${callName(thread, within)} asks from inside for ${tool}, under the name “${name}”`,
  'call.judged': ({ call, verdict, rule, code, grant, body }, { thread }) =>
    `Policy judged ${callName(thread, call)}: ${verdict}${rule === null ? ', no rule' : `, rule ${rule}`}${reason(code)}${grant === undefined ? '' : ', under a standing permission'}${tail(body?.summary)}`,
  'approval.requested': ({ approval, round, card, terms, eligible, expiresAtMs, why, body }, told) =>
    `${shortId(approval)} was put to people: round ${round}, card ${card}, ${terms.quorum} of ${eligible} until ${clock(expiresAtMs, told)}${reason(why)}${tail(body?.summary)}`,
  'approval.rechecked': ({ approval, round, people }, told) =>
    people === undefined
      ? `${shortId(approval)}, round ${round}, was held against the policy anew`
      : `Who may decide ${shortId(approval)} was counted anew: ${people.eligible}${people.lacks === undefined ? '' : `, too few (${people.lacks})${people.fromMs === undefined ? '' : ` until ${clock(people.fromMs, told)}`}`}`,
  'approval.edited': ({ approval, by }, { person }) => `${person(by)} edited what ${shortId(approval)} would run`,
  'round.opened': ({ approval, round, why, supersedes }) =>
    `${shortId(approval)} is in round ${round} (${why}); votes of round ${supersedes} no longer count`,
  'decision.recorded': ({ approval, round, by, verdict, origin, option, grant, body }, { person }) =>
    `${person(by)} ${verdict === 'approve' ? 'approved' : 'rejected'} ${shortId(approval)}, round ${round}, by ${origin}${option === undefined ? '' : `, option ${option}`}${grant ? ', and allowed the like for a while' : ''}${tail(body?.reason)}`,
  'decision.voided': ({ approval, by, code }, { person }) =>
    `The vote of ${person(by)} on ${shortId(approval)} no longer counts (${code})`,
  'decision.refused': ({ approval, by, code }, { person }) =>
    `A decision of ${person(by)} on ${shortId(approval)} was refused: ${code}`,
  'approval.settled': ({ approval, how, code, by, option, body }, { person }) =>
    `${shortId(approval)} is ${how}${by && by.length > 0 ? ` by ${list(by.map(person))}` : ''}${option === undefined ? '' : `, option ${option}`}${reason(code)}${tail(body?.detail)}`,
  'grant.settled': ({ given }) =>
    `A standing permission ${given ? 'stands in' : 'was not taken into'} the workspace’s log`,
  'question.asked': ({ kind, to, expiresAtMs, body }, told) =>
    `A ${kind} for ${to.length > 0 ? list(to.map(told.person)) : 'those entitled'} until ${clock(expiresAtMs, told)}: ${quoted(body?.prompt)}`,
  'question.answered': ({ by, origin, body }, { person }) =>
    `${person(by)} answered${origin === undefined ? '' : ` by ${origin}`}: ${quoted(JSON.stringify(body?.value ?? null))}`,
  'question.refused': ({ by, code, body }, { person }) =>
    `An answer of ${person(by)} was not taken (${code}); the question stays open${tail(body?.why)}`,
  'question.closed': ({ how }) => `A question is over: ${how}`,
  'call.claimed': ({ call, attempt, endsByMs }, told) =>
    `${callName(told.thread, call)} was claimed, attempt ${attempt}: it may run until ${clock(endsByMs, told)}`,
  'call.notStarted': ({ call, why }, { thread }) => `${callName(thread, call)} was not started: ${why}`,
  'call.suspended': ({ call, on, name }, { thread }) =>
    `${callName(thread, call)} waits from inside for a ${on ?? 'question'}${name === undefined ? '' : `, “${name}”`}`,
  'call.stopRequested': ({ call, by }, { thread, person }) => `${person(by)} asks to stop ${callName(thread, call)}`,
  'call.checked': ({ call, found }, { thread }) => `${callName(thread, call)} was checked by its tool: ${found}`,
  'call.signed': ({ call, body }, { thread }) =>
    `${callName(thread, call)} says of its progress: ${quoted(body?.line)}`,
  'step.claimed': ({ call, step }, { thread }) => `Step “${step}” of ${callName(thread, call)} began`,
  'step.done': ({ call, step }, { thread }) => `Step “${step}” of ${callName(thread, call)} is done and kept`,
  'call.ended': ({ call, how, code, effect, startedAtMs, endedAtMs, body }, { thread }) =>
    `${callName(thread, call)} ${how === 'in_doubt' ? 'is in doubt' : how}${reason(code)} after ${span(endedAtMs - startedAtMs)}, effect: ${effect}${tail(body?.result)}`,
  'call.reconciled': ({ call, as, by }, { thread, person }) => `${person(by)} says of ${callName(thread, call)}: ${as}`,
  'cancel.requested': ({ run, by, source }, { person }) => `${person(by)} asks to cancel run ${run}, by ${source}`,
  'reminder.sent': ({ approval, n }) => `Reminder ${n} for ${shortId(approval)}`,
  escalated: ({ approval, step }) => `${shortId(approval)} went on to step ${step} of its ladder`,
  'message.posted': ({ key, channel: id, state, code }, { channel }) =>
    `Message “${briefKey(key)}” in ${channel(id)} ${state}${reason(code)}`,
};

/** A call by its tool and, once it is judged, what it does. */
function callName(thread: Thread, id: CallId): string {
  const call = at(thread.calls, id);
  if (!call) return `call ${id.slice(0, 4)}`;
  const approval: ApprovalId | null = call.approval;
  return `${call.tool}${approval === null ? '' : ` (${shortId(approval)})`}`;
}

/** A message with the names of those whom it mentions. */
const named = (text: string | undefined, person: Told['person']): string | undefined =>
  text?.replaceAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g, (_mention, id: string) => `@${person(id)}`);

/** A message's key with its long ids shortened, those of requests as people know them. */
const briefKey = (key: string): string =>
  key.replaceAll(/[A-Z2-7]{26}/g, id => (key.startsWith('card/') ? shortId(id as ApprovalId) : `${id.slice(0, 4)}…`));

function quoted(text: string | undefined): string {
  if (text === undefined) return '(erased)';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return `“${characters.length > MOST_QUOTED ? `${characters.slice(0, MOST_QUOTED).join('')}…` : line}”`;
}

const tail = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` · ${quoted(text)}`);
const reason = (code: string | undefined): string => (code === undefined ? '' : ` (${code})`);
const list = (names: readonly string[]): string => (names.length === 0 ? 'nobody' : names.join(', '));

/** A time in UTC, with its day where that is not the commit's. */
function clock(ms: number, { thread }: Told): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T');
  const isSameDay = new Date(thread.head.atMs).toISOString().startsWith(day);
  return `${isSameDay ? '' : `${day} `}${time.slice(0, 8)}Z`;
}

function span(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = ms / 1_000;
  return seconds < 120 ? `${Number(seconds.toFixed(1))} s` : `${Number((seconds / 60).toFixed(1))} min`;
}
