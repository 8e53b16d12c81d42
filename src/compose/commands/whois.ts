/**
 * Owns `npm run whois -- @sre '#approvals' "Dana Ito"`: the ids that `countersign.yaml` wants, behind names; of a channel
 * also which agent listens there by name.
 */
import { z } from 'zod';
import type { SlackApi } from '../../slack/api.ts';
import { CannotStart } from '../cannot-start.ts';
import { findSlack } from '../find-slack.ts';
import { readPolicy } from '../policy-side.ts';
import { quietApi } from '../slack-side.ts';
import type { Command } from './command.ts';
import { misused, oddIn, saidIn, usage } from './words.ts';

const name = z.optional(z.nullable(z.string()));
const named = z.looseObject({ id: z.string(), name, handle: name, real_name: name });
type Named = z.infer<typeof named>;
const lists = {
  groups: z.looseObject({ usergroups: z.array(named) }),
  channels: z.looseObject({ channels: z.array(named) }),
  users: z.looseObject({ members: z.array(named) }),
  user: z.looseObject({ user: named }),
};
const cursor = z.looseObject({ response_metadata: z.optional(z.looseObject({ next_cursor: z.optional(z.string()) })) });

/** Pages asked for at most; a workspace of 200,000 people. */
const MAX_PAGES = 1_000;
const PAGE = 200;

const USAGE = [
  `npm run whois -- @sre '#approvals' "Dana Ito"`,
  'Prints the ids behind names of groups, channels and people. Changes nothing.',
];

export const whois: Command = async ({ environment, words, terminal }) => {
  const said = saidIn(words);
  if (said.help) return usage(terminal.print, USAGE);
  const odd = oddIn(said, Infinity);
  if (odd !== null) return misused(terminal.complain, odd, USAGE);
  if (words.length === 0) {
    terminal.complain(`Say whom: npm run whois -- @sre '#approvals' "Dana Ito"`);
    return 2;
  }
  const place = findSlack(environment);
  if (place === null) {
    terminal.complain(
      'Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN to ask your Slack, or start the embedded workspace (npm start) to ask that.',
    );
    return 2;
  }
  const look = new Look(quietApi(place), listenersIn(environment.policyFile));
  let missing = 0;
  for (const word of words) {
    const found = await look.up(word);
    if (found.length === 0) missing += 1;
    if (found.length === 0) terminal.print(`${word}  not found${word.startsWith('#') ? PRIVATE : ''}`);
    for (const line of found) terminal.print(`${word}  ${line}`);
  }
  return missing === 0 ? 0 : 1;
};

const PRIVATE = ' (a private channel only shows once the app is invited)';

/** Agents by the channels that they name; none while the policy file is not right, which is what ids are looked up for. */
function listenersIn(policyFile: string): ReadonlyMap<string, string> {
  try {
    const { agents } = readPolicy(policyFile);
    return new Map(agents.flatMap(({ name, channels }) => (channels ?? []).map(channel => [channel, name])));
  } catch (error) {
    if (error instanceof CannotStart) return new Map();
    throw error;
  }
}

/** Looks names up; each list is read once. */
class Look {
  readonly #api: SlackApi;
  readonly #listeners: ReadonlyMap<string, string>;
  readonly #lists = new Map<string, Promise<readonly Named[]>>();

  constructor(api: SlackApi, listeners: ReadonlyMap<string, string>) {
    this.#api = api;
    this.#listeners = listeners;
  }

  /** Who or what has this name, id or address: `S0SRE0001  group @sre`. Throws CannotStart for what Slack refuses. */
  async up(word: string): Promise<string[]> {
    if (/^[^@#\s]+@\S+$/.test(word)) return this.#byAddress(word);
    const wanted = word.replace(/^[@#]/, '').toLowerCase();
    const isIt = (each: Named): boolean =>
      [each.id, each.name, each.handle, each.real_name].some(text => text?.toLowerCase() === wanted);
    const channels = async (): Promise<string[]> =>
      (await this.#channels()).filter(isIt).map(each => `${each.id}  #${each.name ?? ''}${this.#listening(each.id)}`);
    if (word.startsWith('#')) return channels();
    const groups = (await this.#groups()).filter(isIt).map(each => `${each.id}  group @${each.handle ?? ''}`);
    const users = (await this.#users()).filter(isIt).map(each => `${each.id}  ${each.real_name || (each.name ?? '')}`);
    const found = [...groups, ...users];
    return found.length > 0 || word.startsWith('@') ? found : channels();
  }

  #listening(channel: string): string {
    const agent = this.#listeners.get(channel);
    return agent === undefined ? '' : ` · ${agent} listens here`;
  }

  async #byAddress(email: string): Promise<string[]> {
    const answer = await this.#api('users.lookupByEmail', { email });
    const code = answer.is === 'refused' ? answer.code : null;
    if (code === 'users_not_found') return [];
    if (code === 'missing_scope' || code === 'unknown_method')
      throw new CannotStart([
        `${email} cannot be looked up: that takes the scope users:read.email, which the app does without.`,
        'Give a name instead: npm run whois -- "Dana Ito"',
      ]);
    const { user } = lists.user.parse(dataOf('users.lookupByEmail', answer));
    return [`${user.id}  ${user.real_name || (user.name ?? '')}`];
  }

  #channels(): Promise<readonly Named[]> {
    const which = { types: 'public_channel,private_channel', exclude_archived: true };
    return this.#all('conversations.list', which, data => lists.channels.parse(data).channels);
  }

  #groups(): Promise<readonly Named[]> {
    return this.#all('usergroups.list', {}, data => lists.groups.parse(data).usergroups);
  }

  #users(): Promise<readonly Named[]> {
    return this.#all('users.list', {}, data => lists.users.parse(data).members);
  }

  #all(method: string, which: object, read: (data: unknown) => Named[]): Promise<readonly Named[]> {
    const known = this.#lists.get(method) ?? this.#pages(method, which, read);
    this.#lists.set(method, known);
    return known;
  }

  async #pages(method: string, which: object, read: (data: unknown) => Named[]): Promise<Named[]> {
    const all: Named[] = [];
    let next = '';
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await this.#api(method, { ...which, limit: PAGE, ...(next === '' ? {} : { cursor: next }) });
      const data = dataOf(method, answer);
      all.push(...read(data));
      next = cursor.parse(data).response_metadata?.next_cursor ?? '';
      if (next === '') break;
    }
    return all;
  }
}

/** Which scope a list needs; our manifest has them all. */
const SCOPES: Readonly<Record<string, string>> = {
  'usergroups.list': 'usergroups:read',
  'users.list': 'users:read',
  'conversations.list': 'channels:read, groups:read',
};

/** What Slack answered. Throws CannotStart with what to do when it did not. */
function dataOf(method: string, answer: Awaited<ReturnType<SlackApi>>): unknown {
  if (answer.is === 'ok') return answer.data;
  if (answer.is === 'throttled')
    throw new CannotStart([`Slack wants a pause of ${Math.ceil(answer.retryAfterMs / 1000)} s. Try again after that.`]);
  if (answer.is === 'unknown') throw new CannotStart(['Slack did not answer. Try again in a minute.']);
  if (answer.code === 'missing_scope')
    throw new CannotStart([`The app lacks ${SCOPES[method] ?? 'a scope'}: add it, reinstall the app, and try again.`]);
  if (TOKEN_CODES.has(answer.code)) throw new CannotStart([`Slack does not take SLACK_BOT_TOKEN: ${answer.code}.`]);
  throw new CannotStart([`Slack refuses ${method}: ${answer.code}.`]);
}

const TOKEN_CODES = new Set(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired']);
