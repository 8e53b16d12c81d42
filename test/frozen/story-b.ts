/**
 * A table with everything in it that version 1 stores beside what `story.ts` has: questions and their answers, tools that wait
 * from inside, nested runs, choices, edits, grants, reminders, second looks, checks, stops, changed messages; and a checkpoint
 * in the middle. Real processes wrote it; at its end a tool waits for an answer and a request for its second approval.
 */
import type { AnswerForm } from '../../src/thread/answer-form.ts';
import { snapshotItem } from '../../src/store/snapshot.ts';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog, type GrantId, type MessageTs, type ThreadKey } from '../../src/thread/ids.ts';
import { emptyThread, openQuestions } from '../../src/thread/thread.ts';
import type { Execution, ToolOutcome } from '../../src/worker/ports.ts';
import { answered, done, question, request, run, waits } from '../worker/from-inside.ts';
import { agent, ANA, CARD, DANA, KEY, LEO, MIA, SRE, TEAM, terms, World, type Process } from '../worker/rig.ts';
import { sealSamples } from './samples.ts';
import { processOf } from './story.ts';

/** The thread whose log holds every event in many forms, in no sensible order. */
export const SAMPLES_B: ThreadKey = { ...KEY, ts: '1764511298.000100' as MessageTs };
/** Under which the checkpoint was sealed. */
export const MAC_KEY = Buffer.alloc(32, 11);

const LEADS = { name: 'leads', label: 'Leads', users: [ANA], groups: ['S0LEADS01'] };
const MINUTE_MS = 60_000;

/** What the tools of the story do: most wait from inside for something under a name. */
async function performed(execution: Execution): Promise<ToolOutcome> {
  switch (execution.tool) {
    case 'book':
      return book(execution);
    case 'plan': {
      const told = execution.told['plan'];
      if (told?.is === 'over') return { how: 'failed', effect: 'none', code: 'not_answered', result: told.why };
      return told !== undefined
        ? done('planned')
        : waits('plan', question('Which way?', { kind: 'choice', form: WAYS, expiresInMs: 30 * MINUTE_MS }));
    }
    case 'write_draft':
      return answered(execution, 'draft') === undefined ? waits('draft', DRAFT) : done('reviewed');
    case 'release': {
      const told = execution.told['way'];
      if (told?.is === 'approved') return done(`released by ${told.option ?? 'nobody'}`);
      if (told !== undefined)
        return { how: 'failed', effect: 'none', code: 'not_approved', result: 'Nobody approved.' };
      return waits(
        'way',
        request('Release 41', [
          { value: 'blue', label: 'Blue' },
          { value: 'green', label: 'Green' },
        ]),
      );
    }
    case 'ask_helper': {
      const told = execution.told['answer'];
      return told?.is === 'done' ? done(told.text) : waits('answer', run('helper', 'find the number'));
    }
    default:
      return done('hello');
  }
}

const WAYS: AnswerForm = {
  type: 'choices',
  options: [
    { value: 1, label: 'One' },
    { value: null, label: 'None' },
  ],
  min: 0,
};
const DRAFT = question('Is this right?', {
  kind: 'review',
  form: { type: 'review', title: 'Letter', draft: 'Dear all' },
  scopes: [SRE],
  channel: CARD.channel,
});

async function book(execution: Execution): Promise<ToolOutcome> {
  if (execution.steps['quote'] === undefined) {
    await execution.beginStep('quote');
    await execution.stepDone('quote', { price: 12, currency: null });
  }
  const seats = execution.told['seats'];
  if (seats?.is === 'over') return { how: 'failed', effect: 'none', code: 'not_answered', result: seats.why };
  if (seats?.is !== 'answered')
    return waits('seats', question('How many seats?', { form: { type: 'number', min: 0, whole: true } }));
  return seats.value === 13
    ? { how: 'answer_refused', question: seats.question, why: 'Not thirteen.' }
    : done(`booked ${JSON.stringify(seats.value)}`);
}

const inboxOf = (process: Process) => process.worker.inbox;
const tick = async (world: World, process: Process, ms: number): Promise<void> => {
  await world.clock.advance(ms);
  await process.worker.tick();
  await process.settle();
};
let ts = 0;
const say = (process: Process, text: string): Promise<boolean> =>
  process.say(text, DANA, { ts: `17645140${String((ts += 1)).padStart(2, '0')}.000100` as MessageTs });
const lastTs = (): MessageTs => `17645140${String(ts).padStart(2, '0')}.000100` as MessageTs;

