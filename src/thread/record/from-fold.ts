/** Owns what a record can say from the folded thread alone: what people have, where the log is not at hand. Pure. */
import type { UserId } from '../ids.ts';
import { outcomeOf } from '../outcome.ts';
import { approvalOf, approvers, at, rootOf, type Approval, type Call, type Thread, type Vote } from '../thread.ts';
import { doubtsOf, ranOf } from './attempts.ts';
import type { Decided, GrantNote, Inside, Named, RecordDoc, Settled, Shown, Stopped, Words } from './doc.ts';
import { foldFindings } from './findings.ts';
import { editOf, questionOf, usedGrant } from './notes.ts';

/** The record of a call as far as the folded thread knows it: without refused acts' times, and with the latest of each round. */
export function recordOfThread(thread: Thread, call: Call): RecordDoc {
  const approval = approvalOf(thread, call);
  const judged = call.judgement;
  return {
    key: thread.key,
    call: call.id,
    approval: call.approval,
    summary: approval?.summary ?? judged?.summary ?? call.tool,
    impact: approval?.impact ?? judged?.impact ?? null,
    outcome: outcomeOf(thread, call),
    asked: askedOf(thread, call),
    called: {
      atMs: null,
      tool: call.tool,
      args: call.args,
      raw: call.raw,
      effect: judged?.effect ?? null,
      definition: approval?.tool ?? judged?.tool ?? null,
      digest: approval?.callDigest ?? judged?.callDigest ?? null,
      inside: insideOf(thread, call.within),
      model: null,
      instructions: null,
    },
    rule: judged && {
      atMs: null,
      verdict: judged.verdict,
      id: approval?.rule ?? judged.rule,
      why: approval?.why ?? judged.why,
      digest: approval?.ruleDigest ?? judged.ruleDigest,
      policy: judged.policy,
      loadedAtMs: null,
    },
    shown: approval ? shownOf(thread, approval) : [],
    decided: approval ? decidedOf(approval) : [],
    refused: approval ? refusedOf(thread, approval) : [],
    settled: approval ? settledOf(thread, approval) : [],
    checked: [],
    ran: ranOf(call),
    doubts: doubtsOf(call),
    stopped: stoppedOf(thread, call),
    edits: approval?.editedBy ? [editOf(null, approval.editedBy, approval.editedBy.was, call.args)] : [],
    grants: grantsOf(thread, call),
    reminders: approval?.reminders ?? [],
    escalations: approval?.escalations ?? [],
    questions: Object.values(thread.questions)
      .filter(question => question.call === call.id)
      .map(questionOf),
    inquiries: (approval?.inquiries ?? []).flatMap(id => at(thread.questions, id) ?? []).map(questionOf),
    steps: call.stepsBegun.map(name => ({ name, beganAtMs: null, doneAtMs: null })),
    findings: foldFindings(call, approval),
    from: 'fold',
  };
}

/** The name of somebody as a thread has seen it last; '' when it has not. */
export function nameIn(thread: Thread, user: UserId): Named {
  const written = Object.values(thread.messages).findLast(message => message.author === user && message.name !== '');
  return { id: user, name: written?.name ?? '' };
}

/** A message of the thread; none when it is not known. */
export const wordsOf = (thread: Thread, ts: string): Words[] => {
  const message = at(thread.messages, ts);
  if (!message) return [];
  const { author, name, text, channel, atMs } = message;
  return [{ by: { id: author, name }, text, channel, ts: message.ts, atMs }];
};

function askedOf(thread: Thread, call: Call): RecordDoc['asked'] {
  const run = at(thread.runs, call.run);
  const words = (run ? rootOf(thread, run).messages : []).flatMap(ts => wordsOf(thread, ts));
  return {
    atMs: words[0]?.atMs ?? run?.startedAtMs ?? 0,
    by: (run?.requesters ?? []).map(user => nameIn(thread, user)),
    words,
    agent: run?.agent ?? '',
    run: call.run,
    task: run?.task ?? null,
    inside: insideOf(thread, run?.within ?? null),
    repeats: run?.repeats ?? null,
  };
}

