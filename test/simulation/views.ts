/** Owns the real views of a simulated process: the reconciler on Slack as the process reaches it. */
import type { WriterId } from '../../src/thread/ids.ts';
import type { SlackApi } from '../../src/slack/api.ts';
import { renderingOf } from '../../src/slack/bound.ts';
import { Channels } from '../../src/slack/channels.ts';
import { Links } from '../../src/slack/links.ts';
import { PacedQueue } from '../../src/slack/queue.ts';
import { Reconciler } from '../../src/slack/reconciler.ts';
import type { RenderContext } from '../../src/slack/views/context.ts';
import type { Clock, Views } from '../../src/worker/ports.ts';
import { SRE, TEAM } from './cast.ts';
import { APPROVALS, OPERATORS } from './rules.ts';

export const BOT = { user: 'U0BOT0001', bot: 'B0BOT0001' };
export const ENVIRONMENT = 'simulated';
const TEAM_URL = 'https://acme.example/';

/** With what every process of a simulated world renders. */
export const contextOf = (isPrivate: RenderContext['isPrivate'] = () => false): RenderContext => ({
  language: 'en',
  environment: ENVIRONMENT,
  approvals: APPROVALS,
  operators: OPERATORS,
  botUser: BOT.user as RenderContext['botUser'],
  defaults: { scopes: [SRE], channel: APPROVALS },
  secretsKey: 'key',
  argumentOrder: () => ['n', 'text'],
  isPrivate,
});

/** Links as they stand in Slack. */
export const linksOver = (api: SlackApi): Links => new Links(api, TEAM_URL);

export function viewsOver(api: SlackApi, clock: Clock, writer: WriterId): Views {
  const channels = new Channels(api, clock);
  return new Reconciler({
    team: TEAM,
    writer,
    rendering: renderingOf(contextOf(channel => channels.isPrivate(channel))),
    api,
    queue: new PacedQueue(clock),
    links: linksOver(api),
    channels,
    clock,
    self: BOT,
    environment: ENVIRONMENT,
  });
}