async function questions(world: World, process: Process): Promise<void> {
  world.reply({ tool: 'book', args: { to: 'Paris' } });
  world.say('Booked none.');
  await say(process, 'book seats');
  await process.settle();
  await process.answer({ text: 'many' });
  await say(process, '13');
  await process.settle();
  await process.answer({ value: 0 });
  await process.settle();
  world.reply({ tool: 'plan' }, { tool: 'write_draft' });
  world.say('Planned.');
  await say(process, 'plan it');
  await process.settle();
  await process.answer({ value: [] });
  await process.settle();
  await process.answer({ value: { action: 'edit', text: 'Dear everybody' } }, MIA);
  await process.settle();
  world.reply({ tool: 'plan' });
  world.say('Nobody chose.');
  await say(process, 'plan again');
  await process.settle();
  await tick(world, process, 31 * MINUTE_MS);
}

async function choices(world: World, process: Process): Promise<void> {
  world.reply({ tool: 'release' });
  world.say('Released.');
  await say(process, 'release it');
  await process.settle();
  await process.click('approve', MIA, { option: 'green' });
  await process.settle();
  world.reply({ tool: 'ask_helper' });
  world.reply({ tool: 'book', args: { to: 'Rome' } });
  world.say('The number is 0.');
  world.say('The helper found it.');
  await say(process, 'ask the helper');
  await process.settle();
  await process.answer({ text: '0' });
  await process.settle();
}

/** Asked back, edited, reminded, escalated; with a grant, which is used and taken back. */
async function approvals(world: World, process: Process): Promise<void> {
  world.scopes = [SRE, LEADS];
  world.asks['execute'] = terms({
    ladder: [
      { afterMs: 0, scopes: [SRE] },
      { afterMs: 20 * MINUTE_MS, scopes: [LEADS] },
    ],
    remindMs: [10 * MINUTE_MS],
    edit: ['n'],
    notify: LEADS,
    channel: CARD.channel,
    grants: { maxMs: 120 * MINUTE_MS, uses: 5, scope: 'channel', where: ['n'] },
  });
  world.reply({ tool: 'execute', args: { n: 1, why: 'first' } });
  world.say('Done with 2.');
  await say(process, 'do it');
  await process.settle();
  const [approval] = Object.values((await world.thread()).approvals).slice(-1);
  if (!approval) throw new Error('No request waits.');
  const { id } = approval;
  await inboxOf(process).inquire(process.act(MIA), { approval: id, round: 1, text: 'Why now?' });
  await process.answer({ text: 'It is cheap now.' });
  await process.settle();
  await inboxOf(process).inquire(process.act(LEO), { approval: id, round: 1, text: 'And why at all?' });
  await tick(world, process, 11 * MINUTE_MS);
  await tick(world, process, 11 * MINUTE_MS);
  const args = { n: 2, why: 'first' };
  const seen = await inboxOf(process).previewEdit(process.act(MIA), { approval: id, round: 1, args });
  if (seen.refusal !== null) throw new Error(seen.refusal.code);
  await inboxOf(process).edit(process.act(MIA), { approval: id, round: 1, args, shown: seen.shown });
  await process.settle();
  world.reply({ tool: 'execute', args: { n: 3 } });
  world.say('Done with 3.');
  await say(process, 'do 3');
  await process.settle();
  await process.click('approve', MIA, {
    grant: { forMs: 60 * MINUTE_MS, uses: 2, sentence: 'An hour, twice: n = 3.' },
  });
  await process.settle();
  world.reply({ tool: 'execute', args: { n: 3 } });
  world.say('Done with 3 again.');
  await say(process, 'do 3 again');
  await process.settle();
  const given = await inboxOf(process).overview({ user: MIA, team: TEAM });
  const grant = given.grants[0]?.grant;
  if (grant === undefined) throw new Error('Nothing was given.');
  await inboxOf(process).revokeGrant({ user: MIA, team: TEAM }, grant as GrantId);
  world.asks['execute'] = terms();
}

/** Changed and taken back messages, stops of runs and calls, a freeze by a person. */
async function changes(world: World, process: Process): Promise<void> {
  world.reply({ tool: 'execute', args: { n: 4 } });
  await say(process, 'do 4');
  await process.settle();
  await inboxOf(process).amend(KEY, { ts: lastTs(), author: DANA, text: 'do 4, please' });
  await process.settle();
  await inboxOf(process).remove(KEY, lastTs());
  await process.settle();
  world.reply({ tool: 'execute', args: { n: 5 } });
  await say(process, 'do 5');
  await process.settle();
  await inboxOf(process).stopThread(KEY, { user: DANA, team: TEAM }, 'stop.1');
  await process.settle();
  world.outcome = ({ signal }) =>
    new Promise(resolve => {
      signal.addEventListener('abort', () =>
        resolve({ how: 'failed', effect: 'possible', code: 'stopped', result: 'half of it' }),
      );
    });
  world.reply({ tool: 'execute', args: { n: 6 } });
  world.say('Stopped.');
  await say(process, 'do 6');
  await process.settle();
  await process.click('approve', MIA);
  await world.clock.advance(0);
  const call = Object.values((await world.thread()).calls).at(-1);
  if (!call) throw new Error('There is no call.');
  await inboxOf(process).stop(process.act(MIA), call.id);
  await process.settle();
  world.outcome = performed;
  await inboxOf(process).freeze({ user: MIA, team: TEAM }, 'bad deploy');
  await process.settle();
  await inboxOf(process).unfreeze({ user: ANA, team: TEAM });
  await process.settle();
}

