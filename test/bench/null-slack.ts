/**
 * Owns a Slack that takes everything at once and stands still: the real reconciler renders, posts and records against it,
 * without Slack's time and without its pace.
 */
import { z } from 'zod';
import type { SlackAnswer, SlackApi } from '../../src/slack/api.ts';
import { renderingOf } from '../../src/slack/bound.ts';
import { Channels } from '../../src/slack/channels.ts';
import { Links } from '../../src/slack/links.ts';
import { PacedQueue } from '../../src/slack/queue.ts';
import { Reconciler } from '../../src/slack/reconciler.ts';
import type { RenderContext } from '../../src/slack/views/context.ts';
import type { ChannelId, MessageTs, TeamId, WriterId } from '../../src/thread/ids.ts';
import type { Clock, Place, Views } from '../../src/worker/ports.ts';

const SELF = { user: 'U0BOT0001', bot: 'B0BOT0001' };

const posting = z.looseObject({
  channel: z.custom<ChannelId>(channel => typeof channel === 'string'),
  metadata: z.looseObject({ event_payload: z.looseObject({ key: z.string() }) }),
});

export class NullSlack {
  /** Calls that put or change a message, so far. */
  writes = 0;
  readonly #places = new Map<string, Place>();

  /** What a process sees of it; it remembers nothing of what other processes did. */
  views(context: RenderContext, clock: Clock, writer: WriterId, team: TeamId): Views {
    const { api } = this;
    return new Reconciler({
      api,
      clock,
      team,
      writer,
      self: SELF,
      environment: context.environment,
      channels: new Channels(api, clock),
      links: new Links(api, 'https://bench.example/'),
      queue: new PacedQueue(clock, { everyMs: 0 }),
      rendering: renderingOf(context),
    });
  }

  /** Where the message with this key stands; keys of different threads differ where approvals do. */
  place(key: string): Place {
    const found = this.#places.get(key);
    if (!found) throw new Error(`Nothing was posted as ${key}.`);
    return found;
  }

  readonly api: SlackApi = (method, args) => Promise.resolve(this.#answer(method, args));

  #answer(method: string, args: Readonly<Record<string, unknown>>): SlackAnswer {
    switch (method) {
      case 'chat.postMessage': {
        const { channel, metadata } = posting.parse(args);
        this.writes += 1;
        const ts = `1796047200.${String(this.writes).padStart(6, '0')}` as MessageTs;
        this.#places.set(metadata.event_payload.key, { channel, ts });
        return { is: 'ok', data: { ok: true, ts } };
      }
      case 'chat.update':
        this.writes += 1;
        return { is: 'ok', data: { ok: true, ts: args['ts'] } };
      case 'conversations.history':
      case 'conversations.replies':
        return { is: 'ok', data: { ok: true, messages: [] } };
      case 'conversations.info':
        return { is: 'ok', data: { ok: true, channel: {} } };
      case 'chat.getPermalink':
        return { is: 'ok', data: { ok: true, permalink: 'https://bench.example/archives/C0/p1' } };
      case 'assistant.threads.setStatus':
      case 'agents.sessions.setStatus':
        return { is: 'ok', data: { ok: true } };
      default:
        throw new Error(`This work calls no ${method}.`);
    }
  }
}
