/** Owns which agent listens where. */
import type { ChannelId } from '../thread/ids.ts';
import type { ListeningAgent } from './normal-form.ts';

/** The agent of a place: in a channel the one that names it, else the one that names none; null when nobody listens there. */
export function listening(
  agents: readonly ListeningAgent[],
  { channel, direct }: { readonly channel: ChannelId; readonly direct: boolean },
): ListeningAgent | null {
  if (direct) return agents.find(({ dm }) => dm) ?? null;
  return (
    agents.find(({ channels }) => channels?.includes(channel)) ??
    agents.find(({ channels }) => channels === null) ??
    null
  );
}