/** A doubt that the tool itself clears, and a policy that is another when the process starts again. */
async function doubts(world: World, process: Process): Promise<Process> {
  world.checks.add('execute');
  world.check = () => 'ran';
  world.outcome = () => new Promise(() => undefined);
  world.reply({ tool: 'execute', args: { n: 7 } });
  await say(process, 'do 7');
  await process.settle();
  await process.click('approve', MIA);
  await world.clock.advance(0);
  process.kill();
  const second = processOf(world, 'node1/2');
  world.outcome = performed;
  world.say('It had run.');
  second.worker.signal(KEY);
  await second.settle();
  world.reply({ tool: 'execute', args: { n: 8 } });
  await say(second, 'do 8');
  await second.settle();
  second.kill();
  world.policyText = 'newer';
  const third = processOf(world, 'node1/3');
  await third.worker.start();
  await world.clock.advance(61_000);
  await third.worker.tick();
  await third.settle();
  world.say('Done with 8.');
  await third.click('approve', MIA);
  await third.settle();
  return third;
}

/** A tool that waits for an answer, and a request with one of two approvals and a question about it: so the story ends. */
async function waiting(world: World, process: Process): Promise<void> {
  endsUnder(world);
  world.reply({ tool: 'execute', args: { n: 9 } }, { tool: 'book', args: { to: 'Oslo' } });
  await say(process, 'do 9 and book');
  await process.settle();
  await process.click('approve', MIA);
  const approval = Object.values((await world.thread()).approvals).at(-1);
  if (!approval) throw new Error('No request waits.');
  await inboxOf(process).inquire(process.act(LEO), { approval: approval.id, round: approval.round, text: 'Why 9?' });
  await process.settle();
}

const workspace: readonly WorkspaceEvent[] = [
  {
    type: 'grant.given',
    grant: 'G'.repeat(26),
    by: LEO,
    tool: 'read_file',
    toolDigest: 'a'.repeat(64) as never,
    untilMs: Date.UTC(2030, 1, 1),
    uses: 1,
    who: DANA,
    where: { channel: null, thread: null },
    othersFree: true,
    body: { sentence: 'Whatever the rest.', pattern: { path: 'notes' }, name: 'Leo Park' },
  },
  { type: 'freeze.set', by: ANA, body: { why: 'drill', name: 'Ana Ruiz' } },
  { type: 'freeze.cleared', by: ANA, body: { why: 'over', name: 'Ana Ruiz' } },
];

/** Keeps a checkpoint of the thread as it was after three quarters of its commits. */
async function checkpoint(world: World): Promise<void> {
  const key = threadLog(KEY);
  const { commits } = await world.log('reader/1').load(key);
  const covered = commits.slice(0, Math.floor((commits.length * 3) / 4));
  const thread = covered.reduce(fold, emptyThread(KEY));
  const { number, hash } = thread.head;
  const state = JSON.parse(JSON.stringify(thread)) as never;
  world.table.partition(key).snapshot = snapshotItem(MAC_KEY, key, { number, hash }, state);
}

/** The rules under which the story ends. */
function endsUnder(world: World): void {
  world.policyText = 'newer';
  world.scopes = [SRE, LEADS];
  world.asks['execute'] = terms({ quorum: 2 });
}

/** A world in which the story can go on, as it was when it ended; its table is empty. */
export function worldAfterB(): World {
  const world = worldOfB();
  endsUnder(world);
  return world;
}

/** A world without a past in which the story's tools work. */
function worldOfB(): World {
  const world = new World();
  world.agents['helper'] = agent('helper');
  world.outcome = performed;
  world.admins.add(ANA);
  return world;
}

/** The whole table. */
export async function tableOfB(): Promise<World> {
  const world = worldOfB();
  await world.workspace(...workspace);
  const process = processOf(world, 'node1/1');
  await questions(world, process);
  await choices(world, process);
  await approvals(world, process);
  await changes(world, process);
  const last = await doubts(world, process);
  await waiting(world, last);
  if (openQuestions(await world.thread()).length !== 2) throw new Error('The story ends otherwise.');
  sealSamples(world, SAMPLES_B, { seed: 2, numRuns: 1200 });
  await checkpoint(world);
  return world;
}
