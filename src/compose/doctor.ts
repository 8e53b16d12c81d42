/** Owns `npm run doctor`: every piece checked, a line each; exit code 1 if something keeps the program from its work. */
import { systemClock, systemFresh } from './clock.ts';
import type { CliCommand } from './cli-command.ts';
import type { Environment } from '../config/environment.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { createPolicy } from '../policy/policy.ts';
import { idlePatterns, policyLine } from '../policy/static-verdict.ts';
import type { SlackApp } from '../slack/app.ts';
import { slackApi } from '../slack/clients.ts';
import { socketFinding, type Finding } from '../slack/findings.ts';
import { vendorLogger } from '../slack/notes.ts';
import { tableState } from '../store/table.ts';
import { createTools } from '../tools/create-tools.ts';
import type { UserId, WriterId } from '../thread/ids.ts';
import { openModel } from './model-side.ts';
import { CannotStart, readPolicy } from './policy-side.ts';
import { openSlack } from './slack-side.ts';
import { tableClient } from './table-side.ts';

const quiet = { info: () => undefined, warn: () => undefined };
const SIGNS = { good: '✓', odd: '!', bad: '✗' } as const;

const good = (about: string, says: string): Finding => ({ level: 'good', about, says });
const bad = (about: string, says: string): Finding => ({ level: 'bad', about, says });
const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const doctor: CliCommand = async environment => {
  const findings: Finding[] = [good('node', process.versions.node)];
  const file = policyOf(environment, findings);
  if (file) findings.push(...(await slackFindings(environment, file)));
  findings.push(await modelFinding(environment), ...(await tableFindings(environment)));
  for (const { level, about, says } of findings) console.log(`${SIGNS[level]} ${about.padEnd(10)} ${says}`);
  return findings.some(finding => finding.level === 'bad') ? 1 : 0;
};

function policyOf(environment: Environment, findings: Finding[]): PolicyFile | undefined {
  try {
    const file = readPolicy(environment.policyFile);
    const tools = createTools({ projectRoot: '.', language: file.language, clock: systemClock });
    const names = tools.definitions().map(each => each.tool);
    findings.push(good('policy', policyLine(file, names)));
    for (const note of [...file.notes, ...idlePatterns(file, names)])
      findings.push({ level: 'odd', about: 'policy', says: note });
    return file;
  } catch (error) {
    for (const line of error instanceof CannotStart ? error.lines : [sentence(error)])
      findings.push(bad('policy', line));
    return undefined;
  }
}

async function slackFindings(environment: Environment, file: PolicyFile): Promise<Finding[]> {
  const { tokens, apiUrl } = environment.slack;
  if (tokens === null) return [good('Slack', 'embedded: set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one')];
  const policy = createPolicy(file, { onConditionError: () => undefined });
  try {
    const slack = await openSlack(environment, {
      file,
      policy,
      tools: { definitions: () => [] },
      writer: 'doctor/0' as WriterId,
      clock: systemClock,
      secretsKey: systemFresh(),
      embeddedUrl: null,
      notes: quiet,
    });
    const { teamName, team, name } = slack.identity;
    return [
      good('Slack', `${teamName} (${team}), @${name}`),
      await socketFinding(slackApi({ token: tokens.app, apiUrl, logger: vendorLogger(quiet) })),
      ...(await slack.findings()),
      ...(await Promise.all([...file.people.values()].map(scope => peopleFinding(slack, scope)))),
    ];
  } catch (error) {
    return [bad('Slack', sentence(error))];
  }
}

async function peopleFinding(
  slack: SlackApp,
  scope: Parameters<SlackApp['directory']['deciders']>[0][number],
): Promise<Finding> {
  const people: readonly UserId[] | undefined = await slack.directory.deciders([scope]);
  if (people === undefined) return bad('people', `${scope.name}: Slack did not say who that is`);
  return people.length === 0
    ? bad('people', `${scope.name}: nobody who may decide`)
    : good('people', `${scope.name}: ${people.length} ${people.length === 1 ? 'person' : 'people'}`);
}

async function modelFinding(environment: Environment): Promise<Finding> {
  if (environment.model === null) return good('model', 'embedded demo model: set OPENAI_API_KEY for a real one');
  const startedMs = systemClock.monotonicMs();
  const answer = await openModel(environment, {
    demoUrl: '',
    clock: systemClock,
    secretsKey: '',
    totalTimeoutMs: 30_000,
  }).reply({
    agent: 'doctor',
    conversation: [
      { kind: 'message', author: 'U0DOCTOR1' as UserId, name: 'Doctor', text: 'Call the tool "ping" once.' },
    ],
    tools: [
      {
        name: 'ping',
        description: 'Answers pong.',
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      },
    ],
    signal: new AbortController().signal,
  });
  if ('reply' in answer) {
    const seconds = ((systemClock.monotonicMs() - startedMs) / 1000).toFixed(1);
    const calls = answer.reply.calls.length > 0 ? 'calls tools' : 'called no tool';
    return {
      level: answer.reply.calls.length > 0 ? 'good' : 'odd',
      about: 'model',
      says: `${answer.reply.model} answered in ${seconds} s, ${calls}`,
    };
  }
  return bad('model', 'away' in answer ? `does not answer (${answer.away})` : `${answer.refused}: ${answer.detail}`);
}

async function tableFindings({ table }: Environment): Promise<Finding[]> {
  if (table === null) return [good('table', 'embedded: set DYNAMODB_TABLE for a real one')];
  try {
    const state = await tableState(tableClient(table), table.name);
    if (state.problems.length > 0) return state.problems.map(problem => bad('table', problem));
    const recovery: Finding = {
      level: state.recovery === 'on' ? 'good' : 'odd',
      about: 'table',
      says: `point-in-time recovery ${state.recovery}`,
    };
    return [good('table', `${table.name}: keys and index`), recovery];
  } catch (error) {
    return [bad('table', sentence(error))];
  }
}
