/** Owns what a record takes from the events themselves: each with its time, earlier rounds, acts that were refused. Pure. */
import type { Commit } from '../commit.ts';
import type { EventOf, Json } from '../events.ts';
import type { GrantId, UserId } from '../ids.ts';
import { at, rootOf, type Call, type Thread } from '../thread.ts';
import type { Asked, Decided, Edited, GrantNote, Named, RecordDoc, Settled, Shown, Stopped, Words } from './doc.ts';
import type { RecordSources } from './sources.ts';
import { checkedOf, doubtsOf, ranOf } from './executions.ts';
import { reportedOf } from './attempts.ts';
import { findingsOf } from './findings.ts';
import { nameIn, wordsOf } from './from-fold.ts';
import { editOf, usedGrant } from './notes.ts';
import { ofType, toldOf, type Told } from './told.ts';

/** The words with which the run began; what their authors have made of them since stands with the round that it opened. */
function begunWith({ asked: { words, run } }: RecordDoc, thread: Thread, commits: readonly Commit[]): readonly Words[] {
  const running = at(thread.runs, run);
  const root = running && rootOf(thread, running).id;
  const events = commits.flatMap(commit => commit.events);
  const begins = events.findIndex(event => event.type === 'run.started' && event.run === root);
  const texts = new Map<string, string>();
  for (const event of begins < 0 ? [] : events.slice(0, begins))
    if ((event.type === 'message.received' || event.type === 'message.edited') && event.body)
      texts.set(event.ts, event.body.text);
  return words.map(said => ({ ...said, text: texts.get(said.ts) ?? said.text }));
}

/** Completes what the fold says by what stands in the log. */
export function fromLog(doc: RecordDoc, thread: Thread, commits: readonly Commit[], sources: RecordSources): RecordDoc {
  const call = at(thread.calls, doc.call);
  if (!call) return doc;
  const told = toldOf(thread, call, commits);
  const named = namesOf(thread, commits);
  const firstArgs = firstArgsOf(thread, call, told);
  const judged = ofType(told, 'call.judged')[0];
  return {
    ...doc,
    asked: { ...doc.asked, by: doc.asked.by.map(({ id }) => named(id)), words: begunWith(doc, thread, commits) },
    called: {
      ...doc.called,
      atMs: ofType(told, 'model.replied', 'call.proposed', 'run.started')[0]?.atMs ?? null,
      ...proposedBy(told, sources),
    },
    rule: doc.rule && {
      ...doc.rule,
      atMs: judged?.atMs ?? null,
      loadedAtMs: sources.policyLoadedAtMs?.(doc.rule.policy) ?? null,
    },
    shown: shownOf(thread, told),
    decided: decidedOf(told, named),
    refused: ofType(told, 'decision.refused').map(({ event: { round, by, code, verdict = null }, atMs }) => {
      return { atMs, round, by: named(by), code, verdict };
    }),
    settled: settledOf(told, named),
    checked: checkedOf(told),
    ran: ranOf(call, told),
    doubts: [...doubtsOf(told), ...reportedOf(call)].toSorted((a, b) => a.atMs - b.atMs),
    stopped: stoppedOf(told),
    edits: editsOf(told, firstArgs),
    grants: grantsOf(told),
    reminders: ofType(told, 'reminder.sent').map(({ event: { round, n }, atMs }) => ({ atMs, round, n })),
    escalations: ofType(told, 'escalated').map(({ event: { round, step }, atMs }) => ({ atMs, round, step })),
    questions: doc.questions.map(question => questionsOf(question, told, named)),
    inquiries: doc.inquiries.map(question => questionsOf(question, told, named)),
    steps: stepsOf(told),
    findings: findingsOf({ key: thread.key, call, told, firstArgs, named, sources }),
    from: 'log',
  };
}

/** Names as they were seen last anywhere in the log. */
function namesOf(thread: Thread, commits: readonly Commit[]): (user: UserId, name?: string) => Named {
  const names = new Map<string, string>();
  for (const { events } of commits)
    for (const event of events)
      if ('by' in event && typeof event.by === 'string' && event.body && 'name' in event.body && event.body.name)
        names.set(event.by, event.body.name);
  return (user, name) => ({ id: user, name: name || nameIn(thread, user).name || (names.get(user) ?? '') });
}

/** The model that proposed the call, and what its agent had been told. */
function proposedBy(
  told: readonly Told[],
  sources: RecordSources,
): Pick<RecordDoc['called'], 'model' | 'instructions'> {
  const [replied] = ofType(told, 'model.replied');
  const digest = replied?.event.instructions;
  const loadedAtMs = digest === undefined ? null : (sources.instructionsLoadedAtMs?.(digest) ?? null);
  return { model: replied?.event.model ?? null, instructions: digest === undefined ? null : { digest, loadedAtMs } };
}

/** What the call was proposed with; undefined once erased. */
function firstArgsOf(thread: Thread, call: Call, told: readonly Told[]): Json | undefined {
  const [proposed] = ofType(told, 'model.replied', 'call.proposed', 'run.started');
  switch (proposed?.event.type) {
    case 'model.replied':
      return proposed.event.body?.calls[proposed.event.calls.findIndex(each => each.call === call.id)]?.args;
    case 'call.proposed':
      return proposed.event.body?.args;
    case 'run.started': {
      const repeated = proposed.event.repeats && at(thread.calls, proposed.event.repeats.call);
      return repeated?.args;
    }
    default:
      return undefined;
  }
}

