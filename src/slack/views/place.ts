/** Owns where a request's messages stand. */
import type { Message } from '../message.ts';
import type { Scene } from './scene.ts';

/** In the thread of whoever asked. */
const threadPlace = ({ thread }: Pick<Scene, 'thread'>): Extract<Message['place'], { channel: unknown }> => ({
  channel: thread.key.channel,
  threadTs: thread.key.ts,
});

/** Where a card goes: the rule's channel, the approvers' channel, or the requester's thread. */
export const cardPlace = (scene: Scene): Message['place'] => {
  const { context } = scene.pen;
  const channel =
    (scene.approval === null ? context.defaults.channel : scene.approval.terms.channel) ?? context.approvals;
  return channel === null ? threadPlace(scene) : { channel };
};
