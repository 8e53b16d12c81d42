/** Owns which Slack is spoken to: a real one, the embedded workspace of this process, or that of another one. */
import type { Environment } from '../config/environment.ts';
import { APP, EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../local/world.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { createSlackApp, type SlackApp, type SlackOptions } from '../slack/app.ts';
import type { SlackApi } from '../slack/api.ts';
import { slackApi } from '../slack/clients.ts';
import { lookAtChannel, type ChannelLook } from '../slack/findings.ts';
import { vendorLogger } from '../slack/notes.ts';
import type { ChannelId } from '../thread/ids.ts';
import type { Policy, Tools } from '../worker/ports.ts';
import { argumentShapes } from './argument-shapes.ts';
import type { Serving } from './serve.ts';
import { counted, type Side } from './start-lines.ts';

/** A Slack that can be called; `apiUrl` null: Slack itself. */
export interface SlackPlace {
  readonly tokens: { readonly bot: string; readonly app: string };
  readonly apiUrl: string | null;
  /** True for an embedded workspace, whoever serves it. */
  readonly embedded: boolean;
}

const EMBEDDED_TOKENS = { bot: EMBEDDED_BOT_TOKEN, app: EMBEDDED_APP_TOKEN };

/** Where Slack is by the environment; null: nowhere yet, so that this process serves an embedded workspace. */
export function slackPlace({ slack: { tokens, apiUrl } }: Pick<Environment, 'slack'>): SlackPlace | null {
  if (tokens === null) return apiUrl === null ? null : { tokens: EMBEDDED_TOKENS, apiUrl, embedded: true };
  return { tokens, apiUrl, embedded: tokens.bot === EMBEDDED_BOT_TOKEN };
}

/** The embedded workspace that answers at `url`. */
export const embeddedAt = (url: string): SlackPlace => ({
  tokens: EMBEDDED_TOKENS,
  apiUrl: `${url}/api/`,
  embedded: true,
});

/** A client for one of a place's tokens that keeps what it sees to itself. */
export const quietApi = ({ tokens, apiUrl }: SlackPlace, token: keyof SlackPlace['tokens'] = 'bot'): SlackApi =>
  slackApi({ token: tokens[token], apiUrl, logger: vendorLogger({ info: () => {}, warn: () => {} }) });

type Given = Pick<SlackOptions, 'writer' | 'clock' | 'notes' | 'tooManyConnections'> & {
  readonly file: PolicyFile;
  readonly policy: Policy;
  readonly tools: Pick<Tools, 'definitions'>;
  readonly secretsKey: string | Uint8Array;
};

/** Connects to Slack's Web API; no socket is opened yet. Throws a sentence for a token that Slack does not take. */
export const openSlack = ({ tokens, apiUrl }: SlackPlace, given: Given): Promise<SlackApp> =>
  createSlackApp({
    tokens,
    apiUrl,
    writer: given.writer,
    clock: given.clock,
    admins: given.policy.admins,
    context: {
      language: given.file.language,
      environment: given.file.environment,
      approvals: given.file.channels.approvals,
      operators: given.file.channels.operators,
      defaults: given.policy.defaults,
      secretsKey: given.secretsKey,
      argumentOrder: tool => [...shapesOf(given, tool).keys()],
      argumentShape: (tool, name) => shapesOf(given, tool).get(name),
    },
    ...(given.tooManyConnections ? { tooManyConnections: given.tooManyConnections } : {}),
    notes: given.notes,
  });

const shapesOf = ({ tools }: Pick<Given, 'tools'>, tool: string) =>
  argumentShapes(tools.definitions().find(each => each.tool === tool)?.definition);

/** What the start-up lines say of it, once its socket is open. */
export function slackSide(place: SlackPlace, { identity, health }: SlackApp, { workspace }: Serving): Side {
  if (!place.embedded) {
    const connections = counted(health.connections ?? 1, 'connection');
    const what = `${identity.teamName} (${identity.team}), @${identity.name}, Socket Mode, ${connections}`;
    return { embedded: false, what, hint: '' };
  }
  const people = workspace?.workspace.directory.people().filter(({ id }) => id !== APP.userId);
  const more = people ? `, ${people.length} people` : ` at ${new URL(place.apiUrl ?? '').origin}`;
  return {
    embedded: true,
    what: `workspace "${identity.teamName}"${more}`,
    hint: 'set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one',
  };
}

/** Where cards and operators' messages go: `#approvals (private, 12 members) · operators #ops-alerts`. */
export async function cardsLine(place: SlackPlace, { approvals, operators }: PolicyFile['channels']): Promise<string> {
  const api = quietApi(place);
  const look = async (id: ChannelId | null, otherwise: string, brief: boolean): Promise<string> =>
    id === null ? otherwise : channelWords(await lookAtChannel(api, id), brief);
  const cards = await look(approvals, 'the thread of whoever asks (no channels.approvals)', false);
  return `${cards} · operators ${await look(operators, 'nowhere (no channels.operators)', true)}`;
}

function channelWords({ name, isPrivate, members, problem }: ChannelLook, brief: boolean): string {
  if (problem !== null) return `${name} (✗ ${problem})`;
  if (brief) return name;
  return `${name} (${isPrivate ? 'private' : 'public'}${members === null ? '' : `, ${counted(members, 'member')}`})`;
}
