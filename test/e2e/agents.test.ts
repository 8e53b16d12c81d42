/**
 * The example of three agents and an expert, played from end to end in one process: planner → researcher → (review) → writer;
 * with the demo model, and with a server that says what each agent's model says, so that what every agent is told can be seen.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, onTestFinished, type ExpectStatic } from 'vitest';
import { start, type Running } from '../../src/compose/start.ts';
import { readEnvironment, type Variables } from '../../src/config/environment.ts';
import { repositoryRoot } from '../support/repository.ts';
import { startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts';
import { APPROVALS, BOT, controlsOn, DANA, GENERAL, MIA, NOOR, People, wordsOf, type Shown } from './people.ts';

interface House {
  readonly people: People;
  readonly running: Running;
  readonly file: (name: string) => string;
}

/** A process with the example's policy on a folder of its own. */
async function house(variables: Variables): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const read = readEnvironment({
    PORT: '0',
    COUNTERSIGN_DATA: folder,
    COUNTERSIGN_CONFIG: join(repositoryRoot, 'docs/examples/agents/countersign.yaml'),
    ...variables,
  });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const journal = { info: () => {}, warn: () => {}, error: () => {} };
  const running = await start(read.ok, '1.0.0', { journal, settings: { tickMs: 250 } });
  onTestFinished(async () => void (await running.stop()));
  return {
    people: new People(running.serving.url),
    running,
    file: name => readFileSync(join(folder, 'project', name), 'utf8'),
  };
}

/** The draft that waits for Noor. */
const draftIn = (people: People, ...words: readonly string[]): Promise<Shown> =>
  people.see('the draft to review', APPROVALS, undefined, shown => {
    const all = wordsOf(shown);
    return controlsOn(shown).includes('accept') && words.every(word => all.includes(word));
  });

const DRAFT = 'Acme keeps its notes in notes/. File: report.md';
const call = (tool: string, args: object) => ({ calls: [{ tool, args: JSON.stringify(args) }] });

/** What the models say, one answer after the other; each waits for the one before. */
function script(model: ScriptedModel, draft = DRAFT): void {
  model.reply(call('hand_off_to_researcher', { draft: 'Subject: the notes of Acme. File: report.md' }));
  model.reply(call('hand_off_to_writer', { draft }));
}

function scriptWriter(model: ScriptedModel): void {
  model.reply(call('write_file', { path: 'report.md', content: 'Acme keeps its notes in notes/.\n' }));
  model.reply({ text: 'I wrote report.md.' });
  model.reply({ text: 'The writer has written report.md.' });
  model.reply({ text: 'There is a report on the notes of Acme now, in report.md.' });
}

const systemOf = (sent: ScriptedModel['requests'][number] | undefined): string => sent?.messages[0]?.content ?? '';
const toolsOf = (sent: ScriptedModel['requests'][number] | undefined): string[] =>
  (sent?.tools ?? []).map(tool => tool.function.name);

async function ask(people: People): Promise<string> {
  return people.say(DANA, GENERAL, `<@${BOT}> I want a report on the notes of Acme`);
}

/** Mia lets the writer write; the planner answers Dana. */
async function finish({ people, file }: House, thread: string, expect: ExpectStatic): Promise<void> {
  await people.click(MIA, APPROVALS, await people.card('Write report.md', 'approve'), 'approve');
  await people.reads(GENERAL, thread, 'There is a report on the notes of Acme now');
  expect(file('report.md')).toBe('Acme keeps its notes in notes/.\n');
}

describe('planner, researcher, expert and writer', () => {
  it('make a contract on a bare machine, with the demo model', async ({ expect }) => {
    const { people, file } = await house({});
    const thread = await people.say(DANA, GENERAL, `<@${BOT}> write a contract with Acme`);
    const draft = await draftIn(people, 'Contract with Acme', 'within 30 days');
    await people.click(NOOR, APPROVALS, draft, 'accept');
    await people.turned(APPROVALS, draft, 'Accepted by', NOOR);
    await people.click(MIA, APPROVALS, await people.card('Write contract-acme.txt', 'approve'), 'approve');
    await people.reads(GENERAL, thread, 'Handed to researcher');
    expect(file('contract-acme.txt')).toMatch(/^Contract with Acme\n[^]*1\. Acme delivers within 30 days/);
  });

  it('work one after the other in one thread, each with its own words and tools [F-G6]', async ({ expect }) => {
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    script(model);
    scriptWriter(model);
    const open = await house({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'm' });
    expect(open.running.facts.agents).toBe(
      'planner: every channel, direct messages · researcher: called by others · writer: called by others',
    );
    const thread = await ask(open.people);
    const draft = await draftIn(open.people, 'Acme keeps its notes');
    expect(model.requests).toHaveLength(2);
    await open.people.click(NOOR, APPROVALS, draft, 'accept');
    await finish(open, thread, expect);
    await open.people.turned(APPROVALS, draft, 'Accepted by', NOOR);

    const [planner, researcher, writer] = model.requests;
    expect([planner, researcher, writer].map(sent => /You are the (\w+)\./.exec(systemOf(sent))?.[1])).toEqual([
      'planner',
      'researcher',
      'writer',
    ]);
    expect(toolsOf(planner)).toEqual(expect.arrayContaining(['read_file', 'ask_user', 'hand_off_to_researcher']));
    expect(toolsOf(researcher)).toContain('hand_off_to_writer');
    expect(toolsOf(writer)).toContain('write_file');
    for (const sent of [planner, researcher]) expect(toolsOf(sent)).not.toContain('write_file');
    expect(toolsOf(writer).filter(name => /^(ask_(?!user|approvers)|hand_off)/.test(name))).toEqual([]);
    expect(researcher?.messages.slice(1).map(({ content }) => content)).toEqual([
      'From the agent that gave you this task:\nSubject: the notes of Acme. File: report.md',
    ]);
    expect(writer?.messages[1]?.content).toBe(`From the agent that gave you this task:\n${DRAFT}`);
  });

  it('a draft that the expert returns goes back to the researcher with the reason, and nothing is written', async ({
    expect,
  }) => {
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    script(model, 'Acme keeps its notes in a drawer. File: report.md');
    const open = await house({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'm' });
    const thread = await ask(open.people);
    const first = await draftIn(open.people, 'a drawer');
    model.reply(call('hand_off_to_writer', { draft: DRAFT }));
    await open.people.click(NOOR, APPROVALS, first, 'return_draft');
    await open.people.submit(NOOR, 'return_form', { text: { text: 'Not in a drawer.' } });
    const second = await draftIn(open.people, 'in notes/');
    const told = model.requests[2]?.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('Not in a drawer.') });
    scriptWriter(model);
    await open.people.click(NOOR, APPROVALS, second, 'accept');
    await finish(open, thread, expect);
  });
});
