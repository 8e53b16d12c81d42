/**
 * Owns plain views on a thread for simulated worlds: a card per request, a status and an answer per run, posted by key.
 * They show what the real views show, without its words.
 */
import type { KnownBlock } from '@slack/web-api';
import { digestOf } from '../../src/thread/digest.ts';
import { encodeButton, threadLog, type ChannelId, type MessageTs } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { at, type Approval, type Call, type Post, type Run, type Thread } from '../../src/thread/thread.ts';
import type { SlackApi } from '../../src/slack/api.ts';
import { ACTIONS, encodeDoubt, encodeMessage, encodeRun } from '../../src/slack/views/actions.ts';
import type { Clock, Posted, Views } from '../../src/worker/ports.ts';
import { APPROVALS } from './rules.ts';

interface Desired {
  readonly key: string;
  readonly channel: ChannelId;
  readonly threadTs: MessageTs | null;
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

const button = (action: string, value: string): object => ({
  type: 'button',
  action_id: action,
  value,
  text: { type: 'plain_text', text: action },
});
const actions = (...elements: object[]): KnownBlock[] =>
  elements.length === 0 ? [] : [{ type: 'actions', elements } as KnownBlock];

const hashOf = ({ text, blocks }: Desired): string => digestOf({ text, blocks });

function cardsOf(thread: Thread, call: Call, approval: Approval): Desired[] {
  const outcome = outcomeOf(thread, call);
  const value = encodeButton({
    channel: thread.key.channel,
    ts: thread.key.ts,
    approval: approval.id,
    round: approval.round,
  });
  const { digest, bind, callDigest, votes, expiresAtMs } = approval;
  const shown = {
    is: outcome.is,
    tool: call.tool,
    args: call.args,
    bind,
    digest,
    callDigest,
    expiresAtMs,
    votes: votes.length,
  };
  const doubt = encodeDoubt(thread.key, call.id, call.attempts);
  const decide = approval.room === 'form' ? ACTIONS.review : ACTIONS.approve;
  const controls =
    outcome.is === 'waiting'
      ? actions(button(decide, value), button(ACTIONS.reject, value))
      : outcome.is === 'in_doubt'
        ? actions(...[ACTIONS.doubtRan, ACTIONS.doubtNotRun, ACTIONS.doubtAbandon].map(action => button(action, doubt)))
        : [];
  const place = { channel: APPROVALS, threadTs: null };
  return [
    ...approval.closedCards.map(closed => ({
      ...place,
      key: `card/${approval.id}/${closed.card}`,
      text: 'replaced',
      blocks: [],
    })),
    { ...place, key: `card/${approval.id}/${approval.card}`, text: JSON.stringify(shown), blocks: controls },
  ];
}

function ofRun(thread: Thread, run: Run): Desired[] {
  const place = { channel: thread.key.channel, threadTs: thread.key.ts };
  const calls = run.calls.flatMap(id => at(thread.calls, id) ?? []);
  const rows = calls.map(call => [call.tool, outcomeOf(thread, call).is]);
  const again = calls.flatMap(call => {
    const approval = call.approval ? at(thread.approvals, call.approval) : undefined;
    const { is } = outcomeOf(thread, call);
    if (!approval || call.repeatedBy !== null || (is !== 'expired' && is !== 'not_run')) return [];
    return [button(ACTIONS.askAgain, encodeButton({ ...thread.key, approval: approval.id, round: approval.round }))];
  });
  const waits = calls.some(call => call.state.is === 'waiting');
  const cancel = run.end === null && waits ? [button(ACTIONS.cancel, encodeRun(thread.key, run.id))] : [];
  const status: Desired[] =
    rows.length === 0 && run.end?.how === 'succeeded'
      ? []
      : [
          {
            ...place,
            key: `status/${run.id}`,
            text: JSON.stringify({ rows, end: run.end?.how ?? null }),
            blocks: actions(...cancel, ...again),
          },
        ];
  const answer = run.answer === null ? [] : [{ ...place, key: `answer/${run.id}`, text: run.answer, blocks: [] }];
  const [meanwhile] = Object.values(thread.messages).filter(message => message.meanwhile === run.id);
  const open = meanwhile && run.end === null && !meanwhile.kept && waits;
  const have: Desired[] = meanwhile
    ? [
        {
          ...place,
          key: `have/${run.id}`,
          text: 'I have this',
          blocks: open
            ? actions(
                button(ACTIONS.useInstead, encodeMessage(thread.key, meanwhile.ts)),
                button(ACTIONS.keepWaiting, encodeMessage(thread.key, meanwhile.ts)),
              )
            : [],
        },
      ]
    : [];
  const doubts: Desired[] = calls.flatMap(call =>
    call.approval === null && call.state.is === 'in_doubt'
      ? [
          {
            channel: APPROVALS,
            threadTs: null,
            key: `doubt/${call.state.claim.execution}`,
            text: `in doubt ${call.tool}`,
            blocks: actions(
              ...[ACTIONS.doubtRan, ACTIONS.doubtNotRun, ACTIONS.doubtAbandon].map(action =>
                button(action, encodeDoubt(thread.key, call.id, call.attempts)),
              ),
            ),
          },
        ]
      : Object.values(thread.posts)
          .filter(post => post.key.startsWith(`doubt/${call.id}.`))
          .map(post => ({
            channel: APPROVALS,
            threadTs: null,
            key: post.key,
            text: `settled ${call.tool}`,
            blocks: [],
          })),
  );
  const cards = calls.flatMap(call => {
    const approval = call.approval ? at(thread.approvals, call.approval) : undefined;
    return approval ? cardsOf(thread, call, approval) : [];
  });
  return [...cards, ...doubts, ...answer, ...have, ...status];
}

export const desired = (thread: Thread): Desired[] =>
  thread.live.flatMap(id => {
    const run = at(thread.runs, id);
    return run ? ofRun(thread, run) : [];
  });

export class PlainViews implements Views {
  readonly #api: SlackApi;
  readonly #clock: Clock;

