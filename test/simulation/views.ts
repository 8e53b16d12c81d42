/** Owns the real views of a simulated process: the reconciler on Slack as the process reaches it. */
import type { WriterId } from '../../src/thread/ids.ts';
import type { Thread } from '../../src/thread/thread.ts';
import type { SlackApi } from '../../src/slack/api.ts';
import { renderingOf } from '../../src/slack/bound.ts';
import { Channels } from '../../src/slack/channels.ts';
import { Links } from '../../src/slack/links.ts';
import type { Message } from '../../src/slack/message.ts';
import { PacedQueue } from '../../src/slack/queue.ts';
import { Reconciler } from '../../src/slack/reconciler.ts';
import type { Rendering } from '../../src/slack/rendering.ts';
import type { RenderContext } from '../../src/slack/views/context.ts';
import type { Clock, Views } from '../../src/worker/ports.ts';
import { SRE, TEAM } from './cast.ts';
import { APPROVALS, OPERATORS } from './rules.ts';

const BOT = { user: 'U0BOT0001', bot: 'B0BOT0001' };
const ENVIRONMENT = 'simulated';
const TEAM_URL = 'https://acme.example/';

/** With what every process of a simulated world renders. */
export const contextOf = (): RenderContext => ({
  language: 'en',
  environment: ENVIRONMENT,
  approvals: APPROVALS,
  operators: OPERATORS,
  botUser: BOT.user as RenderContext['botUser'],
  defaults: { scopes: [SRE], channel: APPROVALS },
  secretsKey: 'key',
  argumentOrder: () => ['n', 'text'],
  isPrivate: () => false,
});

/** Links as they stand in Slack. */
export const linksOver = (api: SlackApi): Links => new Links(api, TEAM_URL);

const plain = renderingOf(contextOf());
const rendered = new Map<string, readonly Message[]>();
const KEPT = 100;

/** What the views read of a thread; of its messages in Slack only where they stand. */
function shownOf(thread: Thread): unknown {
  const { head, lease, rests, loose, copies, conversation, decisions, refusals, heard, grants, posts, ...shown } =
    thread;
  return [shown, Object.entries(posts).map(([key, { channel, ts, state }]) => [key, channel, ts, state])];
}

/** The views are pure, and most of a simulated world's time: what was rendered lately is not rendered again. */
const rendering: Rendering = {
  ...plain,
  thread: (thread, workspace) => {
    const known = JSON.stringify([shownOf(thread), workspace.frozen]);
    const messages = rendered.get(known) ?? plain.thread(thread, workspace);
    rendered.delete(known);
    rendered.set(known, messages);
    const [oldest] = rendered.keys();
    if (rendered.size > KEPT && oldest !== undefined) rendered.delete(oldest);
    return messages;
  },
};

export function viewsOver(api: SlackApi, clock: Clock, writer: WriterId): Views {
  const channels = new Channels(api, clock);
  return new Reconciler({
    team: TEAM,
    writer,
    rendering,
    api,
    queue: new PacedQueue(clock),
    links: linksOver(api),
    channels,
    clock,
    self: BOT,
    environment: ENVIRONMENT,
  });
}
