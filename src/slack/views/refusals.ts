/** Owns the sentence for every refusal, answered privately to whoever acted. Mentions in it ring nobody. */
import type { WorkspaceEvidence } from '../../thread/evidence.ts';
import type { Refusal } from '../../thread/refusal.ts';
import { at, rootOf, type Approval, type Run, type Thread } from '../../thread/thread.ts';
import type { UserId } from '../../thread/ids.ts';
import type { Content } from '../message.ts';
import * as block from './blocks.ts';
import { cardPlace } from './place.ts';
import { decider, listed, penOf, requester, somebody, type Pen, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { channel, joined, pushText, t, words, type Line, type Part } from './line.ts';
import { misfitLine } from './misfit.ts';
import { canAskAgain, notRunWhy } from './outcome-lines.ts';
import { asked } from './suspended.ts';
import { changesLine, deciders, missing, sceneOf, type Scene } from './scene.ts';
import { cut } from './text/escape.ts';
import { clockFace } from './time.ts';

/** Sentences that are answers, though no act was refused. */
export type Answer = Omit<Refusal, 'code'> & { readonly code: Refusal['code'] | 'use_buttons' | 'not_a_member' };

/** What a sentence is made of, as far as the thread knows it. */
interface Told {
  readonly pen: Pen;
  readonly thread: Thread | null;
  readonly approval: Approval | null;
  readonly scene: Scene | null;
  readonly run: Run | null;
  readonly at: Part | null;
  readonly by: Part | null;
  readonly until: Part | null;
  readonly workspace: WorkspaceEvidence | null;
}

function tell(
  answer: Answer,
  thread: Thread | null,
  workspace: WorkspaceEvidence | null,
  context: RenderContext,
): Told {
  const pen = penOf(context);
  const approval = (thread && answer.approval !== undefined && at(thread.approvals, answer.approval)) || null;
  const call = thread && approval ? at(thread.calls, approval.call) : undefined;
  const scene = (thread && call && sceneOf(pen, thread, call, null)) || null;
  const current = thread && (thread.current ?? thread.live.at(-1) ?? null);
  const run =
    scene?.run ?? (thread && current !== null && current !== undefined ? (at(thread.runs, current) ?? null) : null);
  const clock = clockFace(approval?.requestedAtMs ?? run?.startedAtMs ?? answer.atMs ?? answer.untilMs ?? 0);
  return {
    pen,
    thread,
    approval,
    scene,
    run,
    at: answer.atMs === undefined ? null : clock.at(answer.atMs),
    by: answer.by === undefined ? null : named(pen, thread, approval, run, answer.by),
    until: answer.untilMs === undefined ? null : clock.at(answer.untilMs),
    workspace,
  };
}

/** A person, with the name that the approval or the run's messages know. */
function named(pen: Pen, thread: Thread | null, approval: Approval | null, run: Run | null, id: UserId): Part {
  const voted = approval?.votes.find(vote => vote.by === id);
  if (voted) return decider(pen, id, voted.name);
  if (approval?.state.is === 'rejected' && approval.state.by === id) return decider(pen, id, approval.state.name);
  return thread && run?.requesters.includes(id) ? somebody(pen, thread, run, id) : decider(pen, id, '');
}

const whoAsked = ({ pen, thread, run }: Told): Part =>
  thread && run ? requester(pen, thread, run) : words(pen.texts.people.requester);

/** Everybody who asked: each of them may do what only they may. */
function allWhoAsked({ pen, thread, run }: Told): Line {
  if (thread === null || run === null) return [words(pen.texts.people.requester)];
  const root = rootOf(thread, run);
  const people = root.requesters.map(user => [somebody(pen, thread, root, user)]);
  return people.length === 0 ? [words(pen.texts.people.requester)] : listed(pen, people, 'or', ROOM.people);
}

/** That whoever asked can ask again, also while the expiry is not on record yet; nothing where they cannot. */
function asksAgain(told: Told): Line[] {
  const { pen, scene } = told;
  const may = scene === null || (scene.outcome.is === 'waiting' ? scene.call.within === null : canAskAgain(scene));
  return may ? [pen.texts.card.canAskAgain(whoAsked(told))] : [];
}

/** Whose act it is, by what was wanted. */
function notYours({ detail }: Answer, told: Told): Line {
  const { not_yours: only } = told.pen.texts.refusal;
  const by = told.by ?? words(told.pen.texts.people.decider);
  switch (detail) {
    case 'again':
      return only.again(allWhoAsked(told));
    case 'keep':
      return only.keep(by);
    case 'grant':
      return only.grant(by);
    default:
      return only.cancel(allWhoAsked(told));
  }
}

function alreadyDecided({ pen, approval, scene, by, at: when }: Told, isStop: boolean): Line {
  const { refusal } = pen.texts;
  if (approval?.state.is === 'refused' && when !== null)
    return refusal.notRunBefore(when, notRunWhy(pen.texts, approval.state.code));
  if (by === null || when === null) return refusal.decidedBefore;
  if (isStop) return refusal.stoppedBefore(by, when);
  if (approval === null || scene === null) return refusal.settledBefore(by, when);
  if (approval.state.is === 'rejected') return refusal.rejectedBefore(by, when);
  switch (scene.outcome.is) {
    case 'said_done':
    case 'given_up':
      return refusal.settledBefore(by, when);
    case 'starting':
    case 'running':
      return refusal.approvedBefore(by, when, 'running');
    case 'done':
      return refusal.approvedBefore(by, when, 'done');
    case 'in_doubt':
      return refusal.approvedBefore(by, when, 'doubt');
    default:
      return refusal.approvedBefore(by, when, 'ended');
  }
}

function whereCards({ pen, scene }: Told): Part | null {
  if (scene === null) return null;
  const place = cardPlace(scene);
  return 'under' in place || place.threadTs !== undefined ? null : channel(place.channel, pen.texts.people.channel);
}

function frozenWhy({ pen, workspace }: Told): Part | null {
  const frozen = workspace?.frozen;
  if (!frozen || frozen === 'unknown' || frozen.why.trim() === '') return null;
  return words(cut(pen.show.line(frozen.why), ROOM.reason));
}

function whomAsked(answer: Answer, { pen, thread, run }: Told): Line | null {
  const question = thread && answer.question !== undefined ? at(thread.questions, answer.question) : undefined;
  const asking = thread && question ? (at(thread.runs, question.run) ?? run) : run;
  return thread && question && asking ? asked({ pen, thread, run: asking }, question) : null;
}

/** What came with the refusal: a code of a misfit has its sentence, everything else is somebody's words. */
function saidWhy(answer: Answer, { pen }: Told): Line | null {
  const { detail } = answer;
  if (detail === undefined || detail.trim() === '') return null;
  return misfitLine(pen, detail);
}

function line(answer: Answer, told: Told): Line {
  const { refusal } = told.pen.texts;
  const isStop = answer.detail === 'stop';
  const scopes = told.scene === null ? [] : deciders(told.scene);
  const somebodyElse = scopes.length === 0 ? t`${told.pen.texts.people.decider}` : scopes;
  switch (answer.code) {
    case 'too_early':
      return refusal.too_early(told.until);
    case 'already_decided':
      return alreadyDecided(told, isStop);
    case 'expired':
      return answer.question === undefined
        ? joined([refusal.expired(told.at), ...asksAgain(told)], told.pen.texts.list.sentence)
        : refusal.question_expired(told.at);
    case 'withdrawn':
      return answer.question === undefined ? refusal.withdrawn(told.by, told.at) : refusal.question_withdrawn;
    case 'superseded':
      return refusal.superseded(told.at, changesLine(told.pen, told.approval?.closedCards.at(-1)?.changes ?? []));
    case 'stale_round':
      return refusal.stale_round(whoAsked(told));
    case 'wrong_card':
      return refusal.wrong_card(whereCards(told));
    case 'requester':
      return refusal.requester(somebodyElse);
    case 'not_approver':
      return refusal.not_approver(somebodyElse, (told.approval?.terms.ladder[0]?.scopes.length ?? 1) > 1);
    case 'already_counted':
      return refusal.already_counted(told.at, told.scene === null ? 1 : missing(told.scene));
    case 'lookup_failed':
      return refusal.lookup_failed(scopes.length === 0 ? null : scopes);
    case 'frozen':
      return refusal.frozen(told.at, frozenWhy(told));
    case 'nothing_to_do':
      return refusal[answer.detail === 'cancel' ? 'nothing_to_cancel' : 'nothing_to_do'];
    case 'not_yours':
      return isStop ? refusal.may_not_stop(allWhoAsked(told)) : notYours(answer, told);
    case 'not_asked':
      return refusal.not_asked(whomAsked(answer, told));
    case 'bad_answer':
      return refusal.bad_answer(saidWhy(answer, told));
    case 'bad_edit':
    case 'denied':
      return refusal[answer.code](saidWhy(answer, told));
    case 'quorum_impossible':
      return refusal.quorum_impossible(told.approval?.terms.quorum ?? 2, told.by);
    case 'not_editable':
    case 'unchanged':
    case 'option_needed':
    case 'no_grant':
    case 'not_admin':
    case 'may_not_freeze':
    case 'not_your_record':
    case 'other_environment':
    case 'thread_damaged':
    case 'not_found':
    case 'changed_since':
    case 'key_reused':
    case 'guest':
    case 'external':
    case 'deactivated':
    case 'bot':
    case 'busy':
    case 'reason_needed':
    case 'review_needed':
    case 'unknown_control':
    case 'use_buttons':
    case 'not_a_member':
      return refusal[answer.code];
  }
}

/** The sentence as a line, for views; `thread` null when no thread was found, `workspace` for the reason of a freeze. */
export const refusalLine = (
  answer: Answer,
  thread: Thread | null,
  context: RenderContext,
  workspace: WorkspaceEvidence | null = null,
): Line => line(answer, tell(answer, thread, workspace, context));

/** The sentence as a private message. */
export function refusalContent(
  answer: Answer,
  thread: Thread | null,
  context: RenderContext,
  workspace: WorkspaceEvidence | null = null,
): Content {
  const sentence = refusalLine(answer, thread, context, workspace);
  return { text: pushText(sentence, 'everybody', 3_000), blocks: [block.paragraph(sentence)] };
}
