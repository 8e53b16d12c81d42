/**
 * Owns what happens when somebody opens the app: their Home is published, and a direct message suggests what to say.
 * Cosmetic: nothing waits for it and nothing fails with it.
 */
import { z } from 'zod';
import type { TeamId, UserId } from '../../thread/ids.ts';
import type { SlackApi } from '../api.ts';
import { penOf, type RenderContext } from '../views/context.ts';
import type { EventBody } from './bodies.ts';
import { maybe, text } from './fields.ts';
import type { Homes } from './homes.ts';

const homeSchema = z.looseObject({
  type: z.literal('app_home_opened'),
  user: text,
  channel: maybe(z.string()),
  tab: maybe(z.string()),
});
const threadSchema = z.looseObject({
  type: z.literal('assistant_thread_started'),
  assistant_thread: z.looseObject({ channel_id: text, thread_ts: text }),
});

export interface GreetingOptions {
  readonly api: SlackApi;
  readonly team: TeamId;
  readonly context: RenderContext;
  readonly homes: Homes;
}

/** Greets whoever opened Home or a conversation with the app. Never throws. */
export async function greet(
  { api, team, context, homes }: GreetingOptions,
  { event, ...from }: EventBody,
): Promise<void> {
  if (from.team !== null && from.team !== team) return;
  const home = homeSchema.safeParse(event).data;
  if (home && home.tab !== 'messages') return homes.opened({ user: home.user as UserId, team });
  const thread = threadSchema.safeParse(event).data?.assistant_thread;
  const channel = thread?.channel_id ?? home?.channel;
  if (!channel) return;
  // Slack takes at most four. In a container of the newer kind each message begins a thread, so none is named.
  const prompts = penOf(context).texts.prompts.slice(0, 4);
  const place = thread === undefined ? {} : { thread_ts: thread.thread_ts };
  await api('assistant.threads.setSuggestedPrompts', { channel_id: channel, ...place, prompts });
}
