/** Owns which Slack is spoken to: the one whose tokens are set, or the embedded workspace. */
import type { Environment } from '../config/environment.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../local/world.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { createSlackApp, type SlackApp, type SlackOptions } from '../slack/app.ts';
import type { Policy, Tools } from '../worker/ports.ts';
import type { Side } from './start-lines.ts';

type Given = Pick<SlackOptions, 'writer' | 'clock' | 'notes'> & {
  readonly file: PolicyFile;
  readonly policy: Policy;
  readonly tools: Pick<Tools, 'definitions'>;
  readonly secretsKey: string | Uint8Array;
  /** Where this process serves the embedded workspace; null when it serves none. */
  readonly embeddedUrl: string | null;
  readonly tooManyConnections?: (count: number | null) => void;
};

/** Connects to Slack's Web API; no socket is opened yet. Throws a sentence for a token that Slack does not take. */
export const openSlack = ({ slack }: Environment, given: Given): Promise<SlackApp> =>
  createSlackApp({
    tokens: slack.tokens ?? { bot: EMBEDDED_BOT_TOKEN, app: EMBEDDED_APP_TOKEN },
    apiUrl: slack.apiUrl ?? (given.embeddedUrl === null ? null : `${given.embeddedUrl}/api/`),
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
      argumentOrder: tool => argumentNames(given.tools.definitions().find(each => each.tool === tool)?.definition),
    },
    ...(given.tooManyConnections ? { tooManyConnections: given.tooManyConnections } : {}),
    notes: given.notes,
  });

/** The names of a tool's arguments, in the order of its schema. */
function argumentNames(definition: unknown): string[] {
  const properties = objectIn(objectIn(definition, 'parameters'), 'properties');
  return properties === undefined ? [] : Object.keys(properties);
}

function objectIn(value: unknown, name: string): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof found === 'object' && found !== null ? found : undefined;
}

/** What the start-up lines say of it. */
export function slackSide({ slack }: Environment, { identity }: SlackApp): Side {
  if (slack.tokens !== null)
    return {
      embedded: false,
      what: `${identity.teamName} (${identity.team}), @${identity.name}, Socket Mode, 1 connection`,
      hint: '',
    };
  return {
    embedded: true,
    what: `workspace "${identity.teamName}", 9 people`,
    hint: 'set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one',
  };
}

/** Where cards and operators' messages go, for a real Slack. */
export async function cardsLine(slack: SlackApp): Promise<string> {
  const findings = await slack.findings();
  return findings
    .filter(finding => finding.about !== 'scopes')
    .map(finding => `${finding.about} (${finding.says})`)
    .join(' · ');
}
