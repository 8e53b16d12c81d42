/**
 * Owns the environment: the only place that reads it. Names, defaults, and a sentence for every odd value, all at once. The
 * sentences never repeat a value that could be a secret. An empty value counts as absent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { httpAddress, oneLine, secretOf, slackAddress } from './values.ts';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What the program is told from outside. Null stands for what is absent: then the embedded part is used. */
export interface Environment {
  /** Null: 3000, or any free one. 0: any free one. */
  readonly port: number | null;
  readonly dataFolder: string;
  readonly policyFile: string;
  readonly projectRoot: string;
  /** Key for the snapshot's MAC and for fingerprints of masked values. */
  readonly key: string | null;
  readonly slack: {
    readonly tokens: { readonly bot: string; readonly app: string } | null;
    readonly apiUrl: string | null;
  };
  readonly model: { readonly apiKey: string; readonly baseUrl: string | null; readonly model: string | null } | null;
  readonly table: { readonly name: string; readonly endpoint: string | null; readonly region: string | null } | null;
  readonly logLevel: (typeof LEVELS)[number];
}

export type Variables = Readonly<Record<string, string | undefined>>;

const VARIABLES = {
  PORT: oneLine
    .regex(/^\d{1,5}$/, 'must be a port from 0 (any) to 65535')
    .transform(Number)
    .refine(port => port <= 65_535, 'must be a port from 0 (any) to 65535'),
  COUNTERSIGN_DATA: oneLine,
  COUNTERSIGN_CONFIG: oneLine,
  PROJECT_ROOT: oneLine,
  COUNTERSIGN_KEY: secretOf(/^\S{32,512}$/, 'must have 32 to 512 characters and no spaces'),
  SLACK_BOT_TOKEN: secretOf(/^xoxb-\S{1,300}$/, 'is not a bot token (xoxb-…)'),
  SLACK_APP_TOKEN: secretOf(/^xapp-\S{1,300}$/, 'is not an app-level token (xapp-…)'),
  SLACK_API_URL: slackAddress,
  OPENAI_API_KEY: secretOf(/^\S{1,500}$/, 'must be one word'),
  OPENAI_BASE_URL: httpAddress,
  OPENAI_MODEL: oneLine,
  DYNAMODB_TABLE: oneLine.regex(/^[A-Za-z0-9_.-]{3,255}$/, 'must have 3 to 255 letters, digits, _ . and -'),
  DYNAMODB_ENDPOINT: httpAddress,
  AWS_REGION: oneLine.regex(/^[a-z0-9-]{2,40}$/, 'must be a region such as eu-central-1'),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`),
} as const;
type Name = keyof typeof VARIABLES;
type Values = { readonly [N in Name]?: z.infer<(typeof VARIABLES)[N]> };

/** One is nothing without the other: `needs` is missing where `has` is set. */
const PAIRS: readonly (readonly [has: Name, needs: Name, why: string])[] = [
  ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'Slack needs both'],
  ['SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN', 'Slack needs both'],
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'a server that asks for no key takes any word'],
  ['DYNAMODB_ENDPOINT', 'DYNAMODB_TABLE', 'the table has to be named'],
];

/** Reads variables; every problem comes back at once, one sentence each. */
export function readEnvironment(variables: Variables): { ok: Environment } | { problems: string[] } {
  const { values, problems } = readValues(variables);
  for (const [has, needs, why] of PAIRS)
    if (variables[has] && !variables[needs]) problems.push(`${has} is set, but ${needs} is not: ${why}.`);
  for (const name of Object.keys(variables))
    if (name.startsWith('COUNTERSIGN_') && !Object.hasOwn(VARIABLES, name))
      problems.push(`${name} is not known; there are COUNTERSIGN_DATA, COUNTERSIGN_CONFIG and COUNTERSIGN_KEY.`);
  return problems.length > 0 ? { problems } : { ok: environmentOf(values) };
}

function readValues(variables: Variables): { values: Values; problems: string[] } {
  const values: Partial<Record<Name, unknown>> = {};
  const problems: string[] = [];
  for (const name of Object.keys(VARIABLES) as Name[]) {
    const text = variables[name];
    if (text === undefined || text === '') continue;
    const read = VARIABLES[name].safeParse(text);
    if (read.success) values[name] = read.data;
    else problems.push(`${name} ${read.error.issues[0]?.message ?? 'is odd'}.`);
  }
  return { values: values as Values, problems };
}

function environmentOf(values: Values): Environment {
  const dataFolder = values.COUNTERSIGN_DATA ?? '.countersign';
  const { SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app, OPENAI_API_KEY: apiKey, DYNAMODB_TABLE: table } = values;
  return {
    port: values.PORT ?? null,
    dataFolder,
    policyFile: values.COUNTERSIGN_CONFIG ?? 'countersign.yaml',
    projectRoot: values.PROJECT_ROOT ?? join(dataFolder, 'project'),
    key: values.COUNTERSIGN_KEY ?? null,
    slack: { tokens: bot && app ? { bot, app } : null, apiUrl: values.SLACK_API_URL ?? null },
    model: apiKey ? { apiKey, baseUrl: values.OPENAI_BASE_URL ?? null, model: values.OPENAI_MODEL ?? null } : null,
    table: table
      ? { name: table, endpoint: values.DYNAMODB_ENDPOINT ?? null, region: values.AWS_REGION ?? null }
      : null,
    logLevel: values.LOG_LEVEL ?? 'warn',
  };
}

/** Variables with those of a `.env` text behind them: what is set already wins, and an empty value there too. */
export const withDotEnv = (variables: Variables, text: string): Variables => ({ ...parseEnv(text), ...variables });

/** The variables of this process, with those of the file `.env` in `folder` where there is one. */
export function processVariables(folder = '.'): Variables {
  try {
    return withDotEnv(process.env, readFileSync(join(folder, '.env'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return process.env;
    throw new Error('.env is there, but cannot be read.', { cause: error });
  }
}

/** What `readEnvironment` says about this process; a `.env` that cannot be read is one of the problems. */
export function processEnvironment(folder = '.'): ReturnType<typeof readEnvironment> {
  try {
    return readEnvironment(processVariables(folder));
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}
