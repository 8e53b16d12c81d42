/** Streams of the fake Slack: as Slack documents them, with their end at five minutes. */
import type { FakeMessage } from './fake-slack.ts';

type Args = Readonly<Record<string, unknown>>;
type Method = (args: Args) => string | Readonly<Record<string, unknown>>;

const LIVES_MS = 5 * 60_000;

/** What the streams need of the fake around them. */
interface Around {
  readonly nowMs: () => number;
  readonly add: (message: { channel: string; text: string; thread_ts: string; streaming_state: string }) => FakeMessage;
  readonly find: (args: Args) => FakeMessage | undefined;
  readonly remove: (message: FakeMessage) => void;
}

const startedMs = (message: FakeMessage): number => Math.floor(Number(message.ts)) * 1_000;

const textOf = ({ markdown_text: text }: Args): string => (typeof text === 'string' ? text : '');

/** True while text can be appended to a message. */
export const isLiveStream = (message: FakeMessage, nowMs: number): boolean =>
  message.streaming_state === 'in_progress' && nowMs - startedMs(message) <= LIVES_MS;

export function streamMethods({ nowMs, add, find, remove }: Around): Readonly<Record<string, Method>> {
  const live = (args: Args): FakeMessage | string => {
    const message = find(args);
    if (!message) return 'message_not_found';
    if (isLiveStream(message, nowMs())) return message;
    return message.stopped_by_user === true ? 'stopped_by_user' : 'message_not_in_streaming_state';
  };
  return {
    'chat.startStream': args => {
      const channel = String(args['channel']);
      if (typeof args['thread_ts'] !== 'string') return 'invalid_arguments';
      if (!channel.startsWith('D') && !args['recipient_team_id']) return 'missing_recipient_team_id';
      if (!channel.startsWith('D') && !args['recipient_user_id']) return 'missing_recipient_user_id';
      const text = textOf(args);
      const message = add({ channel, text, thread_ts: args['thread_ts'], streaming_state: 'in_progress' });
      return { channel, ts: message.ts };
    },
    'chat.appendStream': args => {
      const message = live(args);
      if (typeof message === 'string') return message;
      if (textOf(args) === '') return 'no_text';
      message.text += textOf(args);
      return { channel: message.channel, ts: message.ts };
    },
    'chat.stopStream': args => {
      const message = live(args);
      if (typeof message === 'string') return message;
      message.streaming_state = 'completed';
      if (args['metadata'] !== undefined) message.metadata = args['metadata'];
      return { channel: message.channel, ts: message.ts };
    },
    'chat.delete': args => {
      const message = find(args);
      if (!message) return 'message_not_found';
      if (message.bot_id === undefined) return 'cant_delete_message';
      remove(message);
      return { channel: message.channel, ts: message.ts };
    },
  };
}
