/** Owns the calls to `/human/*`. A refused call becomes an `ActionError` whose message is a sentence for the person. */
import type { Press } from './blocks/host.ts';
import type { Folds, Message, OpenViews, Submitted, ThreadLog, Workspace } from './wire.ts';

/** A call that was refused or got no answer; the message is fit to be shown. */
export class ActionError extends Error {}

const AWAY = 'The workspace does not answer. Nothing was sent; try again in a moment.';

/** Who acts, and on which message or view. */
export type ClickTarget = { channel: string; ts: string } | { view_id: string; values?: FormValues };

/** What was typed or chosen in a form, by block and action. */
export type FormValues = Record<string, Record<string, string>>;

/** The people's side of the embedded workspace, one function per call. */
export const api = {
  state: (): Promise<Workspace> => get('state', {}),
  messages: async (channel: string, thread?: string): Promise<Message[]> => {
    const answer = await get<{ messages: Message[] }>('messages', {
      channel,
      ...(thread ? { thread_ts: thread } : {}),
    });
    return answer.messages;
  },
  ephemerals: async (user: string): Promise<Message[]> =>
    (await get<{ messages: Message[] }>('ephemerals', { user })).messages,
  views: (user: string): Promise<OpenViews> => get('views', { user }),
  say: (user: string, channel: string, text: string, thread?: string): Promise<{ ts: string }> =>
    post('say', { user, channel, text, ...(thread ? { thread_ts: thread } : {}) }),
  click: (user: string, target: ClickTarget, press: Press): Promise<unknown> =>
    post('click', { user, ...target, block_id: press.blockId, action_id: press.actionId, value: press.value }),
  submit: (user: string, view: string, values: FormValues): Promise<Submitted> =>
    post('submit', { user, view_id: view, values }),
  close: (user: string, view: string): Promise<unknown> => post('close', { user, view_id: view }),
  command: (user: string, channel: string, command: string, text: string): Promise<unknown> =>
    post('command', { user, channel, command, text }),
  edit: (user: string, channel: string, ts: string, text: string): Promise<unknown> =>
    post('edit', { user, channel, ts, text }),
  remove: (user: string, channel: string, ts: string): Promise<unknown> => post('delete', { user, channel, ts }),
  stop: (user: string, channel: string, thread: string): Promise<unknown> =>
    post('stop', { user, channel, thread_ts: thread }),
  shortcut: (user: string, channel: string, ts: string, callback: string): Promise<unknown> =>
    post('shortcut', { user, channel, ts, callback_id: callback }),
  home: (user: string, tab: 'home' | 'messages'): Promise<unknown> => post('home', { user, tab }),
  log: (channel: string, thread: string): Promise<ThreadLog> => get('log', { channel, ts: thread }),
  folds: (channel: string, thread: string, number: number): Promise<Folds> =>
    get('log', { channel, ts: thread, number: String(number) }),
  file: async (address: string): Promise<string> => {
    const response = await fetch(address).catch(() => undefined);
    if (!response?.ok) throw new ActionError('The file cannot be read.');
    return response.text();
  },
  read: (user: string, channel: string, ts: string): Promise<unknown> => post('read', { user, channel, ts }),
};

function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const search = new URLSearchParams(query).toString();
  return call<T>(`/human/${path}${search === '' ? '' : `?${search}`}`, {});
}

function post<T>(path: string, body: object): Promise<T> {
  return call<T>(`/human/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function call<T>(address: string, options: RequestInit): Promise<T> {
  const response = await fetch(address, options).catch(() => undefined);
  if (response === undefined) throw new ActionError(AWAY);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ActionError(refusal(answer) ?? `The workspace refused this (${response.status}).`);
  return (answer ?? {}) as T;
}

function refusal(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined;
  return typeof answer.error === 'string' && answer.error !== '' ? answer.error : undefined;
}
