/** Owns `npm run whois -- @sre '#approvals' dana@acme.dev`: the ids that `countersign.yaml` wants, behind names. */
import { z } from 'zod';
import { slackApi } from '../slack/clients.ts';
import type { SlackApi } from '../slack/api.ts';
import { vendorLogger } from '../slack/notes.ts';
import type { CliCommand } from './cli-command.ts';

const named = z.looseObject({
  id: z.string(),
  name: z.optional(z.string()),
  handle: z.optional(z.string()),
  real_name: z.optional(z.string()),
});
const lists = {
  groups: z.looseObject({ usergroups: z.array(named) }),
  channels: z.looseObject({ channels: z.array(named) }),
  users: z.looseObject({ members: z.array(named) }),
  user: z.looseObject({ user: named }),
};
const cursor = z.looseObject({ response_metadata: z.optional(z.looseObject({ next_cursor: z.optional(z.string()) })) });

/** Pages asked for at most; a workspace of 200,000 people. */
const MAX_PAGES = 200;

export const whois: CliCommand = async (environment, words) => {
  if (environment.slack.tokens === null) {
    console.error(
      'Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN first: whois asks your Slack. The embedded people are in docs/embedded-workspace.md.',
    );
    return 2;
  }
  if (words.length === 0) {
    console.error("Say whom: npm run whois -- @sre '#approvals' dana@acme.dev");
    return 2;
  }
  const logger = vendorLogger({ info: () => undefined, warn: () => undefined });
  const api = slackApi({ token: environment.slack.tokens.bot, apiUrl: environment.slack.apiUrl, logger });
  let missing = 0;
  for (const word of words) {
    const found = await find(api, word);
    if (found.length === 0) missing += 1;
    console.log(found.length === 0 ? `${word}  not found` : found.map(line => `${word}  ${line}`).join('\n'));
  }
  return missing === 0 ? 0 : 1;
};

async function find(api: SlackApi, word: string): Promise<string[]> {
  if (/^[^@#\s]+@\S+$/.test(word)) {
    const { user } = lists.user.parse(await ask(api, 'users.lookupByEmail', { email: word }));
    return [`${user.id}  ${user.real_name ?? user.name ?? ''}`];
  }
  const name = word.replace(/^[@#]/, '').toLowerCase();
  const isIt = (each: z.infer<typeof named>): boolean =>
    [each.id, each.name, each.handle, each.real_name].some(text => text?.toLowerCase() === name);
  if (word.startsWith('#')) {
    const channels = await paged(
      api,
      'conversations.list',
      { types: 'public_channel,private_channel', exclude_archived: true },
      data => lists.channels.parse(data).channels,
    );
    return channels.filter(isIt).map(each => `${each.id}  #${each.name ?? ''}`);
  }
  const { usergroups } = lists.groups.parse(await ask(api, 'usergroups.list', {}));
  const users = await paged(api, 'users.list', {}, data => lists.users.parse(data).members);
  return [
    ...usergroups.filter(isIt).map(each => `${each.id}  group @${each.handle ?? ''}`),
    ...users.filter(isIt).map(each => `${each.id}  ${each.real_name ?? each.name ?? ''}`),
  ];
}

async function paged<T>(api: SlackApi, method: string, args: object, read: (data: unknown) => T[]): Promise<T[]> {
  const all: T[] = [];
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const data = await ask(api, method, { ...args, limit: 200, ...(next === '' ? {} : { cursor: next }) });
    all.push(...read(data));
    next = cursor.parse(data).response_metadata?.next_cursor ?? '';
    if (next === '') break;
  }
  return all;
}

async function ask(api: SlackApi, method: string, args: object): Promise<unknown> {
  const answer = await api(method, { ...args });
  if (answer.is === 'ok') return answer.data;
  if (answer.is === 'refused')
    throw new Error(
      `Slack refuses ${method}: ${answer.code}.${answer.code === 'missing_scope' ? ' Add the scope, reinstall the app, and try again.' : ''}`,
    );
  throw new Error(`Slack did not answer ${method}. Try again in a minute.`);
}
