/** The stage of the reconciler's tests: a fake Slack, a clock driven by hand, and a rendering that a test writes down. */
import type { KnownBlock } from '@slack/web-api';
import { Channels } from '../../src/slack/channels.ts';
import { Links } from '../../src/slack/links.ts';
import type { Content, Message } from '../../src/slack/message.ts';
import { PacedQueue, type Pace } from '../../src/slack/queue.ts';
import { Reconciler } from '../../src/slack/reconciler.ts';
import type { Rendering } from '../../src/slack/rendering.ts';
import type { ChannelId, MessageTs, TeamId, ThreadKey, WriterId } from '../../src/thread/ids.ts';
import { copiesAfter, recordPost } from '../../src/thread/post.ts';
import { emptyThread, type Thread } from '../../src/thread/thread.ts';
import type { Posted } from '../../src/worker/ports.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';

export const TEAM = 'T0ACME001' as TeamId;
export const APPROVALS = 'C0APPROV1' as ChannelId;
export const OPS = 'C0OPS0001' as ChannelId;
const ME = 'node/1' as WriterId;
export const ROOT = '1796047200.000001' as MessageTs;
export const KEY: ThreadKey = { team: TEAM, channel: OPS, ts: ROOT };
export const workspaceEvidence = { version: 1, frozen: null };

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });
const buttons: KnownBlock = {
  type: 'actions',
  elements: [{ type: 'button', action_id: 'approve', text: { type: 'plain_text', text: 'Approve' }, value: 'v' }],
};

export const content = (text: string, live = false): Content => ({
  text,
  blocks: live ? [section(text), buttons] : [section(text)],
});

/** A card in the approvers' channel; alive unless `live` is false. */
export const card = (key: string, text: string, more: Partial<Message> & { live?: boolean } = {}): Message => {
  const { live = true, ...rest } = more;
  return { key, rank: 'card', place: { channel: APPROVALS }, content: content(text, live), evidence: true, ...rest };
};

/** The thread's status message. */
export const status = (text: string, more: Partial<Message> = {}): Message => ({
  key: 'status.r1',
  rank: 'progress',
  place: { channel: OPS, threadTs: ROOT },
  content: content(text),
  evidence: false,
  ...more,
});

export interface Stage {
  readonly slack: FakeSlack;
  readonly clock: HandClock;
  readonly thread: Thread;
  readonly views: Reconciler;
  /** What should stand; a test changes it. */
  messages: readonly Message[];
  /** Reconciles as a worker does: records what was posted, until nothing more can be done now. */
  bring(): Promise<{ posted: Posted[]; retryAtMs: number | null }>;
  /** Another process with the same log, which remembers nothing. */
  other(): Reconciler;
}

/** Puts what was posted on record, as the fold does. */
export function record(thread: Thread, posted: readonly Posted[]): void {
  for (const one of posted) {
    recordPost(thread.posts, one);
    thread.copies = copiesAfter(thread.copies, { type: 'message.posted', ...one });
  }
  thread.head = { ...thread.head, number: thread.head.number + 1 };
}

export function stage(options: { environment?: string; pace?: Partial<Pace> } = {}): Stage {
  const clock = handClock();
  const slack = new FakeSlack(() => clock.nowMs());
  const thread = emptyThread(KEY);
  thread.lease = { holder: ME, lengthMs: 60_000, lastCommit: 1, lastAtMs: clock.nowMs() };
  slack.add({ channel: OPS, ts: ROOT, text: 'halve billing' });
  const self = {} as Stage;
  const made = (): Reconciler => {
    const rendering: Rendering = {
      thread: () => self.messages,
      operators: () => self.messages,
      room: () => 'card',
      cards: () => self.messages.filter(message => message.rank === 'card').map(message => message.key),
      copyNotice: content('This copy is closed.'),
      damaged: content('The record does not fit together.'),
      growing: (_, run, text) => ({ key: `answer/${run}`, opening: '<@U0DANA001> ', text }),
      status: () => '',
    };
    return new Reconciler({
      api: slack.api,
      upload: slack.upload,
      queue: new PacedQueue(clock, options.pace),
      links: new Links(slack.api, 'https://acme.example/'),
      channels: new Channels(slack.api, clock),
      clock,
      self: slack.self,
      environment: options.environment ?? 'production',
      team: TEAM,
      writer: ME,
      rendering,
    });
  };
  return Object.assign(self, {
    slack,
    clock,
    thread,
    messages: [],
    views: made(),
    bring: async () => {
      const posted: Posted[] = [];
      for (let round = 0; round < 20; round += 1) {
        if (!self.views.behind(thread, workspaceEvidence)) return { posted, retryAtMs: null };
        const result = await self.views.reconcile(thread, workspaceEvidence, new AbortController().signal);
        record(thread, result.posted);
        posted.push(...result.posted);
        if (result.retryAtMs !== null) return { posted, retryAtMs: result.retryAtMs };
      }
      throw new Error('The messages never came in line.');
    },
    other: made,
  });
}
