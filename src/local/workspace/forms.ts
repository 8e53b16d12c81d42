/**
 * Forms (modals) and Home tabs as Slack keeps them: a stack of at most three forms for each person, one Home each, and a
 * hash that changes with every version so that a late update of an older version is refused.
 */
import type { JsonObject } from '../json.ts';
import { APP, TEAM } from '../world.ts';
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceClock, WorkspaceIds } from './time.ts';

/** A view as Slack returns it. */
export interface SlackView extends JsonObject {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly hash: string;
  readonly blocks: readonly JsonObject[];
  readonly root_view_id: string;
  readonly previous_view_id: string | null;
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly external_id: string;
  readonly notify_on_close: boolean;
}

/** A view's content as the app gives it, already checked. */
export type ViewContent = JsonObject & { readonly type: 'modal' | 'home'; readonly blocks: readonly JsonObject[] };

type Place = Pick<SlackView, 'id' | 'root_view_id' | 'previous_view_id'>;

export interface KeptView {
  readonly user: string;
  readonly view: SlackView;
}

export class Forms {
  readonly #views: Collection<KeptView>;
  /** Ids of the person's open forms, the one on top last. */
  readonly #stacks: Collection<readonly string[]>;
  readonly #homes: Collection<string>;
  readonly #clock: WorkspaceClock;
  readonly #ids: WorkspaceIds;

  constructor(storage: Storage, clock: WorkspaceClock, ids: WorkspaceIds) {
    this.#views = storage.collection<KeptView>('view');
    this.#stacks = storage.collection<readonly string[]>('stack');
    this.#homes = storage.collection<string>('home');
    this.#clock = clock;
    this.#ids = ids;
  }

  get(viewId: string): KeptView | undefined {
    return this.#views.get(viewId);
  }

  byExternalId(externalId: string): KeptView | undefined {
    return this.#views.list().find(one => one.view.external_id === externalId);
  }

  /** The person's open forms, the one on top last. */
  stack(user: string): SlackView[] {
    return (this.#stacks.get(user) ?? []).flatMap(id => this.#views.get(id)?.view ?? []);
  }

  /** Opens a form instead of whatever the person has open. */
  open(user: string, content: ViewContent): SlackView {
    this.clear(user);
    return this.#put(user, content, null);
  }

  /** Opens a form above the one on top. */
  push(user: string, content: ViewContent): SlackView {
    return this.#put(user, content, this.stack(user).at(-1) ?? null);
  }

  /** Gives a view new content under a new hash; it keeps its id and place. */
  update(kept: KeptView, content: ViewContent): SlackView {
    const { id, root_view_id, previous_view_id } = kept.view;
    const view = this.#describe(content, { id, root_view_id, previous_view_id });
    this.#views.put(id, { user: kept.user, view });
    return view;
  }

  /** Closes the form on top; the one below it shows again. */
  pop(user: string): void {
    const ids = this.#stacks.get(user) ?? [];
    const top = ids.at(-1);
    if (top !== undefined) this.#views.delete(top);
    this.#stacks.put(user, ids.slice(0, -1));
  }

  /** Closes all forms of the person. */
  clear(user: string): void {
    for (const id of this.#stacks.get(user) ?? []) this.#views.delete(id);
    this.#stacks.put(user, []);
  }

  home(user: string): SlackView | undefined {
    return this.#views.get(this.#homes.get(user) ?? '')?.view;
  }

  /** Publishes a person's Home. */
  publish(user: string, content: ViewContent): SlackView {
    const before = this.#views.get(this.#homes.get(user) ?? '');
    if (before) return this.update(before, content);
    const id = this.#newId();
    const view = this.#describe(content, { id, root_view_id: id, previous_view_id: null });
    this.#views.put(id, { user, view });
    this.#homes.put(user, id);
    return view;
  }

  #put(user: string, content: ViewContent, below: SlackView | null): SlackView {
    const id = this.#newId();
    const place = { id, root_view_id: below?.root_view_id ?? id, previous_view_id: below?.id ?? null };
    const view = this.#describe(content, place);
    this.#views.put(id, { user, view });
    this.#stacks.put(user, [...(this.#stacks.get(user) ?? []), id]);
    return view;
  }

  #newId(): string {
    return `V0${this.#ids.hex(10).toUpperCase()}`;
  }

  #describe(content: ViewContent, place: Place): SlackView {
    return {
      ...place,
      team_id: TEAM.id,
      title: content['title'] ?? { type: 'plain_text', text: 'View Title', emoji: true },
      submit: content['submit'] ?? null,
      close: content['close'] ?? null,
      type: content.type,
      blocks: content.blocks,
      callback_id: text(content['callback_id']),
      private_metadata: text(content['private_metadata']),
      external_id: text(content['external_id']),
      clear_on_close: content['clear_on_close'] === true,
      notify_on_close: content['notify_on_close'] === true,
      submit_disabled: false,
      state: { values: {} },
      hash: `${Math.floor(this.#clock.nowMs() / 1_000)}.${this.#ids.hex(8)}`,
      app_id: APP.id,
      app_installed_team_id: TEAM.id,
      bot_id: APP.botId,
    };
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
