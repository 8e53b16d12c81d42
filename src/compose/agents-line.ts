/** Owns what the start says of agents: who answers where, who only works for others, and where somebody is answered at all. */
import { acme } from '../local/world.ts';
import { listening } from '../policy/listening.ts';
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

/** Who asks in the embedded workspace. */
const DANA = 'U0DANA001';

/**
 * Where Dana of the embedded workspace can write and an agent answers her: `#general`, else another channel of hers, else
 * `a direct message`; null where nobody listens to her.
 */
export function whereAnswered(agents: readonly ListeningAgent[]): string | null {
  const own = acme.channels.filter(({ imUser, members }) => imUser === undefined && members.includes(DANA));
  const channel = own.find(({ id }) => serves(listening(agents, { channel: id as ChannelId, direct: false })));
  if (channel) return `#${channel.name}`;
  const [direct] = acme.channels.filter(({ imUser }) => imUser === DANA);
  const agent = direct && listening(agents, { channel: direct.id as ChannelId, direct: true });
  return serves(agent ?? null) ? 'a direct message' : null;
}

/** True where the agent answers Dana. */
function serves(agent: ListeningAgent | null): boolean {
  if (agent === null) return false;
  const hers = acme.groups.filter(({ users }) => users.includes(DANA)).map(({ id }) => id);
  return (
    agent.requesters?.some(({ users, groups }) => [...users, ...groups].some(id => [DANA, ...hers].includes(id))) ??
    true
  );
}