function shownOf(thread: Thread, told: readonly Told[]): Shown[] {
  const shown: Shown[] = [];
  for (const { event, atMs } of ofType(told, 'approval.requested', 'round.opened')) {
    const before = shown.at(-1);
    if (event.type === 'round.opened') {
      const { round, why, digest, message } = event;
      const words = message === undefined ? undefined : wordsOf(thread, message)[0];
      if (before) shown.push({ ...before, round, atMs, why, digest, changes: [], message: words ?? null });
      continue;
    }
    shown.push(requestShown(event, atMs));
  }
  return shown;
}

const requestShown = (event: EventOf<'approval.requested'>, atMs: number): Shown => ({
  round: event.round,
  card: event.card,
  atMs,
  why: event.why ?? 'first',
  message: null,
  digest: event.digest,
  summary: event.body?.summary ?? '',
  bind: event.body?.bind ?? {},
  note: event.body?.note ?? {},
  changes: event.body?.changes ?? [],
  options: event.body?.options ?? [],
  terms: event.terms,
  expiresAtMs: event.expiresAtMs,
});

function decidedOf(told: readonly Told[], named: (user: UserId, name?: string) => Named): Decided[] {
  const decided: Decided[] = [];
  const fall = (round: number, user: UserId, atMs: number, code: string): void => {
    const index = decided.findLastIndex(each => each.round === round && each.by.id === user && each.fell === null);
    const vote = decided[index];
    if (vote) decided[index] = { ...vote, fell: { atMs, code } };
  };
  for (const { event, atMs } of ofType(told, 'decision.recorded', 'decision.voided')) {
    if (event.type === 'decision.voided') {
      fall(event.round, event.by, atMs, event.code);
      continue;
    }
    fall(event.round, event.by, atMs, 'changed_mind');
    decided.push({
      atMs,
      round: event.round,
      by: named(event.by, event.body?.name),
      verdict: event.verdict,
      scopes: event.scopes,
      reason: event.body?.reason ?? null,
      option: event.option ?? null,
      then: event.then ?? null,
      fell: null,
    });
  }
  return decided;
}

const settledOf = (told: readonly Told[], named: (user: UserId) => Named): Settled[] =>
  ofType(told, 'approval.settled').map(({ event, atMs }) => ({
    atMs,
    how: event.how,
    round: event.round,
    by: (event.by ?? []).map(user => named(user)),
    code: event.code ?? null,
    detail: event.body?.detail ?? null,
    option: event.option ?? null,
  }));

const stoppedOf = (told: readonly Told[]): Stopped[] =>
  ofType(told, 'call.stopRequested', 'cancel.requested').map(({ event, atMs }) => ({
    atMs,
    what: event.type === 'cancel.requested' ? 'cancel' : 'stop',
    by: { id: event.by, name: event.body?.name ?? '' },
    source: event.type === 'cancel.requested' ? event.source : null,
  }));

function editsOf(told: readonly Told[], firstArgs: Json | undefined): Edited[] {
  let was = firstArgs ?? null;
  return ofType(told, 'approval.edited').map(({ event, atMs }) => {
    const is = event.body?.args ?? null;
    const edit = editOf(atMs, { by: event.by, name: event.body?.name ?? '' }, was, is);
    was = is;
    return edit;
  });
}

function grantsOf(told: readonly Told[]): GrantNote[] {
  const taken = new Map(ofType(told, 'grant.settled').map(({ event }) => [event.grant, event.given]));
  return told.flatMap(({ event, atMs }): GrantNote[] => {
    if (event.type === 'call.judged') return event.grant === undefined ? [] : [usedGrant(event.grant as GrantId, atMs)];
    if (event.type !== 'decision.recorded' || !event.grant) return [];
    const by = { id: event.by, name: event.body?.name ?? '' };
    const grant = event.grant.grant as GrantNote['grant'];
    const sentence = event.body?.grant?.sentence ?? null;
    return [{ grant, is: 'given', atMs, by, sentence, taken: taken.get(grant) ?? null }];
  });
}

/** A question with every answer that was not taken. */
function questionsOf(question: Asked, told: readonly Told[], named: (user: UserId) => Named): Asked {
  const refused = ofType(told, 'question.refused').filter(({ event }) => event.question === question.question);
  const wrong = refused.map(({ event, atMs }) => ({
    atMs,
    by: named(event.by),
    given: event.body?.given ?? '',
    why: event.body?.why ?? event.code,
  }));
  return { ...question, wrong };
}

function stepsOf(told: readonly Told[]): RecordDoc['steps'] {
  const steps = new Map<string, RecordDoc['steps'][number]>();
  for (const { event, atMs } of ofType(told, 'step.claimed', 'step.done')) {
    const known = steps.get(event.step) ?? { name: event.step, beganAtMs: null, doneAtMs: null };
    const began = event.type === 'step.claimed';
    steps.set(event.step, { ...known, ...(began ? { beganAtMs: known.beganAtMs ?? atMs } : { doneAtMs: atMs }) });
  }
  return [...steps.values()];
}
