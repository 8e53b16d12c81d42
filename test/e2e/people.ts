/** What people do and see in these tests: the embedded workspace's documented people's API, over HTTP, as the page uses it. */
import { z } from 'zod';

export const DANA = 'U0DANA001';
export const MIA = 'U0MIA0001';
export const LEO = 'U0LEO0001';
export const ANA = 'U0ANA0001';
export const NOOR = 'U0NOOR001';
export const OTTO = 'U0OTTO001';
export const GUS = 'U0GUS0001';
export const PETRA = 'U0PETRA01';
export const DEE = 'U0DEE0001';
export const BOT = 'U0BOT0001';
export const GENERAL = 'C0GENERAL';
export const OPS = 'C0OPS0001';
export const APPROVALS = 'C0APPROV1';
export const ALERTS = 'C0OPSALRT';
export const DANAS_DM = 'D0DANA001';

const block = z.looseObject({ type: z.string() });
const shownMessage = z.looseObject({
  ts: z.string(),
  user: z.exactOptional(z.string()),
  text: z.exactOptional(z.string()),
  thread_ts: z.exactOptional(z.string()),
  channel: z.exactOptional(z.string()),
  blocks: z.exactOptional(z.array(block)),
  reactions: z.exactOptional(z.array(z.looseObject({ name: z.string() }))),
});
/** A message as Slack's clients have it. */
export type Shown = z.infer<typeof shownMessage>;
const shownView = z.looseObject({ id: z.string(), callback_id: z.string(), blocks: z.array(block) });
export type ShownView = z.infer<typeof shownView>;

const messages = z.object({ messages: z.array(shownMessage) });
const views = z.object({ views: z.array(shownView) });
const element = z.looseObject({ action_id: z.string(), value: z.exactOptional(z.string()) });

/** Longest wait for anything, and how often it is looked for. */
const PATIENCE_MS = 40_000;
const LOOK_EVERY_MS = 30;

/** Looks again and again until there is something; throws when that takes too long, with what was seen last. */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  { patienceMs = PATIENCE_MS, seen = () => '' as string | Promise<string> } = {},
): Promise<T> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadlineMs)
      throw new Error(`Waited ${patienceMs / 1000} s in vain for ${what}.\n${await seen()}`);
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Everything that can be read on a message or form, in order, mentions as ids. */
export function wordsOf(shown: {
  readonly blocks?: readonly unknown[] | undefined;
  readonly text?: string | undefined;
}): string {
  const words = wordsIn(shown.blocks ?? []);
  return words === '' ? (shown.text ?? '') : words;
}

const WORDS = ['text', 'user_id', 'url', 'fallback', 'usergroup_id'];

/** The pieces of one paragraph follow each other as they are; whatever else stands side by side is apart. */
function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return joined(value.map(wordsIn), ' ');
  if (typeof value !== 'object' || value === null) return '';
  const type = 'type' in value ? String(value.type) : '';
  if (
    type.startsWith('rich_text_') &&
    type !== 'rich_text_list' &&
    'elements' in value &&
    Array.isArray(value.elements)
  )
    return joined(value.elements.map(wordsIn), '');
  const parts = Object.entries(value).map(([key, inner]) =>
    typeof inner === 'string' ? (WORDS.includes(key) ? inner : '') : wordsIn(inner),
  );
  return joined(parts, ' ');
}

const joined = (parts: readonly string[], by: string): string => parts.filter(part => part !== '').join(by);

/** The action ids of the buttons on a message. */
export const controlsOn = (shown: Shown): string[] => buttonsOn(shown).map(button => button.action_id);

const buttonsOn = (shown: Shown): z.infer<typeof element>[] =>
  (shown.blocks ?? []).flatMap(one => (one.type === 'actions' ? z.array(element).parse(one['elements']) : []));

const headerOf = (shown: Shown): string => wordsOf({ blocks: shown.blocks?.filter(one => one.type === 'header') });

