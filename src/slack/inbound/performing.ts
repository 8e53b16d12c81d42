/**
 * Owns what all controls share: the act that a click stands for, and the forms that it opens.
 *
 * 1. The key of a click is made of what was clicked, by whom and when Slack says; the same click twice counts once. 2. On
 * Home and in forms there is no card: the act's place is where the thread's record has it, and rights are checked the same.
 */
import type { ModalView } from '@slack/web-api';
import { at, type Thread } from '../../thread/thread.ts';
import type { Standing } from '../../thread/evidence.ts';
import type { ApprovalId, MessageTs, ThreadKey, UserId } from '../../thread/ids.ts';
import type { Act, Answer, Clock, Inbox, Place } from '../../worker/ports.ts';
import type { SlackApi } from '../api.ts';
import type { RenderContext } from '../views/context.ts';
import { cardKey, doubtKey } from '../views/keys.ts';
import type { Acts } from './acts.ts';
import type { Click } from './interactions.ts';
import type { Modals } from './modals.ts';
import { encodeOrigin, originOf } from './origin.ts';
import type { Listener } from './privately.ts';

export interface Parts {
  readonly api: SlackApi;
  readonly acts: Acts;
  readonly modals: Modals;
  readonly inbox: Inbox;
  readonly context: RenderContext;
  readonly clock: Clock;
  readonly environment: string;
  /** The environment that a message of ours was written by; null when it is none, or cannot be read. */
  readonly environmentOf: (place: Place) => Promise<string | null>;
  /** The address of a message. */
  readonly address: (place: Place) => string;
  /** A person's name for display; empty when it could not be learnt. */
  readonly nameOf: (user: UserId) => Promise<string>;
  /** What Slack says a person is; only members are served. */
  readonly standingOf: (user: UserId) => Promise<Standing>;
}

/** False when the control's value is not one of ours. */
export type Control = (click: Click, to: Listener) => Promise<boolean>;

/** What an act is about, to find its message on record. */
export type About = { readonly approval: ApprovalId } | { readonly execution: string } | null;

/** Where the message stands that carries the controls; the thread's root when none is on record. */
export function recordedPlace(thread: Thread, about: About): Place {
  const root = { channel: thread.key.channel, ts: thread.key.ts };
  if (about === null) return root;
  const callId = 'execution' in about ? (about.execution.split('.')[0] ?? '') : '';
  const id = 'approval' in about ? about.approval : at(thread.calls, callId)?.approval;
  const approval = id ? at(thread.approvals, id) : undefined;
  const keys = [
    ...(approval ? [cardKey(approval, approval.card)] : []),
    ...('execution' in about ? [doubtKey(about.execution as Parameters<typeof doubtKey>[0])] : []),
  ];
  for (const key of keys) {
    const post = at(thread.posts, key);
    if (post && post.ts !== null) return { channel: post.channel, ts: post.ts };
  }
  return root;
}

type ThreadPlace = Pick<ThreadKey, 'channel'> & { readonly ts: MessageTs };

/** Asks the worker for what was clicked, and tells the person if it was not carried out. */
export async function perform(
  { acts, inbox, environment, environmentOf }: Parts,
  click: Click,
  to: Listener,
  of: { readonly thread: ThreadPlace; readonly id: string; readonly about: About },
  ask: (act: Act) => Promise<Answer>,
): Promise<void> {
  const thread = acts.thread(of.thread);
  await acts.perform(to, async () => {
    const place = click.place ?? recordedPlace(await inbox.read(thread), of.about);
    const answer = await ask({ thread, actor: click.by, place, key: `${of.id}.${click.by.user}.${click.actionTs}` });
    if (answer.refusal?.code !== 'not_found' || click.place === null) return answer;
    // Two Countersigns may share one Slack app; the other one's card is not in our log.
    const written = await environmentOf(click.place);
    const other = written !== null && written !== environment;
    return other ? { ...answer, refusal: { ...answer.refusal, code: 'other_environment' } } : answer;
  });
}

/** Opens a form in answer to a click, or says privately that Slack did not. Always true: the control is one of ours. */
export async function openForm(
  parts: Parts,
  click: Click,
  to: Listener,
  fill: () => Promise<ModalView>,
): Promise<boolean> {
  if (!(await tryOpenForm(parts, click, fill))) await parts.acts.lost(to, 'notOpened');
  return true;
}

/** The same; false when Slack opened none, and nothing was said. */
export const tryOpenForm = (parts: Parts, click: Click, fill: () => Promise<ModalView>): Promise<boolean> =>
  parts.modals.show(click.trigger, click.view === null || click.view.home ? 'open' : 'push', async () => {
    const view = await fill();
    const origin = originOf(parts.environment, click);
    return { ...view, private_metadata: encodeOrigin({ ...origin, carried: view.private_metadata ?? '' }) };
  });
