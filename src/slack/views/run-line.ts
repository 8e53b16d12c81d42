/** Owns what is said about a run as a whole: cancelled, stopped at a limit, frozen, the model away, failed. */
import type { Frozen } from '../../thread/evidence.ts';
import type { Run } from '../../thread/thread.ts';
import { decider, listed, type Pen } from './context.ts';
import { ROOM } from './limits.ts';
import { joined, t, words, type Line } from './line.ts';
import { what, type Scene } from './scene.ts';
import { cut, shorten } from './text/escape.ts';
import { clockFace } from './time.ts';

/** True when something of a call may have happened. */
const happened = ({ outcome, call }: Scene): boolean =>
  call.judgement?.effect === 'write' &&
  ((outcome.is === 'done' && outcome.ending.effect !== 'none') ||
    outcome.is === 'said_done' ||
    outcome.is === 'given_up' ||
    (outcome.is === 'failed' && outcome.ending.effect !== 'none'));

/** When an execution that is over ended; undefined where people have said what came of it. */
const endedAtMs = ({ outcome }: Scene): number | undefined =>
  outcome.is === 'done' || outcome.is === 'failed' ? outcome.ending.endedAtMs : undefined;

function cancelled(pen: Pen, scenes: readonly Scene[], atMs: number): Line {
  const { run } = pen.texts;
  const still = scenes.find(scene => scene.outcome.is === 'running' || scene.outcome.is === 'in_doubt');
  if (still)
    return still.approval === null && still.outcome.is === 'running'
      ? run.cancelledWhileHere(what(still))
      : run.cancelledWhile(what(still));
  const ran = scenes.filter(happened);
  const during = ran.find(scene => (endedAtMs(scene) ?? 0) >= atMs);
  if (during) return run.cancelledDuring(what(during), during.outcome.is === 'done');
  const [first] = ran;
  return first === undefined ? run.cancelled : run.cancelledAfter(what(first), ran.length - 1);
}

/** Who cancelled it, where it was none of those who had asked: an admin, for them. */
const byWhom = (pen: Pen, { cancelled: act, requesters }: Run): Line[] =>
  act === null || requesters.includes(act.by) ? [] : [pen.texts.run.cancelledBy(decider(pen, act.by, act.name))];

/** Whom the agent answers: a label a line. */
function answered(pen: Pen, labels: string | null): Line | null {
  const names = (labels ?? '').split('\n').filter(label => label !== '');
  const shown = names.map(label => t`${words(shorten(pen.show.line(label), ROOM.label))}`);
  return shown.length === 0 ? null : listed(pen, shown, 'and', ROOM.labels);
}

/** The sentence about how a run ended; undefined when its answer says it. */
function ended(pen: Pen, run: Run, scenes: readonly Scene[]): Line | undefined {
  const { end } = run;
  if (end === null || end.how === 'succeeded') return undefined;
  const clock = clockFace(run.startedAtMs);
  const at = clock.at(end.atMs);
  const texts = pen.texts.run;
  if (end.how === 'cancelled')
    return t`↩️ ${joined([cancelled(pen, scenes, end.atMs), ...byWhom(pen, run)], pen.texts.list.sentence)}`;
  if (end.how === 'exhausted') {
    const minutes = Math.max(1, Math.round((end.atMs - run.startedAtMs - run.waitedMs) / 60_000));
    switch (end.code) {
      case 'steps':
        return t`⚠️ ${texts.steps(run.turn)}`;
      case 'tokens':
        return t`⚠️ ${texts.tokens(run.tokens)}`;
      case 'wall':
        return t`⚠️ ${texts.wall(minutes)}`;
      default:
        return t`⚠️ ${texts.exhausted}`;
    }
  }
  switch (end.code) {
    case 'stopped_by_rejection':
    case 'change_asked':
      return undefined;
    case 'not_a_member':
      return t`🚫 ${texts.notAMember}`;
    case 'agent_closed':
      return t`🚫 ${texts.agentClosed(answered(pen, end.detail))}`;
    case 'agent_gone':
      return t`🚫 ${texts.agentGone}`;
    case 'lookup_failed':
      return t`⚠️ ${texts.lookupFailed(at)}`;
    case 'thread_damaged':
      return t`⚠️ ${texts.damaged}`;
    case 'model_away':
      return t`⚠️ ${texts.modelAway(at)}`;
    case 'content_filter':
      return t`⚠️ ${texts.modelRefused(at)}`;
    case 'context_too_long':
      return t`⚠️ ${texts.contextTooLong(at)}`;
    case 'reply_too_long':
    case 'reply_cut_off':
      return t`⚠️ ${texts.replyTooLong(at)}`;
    case 'model_auth':
    case 'model_not_found':
    case 'model_bad_request':
      return t`⚠️ ${texts.modelSetUp(at)}`;
    default:
      return t`⚠️ ${texts.failed(at)}`;
  }
}

/** The sentence above the rows; undefined when the rows say it all. */
export function runLine(pen: Pen, run: Run, scenes: readonly Scene[], frozen: Frozen | null): Line | undefined {
  const over = ended(pen, run, scenes);
  if (over !== undefined) return over;
  const texts = pen.texts.run;
  const clock = clockFace(run.startedAtMs);
  const held = scenes.some(({ outcome }) => outcome.is === 'waiting' || outcome.is === 'starting');
  if (run.end === null && frozen !== null && held) {
    const by = decider(pen, frozen.by, frozen.name);
    const at = clock.at(frozen.sinceMs);
    const why = pen.show.line(frozen.why).trim();
    return t`🧊 ${why === '' ? texts.frozenSilent(by, at) : texts.frozen(by, at, words(cut(why, ROOM.reason)))}`;
  }
  if (run.end === null && run.away !== null) return t`⏳ ${texts.away(clock.at(run.away.untilMs))}`;
  return undefined;
}
