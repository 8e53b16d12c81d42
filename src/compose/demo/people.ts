/** Owns how the demo acts for people: through the embedded workspace's people's API, like the page. */
import { z } from 'zod';
import { messageLines } from './message-lines.ts';

const message = z.looseObject({
  ts: z.string(),
  text: z.optional(z.string()),
  user: z.optional(z.string()),
  blocks: z.optional(z.array(z.looseObject({ type: z.string() }))),
});
export type ShownMessage = z.infer<typeof message>;
const messages = z.object({ messages: z.array(message) });
const state = z.looseObject({
  users: z.array(z.looseObject({ id: z.string(), real_name: z.string() })),
  groups: z.array(z.looseObject({ id: z.string(), handle: z.string() })),
  channels: z.array(z.looseObject({ id: z.string(), name: z.optional(z.string()) })),
});
const views = z.object({ views: z.array(z.looseObject({ id: z.string(), callback_id: z.string() })) });
const said = z.object({ ts: z.string() });

interface Control {
  readonly action_id: string;
  readonly value?: string;
}
const controls = z.array(z.looseObject({ action_id: z.string(), value: z.exactOptional(z.string()) }));

/** Longest wait for anything to appear. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 60;
/** Characters in a line of the terminal, beside the margin. */
const WIDTH = 72;

/** The people of a running embedded workspace. */
export class DemoPeople {
  readonly #url: string;
  readonly #pause: (ms: number) => Promise<void>;
  #names: ReadonlyMap<string, string> = new Map();

  private constructor(url: string, pause: (ms: number) => Promise<void>) {
    this.#url = url;
    this.#pause = pause;
  }

  /** The people of the workspace at `url`, with everybody's names. */
  static async meet(url: string, pause: (ms: number) => Promise<void>): Promise<DemoPeople> {
    const people = new DemoPeople(url, pause);
    await people.#learnNames();
    return people;
  }

  async #learnNames(): Promise<void> {
    const { users, groups, channels } = state.parse(await this.#get('state'));
    this.#names = new Map([
      ...users.map(each => [each.id, each.real_name] as const),
      ...groups.map(each => [each.id, each.handle] as const),
      ...channels.map(each => [each.id, each.name ?? each.id] as const),
    ]);
  }

  async say(user: string, channel: string, text: string, thread?: string): Promise<string> {
    const sent = { user, channel, text, ...(thread === undefined ? {} : { thread_ts: thread }) };
    return said.parse(await this.#post('say', sent)).ts;
  }

  /** Clicks the control of a message by its action id. */
  async click(user: string, channel: string, shown: ShownMessage, actionId: string): Promise<void> {
    const control = controlsOf(shown).find(each => each.action_id === actionId);
    if (!control) throw new Error(`There is no ${actionId} on this message.`);
    await this.#post('click', {
      user,
      channel,
      ts: shown.ts,
      action_id: actionId,
      ...(control.value === undefined ? {} : { value: control.value }),
    });
  }

  /** Fills the form that is open for a person. */
  async submit(user: string, callbackId: string, values: Record<string, Record<string, string>>): Promise<void> {
    const open = await this.#until(async () => {
      const all = views.parse(await this.#get(`views?user=${user}`)).views;
      return all.find(view => view.callback_id === callbackId);
    }, 'the form');
    await this.#post('submit', { user, view_id: open.id, values });
  }

  /** The newest message that fits, once there is one. */
  async see(
    channel: string,
    thread: string | null,
    fits: (shown: ShownMessage) => boolean,
    what: string,
  ): Promise<ShownMessage> {
    const query = `messages?channel=${channel}${thread === null ? '' : `&thread_ts=${thread}`}`;
    return this.#until(async () => messages.parse(await this.#get(query)).messages.findLast(fits), what);
  }

  /** The private answer that a person got last, once there is one. */
  whisper(user: string): Promise<string> {
    return this.#until(async () => {
      const last = messages.parse(await this.#get(`ephemerals?user=${user}`)).messages.at(-1);
      return last && this.lines(last).join(' ');
    }, 'the private answer');
  }

  /** A message as it looks in a terminal. */
  lines(shown: ShownMessage): string[] {
    return messageLines(shown, id => this.#names.get(id) ?? id, WIDTH);
  }

  async #until<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
      const found = await look();
      if (found !== undefined) return found;
      await this.#pause(LOOK_EVERY_MS);
    }
    throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain for ${what}.`);
  }

  async #get(path: string): Promise<unknown> {
    return this.#answer(await fetch(`${this.#url}/human/${path}`));
  }

  async #post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return this.#answer(
      await fetch(`${this.#url}/human/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  }

  async #answer(response: Response): Promise<unknown> {
    const body: unknown = await response.json();
    if (response.ok) return body;
    throw new Error(z.looseObject({ error: z.string() }).safeParse(body).data?.error ?? `HTTP ${response.status}`);
  }
}

/** Every button of a message, in order. */
export const controlsOf = (shown: ShownMessage): Control[] =>
  (shown.blocks ?? []).flatMap(block =>
    block.type === 'actions' ? (controls.safeParse(block['elements']).data ?? []) : [],
  );