export class People {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Writes a message; returns its timestamp. */
  async say(user: string, channel: string, text: string, thread?: string): Promise<string> {
    const body = { user, channel, text, ...(thread === undefined ? {} : { thread_ts: thread }) };
    return z.looseObject({ ts: z.string() }).parse(await this.#post('say', body)).ts;
  }

  /** Presses a button as it stands on this message; throws when it is not there any more. */
  async click(user: string, channel: string, shown: Shown, actionId: string): Promise<void> {
    const button = buttonsOn(shown).find(one => one.action_id === actionId);
    if (!button) throw new Error(`There is no button ${actionId}, only: ${controlsOn(shown).join(', ')}.`);
    const { value } = button;
    await this.#post('click', { user, channel, ts: shown.ts, action_id: actionId, ...(value ? { value } : {}) });
  }

  /** Types a command in a channel. */
  async command(user: string, channel: string, text: string): Promise<void> {
    await this.#post('command', { user, channel, command: '/countersign', text });
  }

  /** Fills in the form that is open for a person, once it is. */
  async submit(user: string, callbackId: string, values: Record<string, Record<string, string>>): Promise<void> {
    const form = await this.form(user, callbackId);
    await this.#post('submit', { user, view_id: form.id, values });
  }

  /** The form on top for a person, once it is this one. */
  form(user: string, callbackId: string): Promise<ShownView> {
    let last: readonly ShownView[] = [];
    return until(
      `the form ${callbackId}`,
      async () => {
        last = views.parse(await this.#get(`views?user=${user}`)).views;
        return last.find(view => view.callback_id === callbackId);
      },
      { seen: () => last.map(view => `${view.callback_id}: ${wordsOf(view)}`).join('\n') },
    );
  }

  /** What stands in a channel, or in a thread with its root, oldest first. */
  async messages(channel: string, thread?: string): Promise<Shown[]> {
    const query = `messages?channel=${channel}${thread === undefined ? '' : `&thread_ts=${thread}`}`;
    return messages.parse(await this.#get(query)).messages;
  }

  /** The newest message that fits, once there is one. */
  see(what: string, channel: string, thread: string | undefined, fits: (shown: Shown) => boolean): Promise<Shown> {
    return until(what, async () => (await this.messages(channel, thread)).findLast(fits), {
      seen: async () =>
        (await this.messages(channel, thread)).map(one => `[${one.user} ${one.ts}] ${wordsOf(one)}`).join('\n'),
    });
  }

  /** The newest card whose header holds this, once it stands there (with these buttons, if any are named). */
  card(header: string, ...buttons: readonly string[]): Promise<Shown> {
    return this.see(`the card “${header}” with [${buttons.join(', ')}]`, APPROVALS, undefined, shown => {
      const on = controlsOn(shown);
      return headerOf(shown).includes(header) && buttons.every(one => on.includes(one));
    });
  }

  /** The cards whose header holds this. */
  async cards(header: string): Promise<Shown[]> {
    return (await this.messages(APPROVALS)).filter(shown => headerOf(shown).includes(header));
  }

  /** This very message in another state: every one of these words is on it. */
  turned(channel: string, before: Shown, ...words: readonly string[]): Promise<Shown> {
    return this.see(`the message to say ${words.join(', ')}`, channel, before.thread_ts, shown => {
      const all = wordsOf(shown);
      return shown.ts === before.ts && words.every(word => all.includes(word));
    });
  }

  /** A message of the app in a thread with all of these words, once it is there. */
  reads(channel: string, thread: string, ...words: readonly string[]): Promise<Shown> {
    return this.see(`the app to write ${words.join(', ')}`, channel, thread, shown => {
      const all = wordsOf(shown);
      return shown.user === BOT && words.every(word => all.includes(word));
    });
  }

  /** What the app told a person privately so far, oldest first. */
  async whispers(user: string): Promise<string[]> {
    const all = messages.parse(await this.#get(`ephemerals?user=${user}`)).messages;
    return all.map(wordsOf);
  }

  /** A private answer with these words, once it is there. */
  hears(user: string, words: string): Promise<string> {
    return until(
      `${user} to be told “${words}”`,
      async () => (await this.whispers(user)).find(one => one.includes(words)),
      {
        seen: async () => (await this.whispers(user)).join('\n'),
      },
    );
  }

  /** Changes a message of theirs, or takes it back. */
  async correct(how: 'edit' | 'delete', message: object): Promise<void> {
    await this.#post(how, message);
  }

  /** Changes somebody of the cast. */
  async arrange(what: 'person' | 'group' | 'member', body: object): Promise<void> {
    await this.#post(what, body);
  }

  async #get(path: string): Promise<unknown> {
    return answerOf(await fetch(`${this.#url}/human/${path}`));
  }

  async #post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return answerOf(await fetch(`${this.#url}/human/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  }
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (response.ok) return body;
  throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
}
