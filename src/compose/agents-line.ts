/** Owns what the start says of several agents: who answers where, and who only works for others. */
import type { ListeningAgent } from '../policy/normal-form.ts';
import { lookAtChannel } from '../slack/findings.ts';
import type { ChannelId } from '../thread/ids.ts';
import { quietApi, type SlackPlace } from './slack-side.ts';

/** `planner: everywhere else, direct messages · sales: #sales · writer: called by others`; null where there is only one. */
export async function agentsLine(place: SlackPlace, agents: readonly ListeningAgent[]): Promise<string | null> {
  if (agents.length < 2) return null;
  const api = quietApi(place);
  const nameOf = async (channel: ChannelId): Promise<string> => (await lookAtChannel(api, channel)).name;
  const others = agents.some(({ channels }) => channels !== null && channels.length > 0);
  const all = agents.map(async ({ name, channels, dm }) => {
    const where = channels === null ? [others ? 'every other channel' : 'every channel'] : await each(channels, nameOf);
    const places = [...where, ...(dm ? ['direct messages'] : [])];
    return `${name}: ${places.length === 0 ? 'called by others' : places.join(', ')}`;
  });
  return (await Promise.all(all)).join(' · ');
}

const each = <T>(channels: readonly ChannelId[], look: (channel: ChannelId) => Promise<T>): Promise<T[]> =>
  Promise.all(channels.map(look));
