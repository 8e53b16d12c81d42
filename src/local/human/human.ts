/** `/human/*`: people's side, used by the page and by tests. Documented in `docs/embedded-workspace.md`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, HttpRefusal, readJsonObject } from '../http.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { click, command, home, read, say, shortcut, stop } from './act.ts';
import type { Scene } from './act.ts';
import { arrangeGroup, arrangeMember, arrangePerson } from './arrange.ts';
import { edit, remove } from './correct.ts';
import { streamEvents } from './events.ts';
import { seeLog } from './log.ts';
import type { Inspect } from '../inspect/inspect.ts';
import { close, submit } from './forms.ts';
import { seeEphemerals, seeMessages, seeState, seeViews } from './look.ts';

type Look = (workspace: Workspace, query: URLSearchParams) => JsonObject;
type Act = (scene: Scene, body: JsonObject) => JsonObject | Promise<JsonObject>;

const LOOKS: ReadonlyMap<string, Look> = new Map(
  Object.entries({ state: seeState, messages: seeMessages, ephemerals: seeEphemerals, views: seeViews }),
);
const ACTS: ReadonlyMap<string, Act> = new Map(
  Object.entries({
    say,
    edit,
    delete: remove,
    read,
    click,
    command,
    shortcut,
    home,
    stop,
    submit,
    close,
    person: arrangePerson,
    group: arrangeGroup,
    member: arrangeMember,
  }),
);
const EVENTS = 'events';
const LOG = 'log';

/** Every call of people's side, as `GET name` or `POST name`. */
export const HUMAN_CALLS: readonly string[] = [
  ...[...LOOKS.keys(), EVENTS, LOG].map(name => `GET ${name}`),
  ...[...ACTS.keys()].map(name => `POST ${name}`),
];

export class HumanSide {
  readonly #workspace: Workspace;
  readonly #url: () => string;
  readonly #inspect: Inspect | undefined;
  readonly #streams = new Set<() => void>();

  /** `inspect` is there when this process has the threads' logs. */
  constructor(workspace: Workspace, url: () => string, inspect?: Inspect) {
    this.#workspace = workspace;
    this.#url = url;
    this.#inspect = inspect;
  }

  /** Answers one request for `/human/<name>`. */
  async handle(
    name: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method === 'GET' && name === EVENTS) return this.#stream(request, response, query);
    if (request.method === 'GET' && name === LOG)
      return answerJson(response, 200, await seeLog(this.#workspace, this.#inspect, query));
    const look = request.method === 'GET' ? LOOKS.get(name) : undefined;
    if (look) return answerJson(response, 200, this.#seen(name, look(this.#workspace, query)));
    const act = request.method === 'POST' ? ACTS.get(name) : undefined;
    if (!act) throw new HttpRefusal(404, `There is no ${request.method ?? 'such'} /human/${name}.`);
    const body = await readJsonObject(request);
    const scene = { workspace: this.#workspace, url: this.#url() };
    // An act that does not wait for the app is one change: all of it or nothing.
    const outcome = await this.#workspace.storage.transaction(() => act(scene, body));
    answerJson(response, 200, outcome);
  }

  /** The state also says whether the inspector can be opened. */
  #seen(name: string, answer: JsonObject): JsonObject {
    return name === 'state' ? { ...answer, inspector: this.#inspect !== undefined } : answer;
  }

  /** Ends all event streams. */
  close(): void {
    for (const end of this.#streams) end();
  }

  #stream(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const end = streamEvents(this.#workspace, request, response, query);
    this.#streams.add(end);
    response.on('close', () => this.#streams.delete(end));
  }
}
