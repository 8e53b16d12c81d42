/** Owns `npm run doctor`: every piece checked, a line each; exit code 1 if something keeps the program from its work. */
import type { Environment } from '../../config/environment.ts';
import type { PolicyFile } from '../../policy/normal-form.ts';
import { tableState } from '../../store/table.ts';
import type { UserId } from '../../thread/ids.ts';
import type { Agent } from '../../worker/ports.ts';
import { whyNot } from '../cannot-start.ts';
import { systemClock } from '../clock.ts';
import { modelNames, openModel } from '../model-side.ts';
import { policyWords } from '../policy-notes.ts';
import { readPolicy } from '../policy-side.ts';
import { checkProject } from '../project.ts';
import { findSlack } from '../find-slack.ts';
import { shippedTools } from '../shipped-tools.ts';
import type { SlackPlace } from '../slack-side.ts';
import { tableClient } from '../table-side.ts';
import type { Command } from './command.ts';
import { slackFindings } from './doctor-slack.ts';
import { bad, findingLine, good, odd, type Finding } from './finding.ts';

export const doctor: Command = async ({ environment, terminal }) => {
  const { file, findings: aboutPolicy } = policyFindings(environment);
  const [slack, model, table] = await Promise.all([
    slackOrEmbedded(findSlack(environment), file),
    modelFindings(environment, file?.agents ?? []),
    tableFindings(environment),
  ]);
  const node = good('node', process.versions.node);
  const findings = [node, ...slack, ...model, ...table, ...projectFindings(environment), ...aboutPolicy];
  for (const finding of findings) terminal.print(findingLine(finding));
  return findings.some(({ level }) => level === 'bad') ? 1 : 0;
};

const slackOrEmbedded = async (place: SlackPlace | null, file: PolicyFile | null): Promise<Finding[]> =>
  place === null
    ? [good('Slack', 'embedded: set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one')]
    : slackFindings(place, file);

function policyFindings(environment: Environment): { file: PolicyFile | null; findings: Finding[] } {
  try {
    const file = readPolicy(environment.policyFile);
    const { line, notes } = policyWords(file, shippedTools(file));
    return { file, findings: [good('policy', line), ...notes.map(note => odd('policy', note))] };
  } catch (error) {
    const [first = '', ...rest] = whyNot(error).map(line => line.replace(/; nothing was started/, ''));
    return { file: null, findings: [bad('policy', first), ...rest.map(line => bad('', line.trimStart()))] };
  }
}

const PING = {
  name: 'ping',
  description: 'Answers pong.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

async function modelFindings(environment: Environment, agents: readonly Agent[]): Promise<Finding[]> {
  if (environment.model === null) return [good('model', 'embedded demo model: set OPENAI_API_KEY for a real one')];
  const names = modelNames(environment, agents);
  return Promise.all(names.map(name => modelFinding(environment, name)));
}

async function modelFinding(environment: Environment, name: string): Promise<Finding> {
  const startedMs = systemClock.monotonicMs();
  const model = openModel(environment, {
    demoUrl: '',
    clock: systemClock,
    secretsKey: '',
    agents: [{ name: 'doctor', model: name, instructions: null }],
    totalTimeoutMs: 30_000,
  });
  const text = 'Call the tool "ping" once.';
  const answer = await model.reply({
    agent: 'doctor',
    conversation: [{ kind: 'message', author: 'U0DOCTOR1' as UserId, name: 'Doctor', text }],
    tools: [PING],
    signal: new AbortController().signal,
  });
  if ('away' in answer) return bad('model', `${name} does not answer (${answer.away})`);
  if ('refused' in answer) return bad('model', `${name}: ${answer.refused}: ${answer.detail}`);
  const { reply } = answer;
  const took = `${reply.model} answered in ${((systemClock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`;
  return reply.calls.length > 0 ? good('model', `${took}, calls tools`) : odd('model', `${took}, called no tool`);
}

async function tableFindings({ table }: Environment): Promise<Finding[]> {
  if (table === null) return [good('table', 'embedded: set DYNAMODB_TABLE for a real one')];
  const client = tableClient(table);
  try {
    const { problems, recovery, deletionProtection } = await tableState(client, table.name);
    if (problems.length > 0) return problems.map(problem => bad('table', problem));
    const fits = `${table.name}: keys, index, nothing expires`;
    const off = [
      ...(recovery === 'off' ? ['point-in-time recovery'] : []),
      ...(deletionProtection === 'off' ? ['deletion protection'] : []),
    ];
    if (off.length > 0) return [odd('table', `${fits}; off: ${off.join(', ')} (npm run table:create switches it on)`)];
    return [
      good('table', recovery === 'on' ? `${fits}, point-in-time recovery` : `${fits}; recovery is not known here`),
    ];
  } catch (error) {
    return [bad('table', whyNot(error).join(' '))];
  } finally {
    client.destroy();
  }
}

function projectFindings(environment: Environment): Finding[] {
  try {
    checkProject(environment);
    return [good('project', `${environment.projectRoot}: tools work in it`)];
  } catch (error) {
    return [bad('project', whyNot(error).join(' '))];
  }
}
