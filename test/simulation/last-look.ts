/**
 * Owns the look at a world that has come to rest: what stands in Slack, against what the logs say should stand there.
 *
 * 1. Every message of every run shows its end. 2. Of each message one stands; copies are closed. 3. Nothing that is over has
 * a button that decides. 4. No text that grew is left that no answer took.
 */
import { canonical } from '../../src/thread/digest.ts';
import type { LogKey } from '../../src/thread/ids.ts';
import { at, type Thread } from '../../src/thread/thread.ts';
import type { Content, Message } from '../../src/slack/message.ts';
import { recorded } from '../../src/slack/desired.ts';
import { STRAY } from '../../src/slack/posting.ts';
import { renderingOf } from '../../src/slack/bound.ts';
import { render } from '../../src/slack/views/render.ts';
import type { FakeMessage } from '../support/fake-slack.ts';
import type { Counters } from './counters.ts';
import { seen } from './slack.ts';
import { contextOf, linksOver } from './views.ts';
import type { World } from './world.ts';

/** What each message of a thread should show, also of runs that were over long ago. */
const desired = (thread: Thread): Message[] =>
  render({ ...thread, live: Object.values(thread.runs).map(run => run.id) }, { version: 0, frozen: null }, contextOf());

/** Compares Slack with what should stand in it. */
export async function lookAtSlack(world: World): Promise<void> {
  for (const [log, thread] of world.witness.threads) {
    const ours = world.slack.messages.filter(message => message.bot_id && seen(message).log === log);
    for (const message of desired(thread)) await compare(world, thread, message, ours);
    budget(world.counters, thread, log, ours);
  }
  for (const message of world.slack.messages) {
    // What began as a text that grows has become its answer, or is gone.
    const isNobodys = message.bot_id !== undefined && seen(message).key === '';
    world.counters.holds('budget', !isNobodys, () => `a message that nobody looks after stands: ${message.text}`);
  }
}

async function compare(world: World, thread: Thread, message: Message, ours: readonly FakeMessage[]): Promise<void> {
  const { counters, slack } = world;
  const post = at(thread.posts, message.key);
  if (message.reaction) {
    // A reaction that Slack refused is done without.
    const isTried = post?.state === 'reacted' || post?.state === 'failed';
    counters.holds('settles', isTried, () => `${message.key} was not set`);
    return;
  }
  if (post?.state === 'closed') return;
  const standing = ours.find(each => each.channel === post?.channel && each.ts === post.ts);
  const links = linksOver(slack.api);
  const forms = [message.content, message.first].filter(form => form !== undefined);
  const shown = await Promise.all(forms.map(form => links.resolve(form, recorded(thread.posts))));
  const isShown = ({ text, blocks }: Content): boolean =>
    standing !== undefined && canonical([text, blocks]) === canonical([standing.text, standing.blocks]);
  counters.holds(
    'settles',
    shown.some(isShown),
    () =>
      `${message.key} should show ${canonical(shown[0]?.blocks)}, but it shows ${canonical(standing?.blocks ?? null)}`,
  );
}

/** One live message per key; the others are copies that say so. */
function budget(counters: Counters, thread: Thread, log: LogKey, ours: readonly FakeMessage[]): void {
  const notice = canonical(renderingOf(contextOf()).copyNotice.blocks);
  const byKey = new Map<string, FakeMessage[]>();
  for (const message of ours) {
    const { key } = seen(message);
    byKey.set(key, [...(byKey.get(key) ?? []), message]);
  }
  for (const [key, messages] of byKey) {
    const open = messages.filter(message => canonical(message.blocks) !== notice);
    counters.holds(
      'budget',
      open.length <= (key === STRAY ? 0 : 1),
      () => `${open.length} messages stand for ${key} of ${log}`,
    );
    if (messages.length > 1) counters.saw('copy closed');
    counters.holds('budget', isBudgeted(thread, key), () => `${key} of ${log} is not in the budget`);
  }
}

/** The closed list of what may be posted for a thread; each stands for something in its log, so that each has its number. */
function isBudgeted(thread: Thread, key: string): boolean {
  const [kind = '', of = '', number = ''] = key.split('/');
  const execution = of.split('.')[0] ?? '';
  const last = key.split('/').at(-1);
  switch (kind) {
    case 'remind':
      return isOfEarlierRound(thread, key) || hasReminded(thread, of, Number(last));
    case 'escalate':
      return isOfEarlierRound(thread, key) || hasEscalated(thread, of, Number(last));
    case 'question':
    case 'inquiry':
      return at(thread.questions, of) !== undefined;
    case 'change':
      return at(thread.runs, of)?.end?.code === 'change_asked';
    case 'file':
      return at(thread.approvals, of) !== undefined;
    case 'card':
      return Number(number) <= (at(thread.approvals, of)?.card ?? 0);
    case 'status':
    case 'answer':
      return at(thread.runs, of) !== undefined;
    case 'have':
      return at(thread.messages, of) !== undefined;
    case 'doubt':
    case 'doubt-ring':
    case 'doubt-thread':
      return at(thread.calls, execution) !== undefined;
    case 'privacy':
      return of === '';
    // Where a stray cannot be taken away it says that it is a copy.
    case 'stream':
      return true;
    default:
      return false;
  }
}

/** True for a reply `<kind>/<approval>/<card>/<round>/<n>` of a card, or of a round of it, that has been asked anew since. */
function isOfEarlierRound(thread: Thread, key: string): boolean {
  const [, of = '', card, round] = key.split('/');
  const approval = at(thread.approvals, of);
  return approval !== undefined && (Number(card) < approval.card || Number(round) < approval.round);
}
const hasReminded = (thread: Thread, approval: string, n: number): boolean =>
  at(thread.approvals, approval)?.reminders.some(each => each.n === n) ?? false;
const hasEscalated = (thread: Thread, approval: string, step: number): boolean =>
  at(thread.approvals, approval)?.escalations.some(each => each.step === step) ?? false;
