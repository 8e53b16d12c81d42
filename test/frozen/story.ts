/**
 * A table with everything in it that version 1 stores: a thread that real processes wrote, with each kind of turn that a
 * request can take and one request still open; a log with every event in many forms; the workspace's log.
 */
import { digestOf } from '../../src/thread/digest.ts';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import type { CallId, MessageTs, ThreadKey } from '../../src/thread/ids.ts';
import { CardViews } from '../worker/card-views.ts';
import { ANA, CARD, DANA, KEY, LEO, MIA, TEAM, terms, World, type Process } from '../worker/rig.ts';
import { sealSamples } from './samples.ts';

/** The thread whose log holds every event in many forms, in no sensible order. */
export const SAMPLES: ThreadKey = { ...KEY, ts: '1764511299.000100' as MessageTs };

const freeze: WorkspaceEvent = { type: 'freeze.set', by: ANA, body: { why: 'bad deploy', name: 'Ana Ruiz' } };
const thaw: WorkspaceEvent = { type: 'freeze.cleared', by: ANA, body: { why: 'repaired', name: 'Ana Ruiz' } };

const workspace: readonly WorkspaceEvent[] = [
  { type: 'policy.loaded', policy: digestOf('policy'), body: { text: 'version: 1' } },
  {
    type: 'grant.given',
    grant: 'G1',
    by: MIA,
    tool: 'execute',
    toolDigest: digestOf('tool'),
    untilMs: Date.UTC(2026, 10, 30, 15),
    uses: 5,
    body: { sentence: 'Until 15:00, at most 5 times.', pattern: { argv: ['echo'] } },
  },
  { type: 'grant.used', grant: 'G1', call: 'A'.repeat(26) as CallId, body: {} },
  { type: 'grant.revoked', grant: 'G1', by: ANA, body: {} },
  { type: 'tool.pinned', tool: 'get', server: 'k8s', digest: digestOf('one'), body: { definition: { name: 'get' } } },
  { type: 'tool.blocked', tool: 'get', server: 'k8s', digest: digestOf('two'), body: { definition: { name: 'got' } } },
  { type: 'trouble.opened', cause: 'model', code: 'model_away', body: { detail: 'timeout' } },
  { type: 'trouble.closed', cause: 'model', body: {} },
  {
    type: 'message.posted',
    key: 'operators/model',
    channel: CARD.channel,
    ts: CARD.ts,
    hash: 'h1',
    state: 'posted',
    atMs: Date.UTC(2026, 10, 30, 14),
    body: { shown: 'The model does not answer.' },
  },
];

/** A process of this table with cards. */
export const processOf = (world: World, writer: string): Process =>
  world.process(writer, { views: new CardViews(world) });

const act = (key: string, by = MIA) => ({ thread: KEY, actor: { user: by, team: TEAM }, place: CARD, key });

async function ask(world: World, process: Process, n: number): Promise<CallId> {
  world.reply({ tool: 'execute', args: { n } });
  await process.say(`do ${n}`, DANA, { ts: `176451150${n}.000100` as MessageTs });
  await process.settle();
  return Object.keys((await world.thread()).calls).at(-1) as CallId;
}

async function votes(world: World, process: Process): Promise<void> {
  world.asks['execute'] = terms({ quorum: 2 });
  world.reply({ tool: 'read_file', args: { path: 'notes' } }, { tool: 'execute', args: { n: 1 } }, { tool: 'note' });
  await process.say('do three things');
  await process.settle();
  await process.click('approve', DANA);
  await process.click('approve', MIA);
  await process.say('and hurry');
  await process.settle();
  const meanwhile = (await world.thread()).queue[0] ?? KEY.ts;
  await process.worker.inbox.keepWaiting(act('keep', DANA), meanwhile);
  await process.click('approve', MIA);
  world.deactivated.add(MIA);
  await process.click('approve', LEO);
  await process.settle();
  world.deactivated.clear();
  world.say('Three things are done.');
  world.say('Hurried.');
  await process.click('approve', MIA);
  await process.settle();
  world.asks['execute'] = terms();
}

async function endings(world: World, process: Process): Promise<void> {
  await ask(world, process, 2);
  world.say('Not then.');
  await process.click('reject', LEO, { reason: 'Not during the sale.' });
  await process.settle();
  await ask(world, process, 3);
  world.facts = { replicas: 8 };
  await process.click('approve');
  await process.settle();
  world.outcome = () => ({ how: 'failed', effect: 'possible', code: 'exit_code', result: 'exit code 1' });
  world.say('It failed.');
  await process.click('approve');
  await process.settle();
  world.outcome = () => ({ how: 'succeeded', effect: 'done', result: 'hello' });
  world.facts = {};
  world.answers.push(() => ({ away: 'timeout' }));
  world.say('Hello.');
  await process.say('hello');
  await world.clock.advance(10_000);
  await process.settle();
}

async function waits(world: World, process: Process): Promise<void> {
  const call = await ask(world, process, 4);
  await world.clock.advance(4 * 3_600_000);
  world.say('Nobody decided.');
  await process.worker.tick();
  await process.settle();
  await process.worker.inbox.askAgain(act('again', DANA), call);
  await process.settle();
  const run = (await world.thread()).current;
  if (run !== null) await process.worker.inbox.cancel(act('cancel', DANA), run);
  await process.settle();
  await ask(world, process, 5);
  await process.click('approve');
  await world.workspace(freeze);
  await process.settle();
  await world.clock.advance(10_000);
  await process.worker.tick();
  await process.settle();
  await world.workspace(thaw);
  await world.clock.advance(60_000);
  world.say('After the freeze.');
  await process.worker.tick();
  await process.settle();
}

/** In doubt, settled; then one more request, which waits when the story ends. */
async function doubt(world: World, process: Process): Promise<Process> {
  const call = await ask(world, process, 6);
  world.outcome = () => new Promise(() => undefined);
  await process.click('approve');
  await world.clock.advance(0);
  process.kill();
  const next = processOf(world, 'node1/2');
  next.worker.signal(KEY);
  await next.settle();
  world.outcome = () => ({ how: 'succeeded', effect: 'done', result: 'hello' });
  world.say('It ran.');
  await next.worker.inbox.settle(act('settle'), { call, attempt: 1, as: 'ran' });
  await next.settle();
  await ask(world, next, 7);
  return next;
}

/** The whole table. */
export async function tableOfEverything(): Promise<World> {
  const world = new World();
  await world.workspace(...workspace);
  const process = processOf(world, 'node1/1');
  await votes(world, process);
  await endings(world, process);
  await waits(world, process);
  await doubt(world, process);
  sealSamples(world, SAMPLES, { seed: 1, numRuns: 600 });
  return world;
}
