import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { processVariables, readEnvironment, type Variables, withDotEnv } from '../../src/config/environment.ts';

const right = (variables: Variables) => {
  const read = readEnvironment(variables);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.ok;
};
const problems = (variables: Variables): string[] => {
  const read = readEnvironment(variables);
  return 'problems' in read ? read.problems : [];
};

describe('the environment', () => {
  test('nothing has to be set: then everything is embedded', () => {
    expect(right({})).toEqual({
      port: null,
      dataFolder: '.countersign',
      policyFile: 'countersign.yaml',
      projectRoot: join('.countersign', 'project'),
      key: null,
      slack: { tokens: null, apiUrl: null },
      model: null,
      table: null,
      logLevel: 'warn',
    });
  });

  test('everything can be set', () => {
    const key = 'k'.repeat(32);
    expect(
      right({
        PORT: '0',
        COUNTERSIGN_DATA: '/var/lib/countersign',
        COUNTERSIGN_CONFIG: 'ops.yaml',
        PROJECT_ROOT: '/srv/project',
        COUNTERSIGN_KEY: key,
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_APP_TOKEN: 'xapp-1',
        SLACK_API_URL: 'http://127.0.0.1:3000/api/',
        OPENAI_API_KEY: 'ollama',
        OPENAI_BASE_URL: 'http://models.internal:11434/v1',
        OPENAI_MODEL: 'gpt-5.2',
        DYNAMODB_TABLE: 'countersign-prod',
        DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
        AWS_REGION: 'eu-central-1',
        LOG_LEVEL: 'debug',
      }),
    ).toEqual({
      port: 0,
      dataFolder: '/var/lib/countersign',
      policyFile: 'ops.yaml',
      projectRoot: '/srv/project',
      key,
      slack: { tokens: { bot: 'xoxb-1', app: 'xapp-1' }, apiUrl: 'http://127.0.0.1:3000/api/' },
      model: { apiKey: 'ollama', baseUrl: 'http://models.internal:11434/v1', model: 'gpt-5.2' },
      table: { name: 'countersign-prod', endpoint: 'http://127.0.0.1:8000', region: 'eu-central-1' },
      logLevel: 'debug',
    });
  });

  test('the project lies in the data folder unless it is named, and an empty value counts as absent', () => {
    expect(right({ COUNTERSIGN_DATA: '/data', PROJECT_ROOT: '', SLACK_BOT_TOKEN: '', PORT: '' })).toMatchObject({
      port: null,
      projectRoot: join('/data', 'project'),
      slack: { tokens: null },
    });
  });

  test('every problem is told at once', () => {
    expect(
      problems({
        PORT: 'eighty',
        LOG_LEVEL: 'loud',
        DYNAMODB_TABLE: 'x',
        AWS_REGION: 'Frankfurt',
        OPENAI_MODEL: ' gpt',
      }),
    ).toEqual([
      'PORT must be a port from 0 (any) to 65535.',
      'OPENAI_MODEL begins or ends with a space.',
      'DYNAMODB_TABLE must have 3 to 255 letters, digits, _ . and -.',
      'AWS_REGION must be a region such as eu-central-1.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    ]);
  });

  test.each(['65536', '-1', '80.5', '0x50', '1e3', ' 80', '80 ', '３０００'])('PORT=%j is refused', port => {
    expect(problems({ PORT: port })).toHaveLength(1);
  });

  test('half of a pair is a problem [S-15]', () => {
    expect(problems({ SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([
      'SLACK_BOT_TOKEN is set, but SLACK_APP_TOKEN is not: Slack needs both.',
    ]);
    expect(problems({ SLACK_APP_TOKEN: 'xapp-1' })).toEqual([
      'SLACK_APP_TOKEN is set, but SLACK_BOT_TOKEN is not: Slack needs both.',
    ]);
    expect(problems({ OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' })[0]).toContain('OPENAI_API_KEY is not');
    expect(problems({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' })[0]).toContain('DYNAMODB_TABLE is not');
  });

  test('a sentence never repeats a value, so that no secret is told', () => {
    const secret = 'hunter2hunter2';
    const found = problems({
      SLACK_BOT_TOKEN: `xapp-${secret}`,
      SLACK_APP_TOKEN: secret,
      COUNTERSIGN_KEY: secret,
      OPENAI_API_KEY: `${secret} ${secret}`,
      OPENAI_BASE_URL: `http://me:${secret}@example.com/`,
      DYNAMODB_ENDPOINT: secret,
      DYNAMODB_TABLE: `${secret} x`,
      SLACK_API_URL: `ftp://${secret}`,
      COUNTERSIGN_DATA: `a\u{7}${secret}`,
    });
    expect(found).toHaveLength(9);
    expect(found.join('\n')).not.toContain(secret);
  });

  test("Slack's tokens go in clear text only to this machine", () => {
    expect(problems({ SLACK_API_URL: 'http://slack.example/api/' })).toEqual([
      'SLACK_API_URL must be https:// unless it is on this machine.',
    ]);
    expect(problems({ SLACK_API_URL: 'http://127.0.0.1.example.com/api/' })).toHaveLength(1);
    for (const url of [
      'http://127.0.0.1:1/api/',
      'http://localhost:1/',
      'http://[::1]:1/',
      'https://slack.example/api/',
    ])
      expect(problems({ SLACK_API_URL: url }), url).toEqual([]);
  });

  test('a misspelt name of ours is refused, so that no other policy file is used than the one that was meant', () => {
    expect(problems({ COUNTERSIGN_CONFG: 'strict.yaml' })).toEqual([
      'COUNTERSIGN_CONFG is not known; there are COUNTERSIGN_DATA, COUNTERSIGN_CONFIG and COUNTERSIGN_KEY.',
    ]);
  });
});

describe('the file .env', () => {
  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach(folder => rmSync(folder, { recursive: true })));
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'countersign-'));
    folders.push(made);
    return made;
  };

  test('it fills in what is not set, and what is set wins', () => {
    expect(withDotEnv({ PORT: '1', LOG_LEVEL: '' }, 'PORT=2\nLOG_LEVEL=debug\nOPENAI_MODEL="a b" # c\n')).toEqual({
      PORT: '1',
      LOG_LEVEL: '',
      OPENAI_MODEL: 'a b',
    });
  });

  test('it is read where it is there', () => {
    const made = folder();
    expect(processVariables(made)['COUNTERSIGN_TEST_ONLY']).toBeUndefined();
    writeFileSync(join(made, '.env'), 'COUNTERSIGN_TEST_ONLY=yes\n');
    expect(processVariables(made)['COUNTERSIGN_TEST_ONLY']).toBe('yes');
  });

  test('the example names every variable, sets none, and is right as it is', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const variables = parseEnv(example);
    expect(problems(variables)).toEqual([]);
    expect(right(variables)).toEqual(right({}));
    expect(Object.keys(variables).sort()).toEqual([
      'AWS_REGION',
      'COUNTERSIGN_CONFIG',
      'COUNTERSIGN_DATA',
      'COUNTERSIGN_KEY',
      'DYNAMODB_ENDPOINT',
      'DYNAMODB_TABLE',
      'LOG_LEVEL',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'OPENAI_MODEL',
      'PORT',
      'PROJECT_ROOT',
      'SLACK_API_URL',
      'SLACK_APP_TOKEN',
      'SLACK_BOT_TOKEN',
    ]);
  });
});