  constructor(api: SlackApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  room: Views['room'] = call => (call.tool === 'drop' ? 'form' : 'card');

  behind: Views['behind'] = thread => desired(thread).some(each => !inLine(thread, each));

  async card(
    thread: Thread,
    of: Parameters<Views['card']>[1],
    place: Parameters<Views['card']>[2],
  ): ReturnType<Views['card']> {
    const is = (key: string): boolean =>
      'approval' in of
        ? key.startsWith(`card/${of.approval}/`)
        : key === `doubt/${of.execution}` || key.startsWith('card/');
    const known = Object.values(thread.posts).find(post => post.channel === place.channel && post.ts === place.ts);
    if (known) return { is: is(known.key) ? 'ours' : 'wrong', found: null };
    const found = await this.#list(place.channel);
    const mark = found?.find(message => message.ts === place.ts && message.thread === threadLog(thread.key));
    if (!mark || !is(mark.key)) return { is: 'wrong', found: null };
    const posted: Posted = { key: mark.key, ...place, hash: '', state: 'found', atMs: this.#clock.nowMs(), body: {} };
    return { is: 'ours', found: at(thread.posts, mark.key)?.ts ? null : posted };
  }

  announce: Views['announce'] = () => Promise.resolve<readonly Posted[]>([]);
  working: Views['working'] = () => undefined;

  async reconcile(thread: Thread): ReturnType<Views['reconcile']> {
    const posted: Posted[] = [];
    let retryAtMs: number | null = null;
    for (const each of desired(thread)) {
      if (inLine(thread, each)) continue;
      const done = await this.#bring(thread, each, at(thread.posts, each.key));
      if (done) posted.push(done);
      else retryAtMs = this.#clock.nowMs() + 5_000;
    }
    return { posted, retryAtMs };
  }

  async #bring(thread: Thread, each: Desired, post: Post | undefined): Promise<Posted | undefined> {
    const { channel, key } = each;
    const record = (ts: MessageTs, state: Posted['state']): Posted => ({
      key,
      channel,
      ts,
      hash: hashOf(each),
      state,
      atMs: this.#clock.nowMs(),
      body: {},
    });
    let ts = post?.ts ?? undefined;
    if (!ts) {
      const found = await this.#list(channel, each.threadTs);
      if (!found) return undefined;
      ts = found.find(message => message.key === key && message.thread === threadLog(thread.key))?.ts;
    }
    const content = { channel, text: each.text, blocks: each.blocks };
    if (ts) {
      const updated = await this.#api('chat.update', { ...content, ts });
      return updated.is === 'ok' ? record(ts, 'updated') : undefined;
    }
    const metadata = {
      event_type: 'countersign',
      event_payload: { key, thread: threadLog(thread.key), environment: 'sim' },
    };
    const answer = await this.#api('chat.postMessage', {
      ...content,
      metadata,
      ...(each.threadTs ? { thread_ts: each.threadTs } : {}),
    });
    return answer.is === 'ok' ? record((answer.data as { ts: MessageTs }).ts, 'posted') : undefined;
  }

  async #list(
    channel: ChannelId,
    under: MessageTs | null = null,
  ): Promise<{ ts: MessageTs; key: string; thread: string }[] | undefined> {
    const answer = under
      ? await this.#api('conversations.replies', { channel, ts: under })
      : await this.#api('conversations.history', { channel });
    if (answer.is !== 'ok') return undefined;
    type Message = { ts: MessageTs; metadata: { event_payload: { key: string; thread: string } } };
    return (answer.data as { messages: Message[] }).messages.map(({ ts, metadata }) => ({
      ts,
      ...metadata.event_payload,
    }));
  }
}

const inLine = (thread: Thread, each: Desired): boolean => at(thread.posts, each.key)?.hash === hashOf(each);
