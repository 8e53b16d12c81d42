/** Three calls of one turn whose process dies after each of its commits in turn; the next process goes on from the log. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/thread/events.ts';
import { threadLog, type UserId } from '../../src/thread/ids.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { Model, ModelRequest } from '../../src/worker/ports.ts';
import { KEY, LEO, MIA, World, type Process } from './rig.ts';
import { tapped, type Taps } from './tapped-log.ts';

/** Asks for three calls first, and answers once it has been shown results. */
const modelOf = (requests: ModelRequest[]): Model => ({
  reply: request => {
    requests.push(request);
    const asked = request.conversation.some(turn => turn.kind === 'reply');
    const calls = [{ tool: 'note' }, { tool: 'execute', n: 1 }, { tool: 'execute', n: 2 }].map(({ tool, ...args }) => ({
      tool,
      args: JSON.stringify(args),
    }));
    const reply = asked ? { text: 'Two of three.', calls: [] } : { text: '', calls };
    return Promise.resolve({ reply: { model: 'scripted', usage: { input: 1, output: 1 }, ...reply } });
  },
});

/** A death between claim and outcome is a doubt, which is another story. */
const leavesDoubt = (events: readonly Event[]): boolean =>
  events.some(event => event.type === 'call.claimed') && !events.some(event => event.type === 'call.ended');

/** One call rejected, one approved, one allowed, by processes the first of which dies after its n-th commit (0: none dies). */
async function story(diesAfter: number) {
  const world = new World();
  const requests: ModelRequest[] = [];
  const boot = { number: 0, commits: 0, died: false };
  const start = (): Process => {
    const writer = `node1/${(boot.number += 1)}`;
    const taps: Taps = {
      append: async (events, go, key) => {
        const result = await go();
        if ('lost' in result || key !== threadLog(KEY)) return result;
        boot.commits += 1;
        if (diesAfter > 0 && boot.commits >= diesAfter && !boot.died && !leavesDoubt(events)) {
          boot.died = true;
          process.kill();
        }
        return result;
      },
    };
    const process = world.process(writer, { log: tapped(world.log(writer), taps), model: modelOf(requests) });
    return process;
  };
  let process = start();
  const goOn = async (): Promise<void> => {
    await world.clock.advance(0);
    if (boot.died && boot.number === 1) {
      process = start();
      process.worker.signal(KEY);
    }
    await process.settle();
  };
  const decide = async (index: number, verdict: 'approve' | 'reject', by: UserId): Promise<void> => {
    const waits = async () => Object.values((await world.thread()).calls)[index];
    for (let call = await waits(); call?.state.is === 'waiting'; call = await waits()) {
      process.click(verdict, by, { call }).catch(() => undefined);
      await goOn();
    }
  };
  process.say('three things').catch(() => undefined);
  await goOn();
  await decide(1, 'reject', MIA);
  await decide(2, 'approve', LEO);
  return { world, requests, commits: boot.commits, died: boot.died, thread: await world.thread() };
}

describe('three calls of one turn', () => {
  test('whose process dies between any two of their commits: the rejected one never runs, the others once, and the model is shown two results and one refusal [F-F2, F-F3, F-F4, F-B9]', async () => {
    const { commits } = await story(0);
    expect(commits).toBeGreaterThan(6);
    let deaths = 0;
    for (let diesAfter = 0; diesAfter <= commits; diesAfter += 1) {
      const { world, requests, thread, died } = await story(diesAfter);
      deaths += died ? 1 : 0;
      const ran = world.ran.map(({ tool, args }) => ({ tool, args })).toSorted((a, b) => a.tool.localeCompare(b.tool));
      expect(ran).toEqual([
        { tool: 'execute', args: { n: 2 } },
        { tool: 'note', args: {} },
      ]);
      const calls = Object.values(thread.calls);
      expect(calls.map(call => outcomeOf(thread, call).is)).toEqual(['done', 'rejected', 'done']);
      const results = requests.at(-1)?.conversation.flatMap(turn => (turn.kind === 'result' ? [turn] : []));
      expect(results?.map(({ call, outcome }) => [call, outcome.is])).toEqual([
        [calls[0]?.id, 'done'],
        [calls[1]?.id, 'rejected'],
        [calls[2]?.id, 'done'],
      ]);
      expect(thread.runs['r1']).toMatchObject({ answer: 'Two of three.', end: { how: 'succeeded' } });
    }
    expect(deaths).toBe(commits);
  });
});