const insideOf = (thread: Thread, within: Call['within']): Inside | null =>
  within && { ...within, approval: at(thread.calls, within.call)?.approval ?? null };

/** The cards that were closed, and the present round. */
function shownOf(thread: Thread, approval: Approval): Shown[] {
  const [latest] = approval.meanwhile.slice(-1).flatMap(ts => wordsOf(thread, ts));
  const closed = approval.closedCards.map(({ card, summary, atMs, changes, code }): Shown => ({
    round: null,
    card,
    atMs,
    why: code,
    message: null,
    digest: null,
    summary,
    changes,
    bind: {},
    note: {},
    options: [],
    terms: null,
    expiresAtMs: null,
  }));
  const { round, card, requestedAtMs, digest, summary, bind, note, changes, options, terms, expiresAtMs } = approval;
  const why = round === 1 ? 'first' : 'again';
  const present = { round, card, atMs: requestedAtMs, why, message: latest ?? null, digest, summary };
  return [...closed, { ...present, bind, note, changes, options, terms, expiresAtMs }];
}

const decidedBy = (vote: Vote, round: number | null): Decided => ({
  atMs: vote.atMs,
  round,
  by: { id: vote.by, name: vote.name },
  verdict: vote.verdict,
  scopes: vote.scopes,
  reason: vote.reason,
  option: vote.option,
  then: null,
  fell: null,
});

const decidedOf = (approval: Approval): Decided[] => [
  ...approval.closedCards.flatMap(({ votes, atMs, code }) =>
    votes.map(vote => ({ ...decidedBy(vote, null), fell: { atMs, code } })),
  ),
  ...approval.votes.map(vote => decidedBy(vote, approval.round)),
];

/** Refusals as the fold keeps them: `<approval>.<round>.<user>.<code>`. */
const refusedOf = (thread: Thread, approval: Approval): RecordDoc['refused'] =>
  Object.keys(thread.refusals).flatMap(known => {
    const [of, round = '', user = '', code = ''] = known.split('.');
    if (of !== approval.id) return [];
    return [{ atMs: null, round: Number(round), by: nameIn(thread, user as UserId), code, verdict: null }];
  });

function settledOf(thread: Thread, approval: Approval): Settled[] {
  const { state, round } = approval;
  const plain = { round, by: [], code: null, detail: null, option: null };
  switch (state.is) {
    case 'open':
      return [];
    case 'approved': {
      const by = approvers(approval).map(vote => ({ id: vote.by, name: vote.name }));
      return [{ ...plain, atMs: state.atMs, how: 'approved', by, option: state.option }];
    }
    case 'rejected':
      return [{ ...plain, atMs: state.atMs, how: 'rejected', by: [{ id: state.by, name: state.name }] }];
    case 'expired':
      return [{ ...plain, atMs: state.atMs, how: 'expired' }];
    case 'withdrawn': {
      const by = state.by === null ? [] : [nameIn(thread, state.by)];
      return [{ ...plain, atMs: state.atMs, how: 'withdrawn', by, code: state.instead ? 'instead' : null }];
    }
    case 'refused':
      return [{ ...plain, atMs: state.atMs, how: 'refused', code: state.code, detail: state.detail }];
  }
}

function stoppedOf(thread: Thread, call: Call): Stopped[] {
  const cancelled = at(thread.runs, call.run)?.cancelled;
  const stopped: Stopped[] = [];
  if (call.stopped) {
    const { by, name, atMs } = call.stopped;
    stopped.push({ atMs, what: 'stop', by: { id: by, name }, source: null });
  }
  if (cancelled) {
    const { by, name, source } = cancelled;
    stopped.push({ atMs: null, what: 'cancel', by: { id: by, name }, source });
  }
  return stopped;
}

function grantsOf(thread: Thread, call: Call): GrantNote[] {
  const given = thread.grants
    .filter(grant => grant.approval === call.approval)
    .map(({ grant, by, name, sentence }): GrantNote => {
      return { grant, is: 'given', atMs: null, by: { id: by, name }, sentence, taken: null };
    });
  const grant = call.judgement?.grant ?? null;
  return grant === null ? given : [...given, usedGrant(grant, null)];
}
