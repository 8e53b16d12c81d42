/** Two processes of Countersign that share one workspace and one table: whatever arrives where, it happens once, and nothing is lost. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_MODEL, demoModelHandler } from '../../src/local/demo-model.ts';
import { acme, type Seed } from '../../src/local/world.ts';
import {
  ALERTS,
  APPROVALS,
  controlsOn,
  DANA,
  DANAS_DM,
  GENERAL,
  MIA,
  OPS,
  until,
  wordsOf,
  type People,
} from './people.ts';
import { openTown, type Town } from './stage.ts';

const crowd = Array.from({ length: 50 }, (_, n) => `U0CROWD${String(n).padStart(2, '0')}`);

/** The usual cast, and fifty more who may decide. */
function withCrowd(seed: Seed): Seed {
  const [somebody] = seed.people.filter(person => person.id === MIA);
  if (!somebody) throw new Error('Mia is missing.');
  return {
    people: [...seed.people, ...crowd.map((id, n) => ({ ...somebody, id, name: `crowd${n}`, realName: `Crowd ${n}` }))],
    groups: seed.groups.map(group =>
      group.handle === 'sre' ? { ...group, users: [...group.users, ...crowd] } : group,
    ),
    channels: seed.channels.map(channel =>
      channel.id === APPROVALS ? { ...channel, members: [...channel.members, ...crowd] } : channel,
    ),
  };
}

let town: Town;
let people: People;
/** The demo model, for as long as it is not kept silent. */
let silence = Promise.resolve();
/** Requests that it was sent since then. */
let kept = 0;
const demoModel = demoModelHandler();
const model = createServer((request, response) => {
  kept += 1;
  silence.then(() => demoModel(request, response)).catch(() => response.destroy());
});
beforeAll(async () => {
  await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve));
  const { port } = model.address() as AddressInfo;
  const variables = {
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: DEMO_MODEL,
  };
  town = await openTown({ seed: withCrowd(acme), variables });
  people = town.people;
  await Promise.all([town.start('one'), town.start('two')]);
});
afterAll(async () => {
  await town.close();
  model.closeAllConnections();
  model.close();
});

const timesRun = (name: string): number => {
  const path = join(town.project, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};

describe('two processes', () => {
  it('carry out fifty clicks at once as one decision and one run; the losers are told who was first [F-B1, F-B2, S-55, T-C20]', async () => {
    const thread = await people.say(DANA, GENERAL, '<@U0BOT0001> run sh -c "echo ran >> once"');
    const card = await people.card('once', 'approve');
    // Until everybody has clicked, the card keeps its buttons.
    const clicked = Promise.withResolvers<void>();
    town.slack.faults.next('chat.update', { kind: 'held', until: clicked.promise }, 4);
    await Promise.all(crowd.map(user => people.click(user, APPROVALS, card, 'approve')));
    clicked.resolve();
    const done = await people.turned(APPROVALS, card, '✅');
    const winner = crowd.find(user => wordsOf(done).includes(user));
    const losers = crowd.filter(user => user !== winner);
    expect(losers).toHaveLength(49);
    await Promise.all(losers.map(user => people.hears(user, 'approved this at')));
    await people.reads(GENERAL, thread, '✅');
    expect(timesRun('once')).toBe(1);
    const { commits } = await town.thread(GENERAL, thread);
    const events = commits.flatMap(commit => commit.events.map(event => event.type));
    expect(events.filter(type => type === 'decision.recorded')).toHaveLength(1);
    expect(events.filter(type => type === 'call.claimed')).toHaveLength(1);
  });

  it('lose none of five hundred messages, and keep their order in each thread [T-C9, T-C10, F-B6]', async () => {
    // While the model keeps silent, whatever arrives stays queued.
    const word = Promise.withResolvers<void>();
    silence = word.promise;
    kept = 0;
    const places = [GENERAL, OPS, GENERAL, OPS, DANAS_DM];
    const threads = await Promise.all(
      places.map(async channel => ({ channel, ts: await people.say(DANA, channel, '<@U0BOT0001> hello') })),
    );
    await until('every thread to ask the model', () => kept >= threads.length || undefined);
    // Each follow-up is delivered once, to one process or the other; half of them go to one thread.
    const said = threads.map(() => [] as string[]);
    const burst = Array.from({ length: 500 }, (_, n) => (n % 4 < 2 ? 0 : 1 + (Math.floor(n / 4) % 4)));
    await Promise.all(
      burst.map(async which => {
        const place = threads[which];
        if (place) said[which]?.push(await people.say(DANA, place.channel, 'hello again', place.ts));
      }),
    );
    await town.delivered();
    word.resolve();
    const writers = new Set<string>();
    for (const [which, { channel, ts }] of threads.entries()) {
      const expected = (said[which] ?? []).toSorted();
      await until(
        `thread ${which} to take them in`,
        async () => (await town.thread(channel, ts)).thread.queue.length === 0 || undefined,
      );
      const { thread, commits } = await town.thread(channel, ts);
      const taken = Object.values(thread.runs)
        .flatMap(run => run.messages)
        .filter(one => one !== ts);
      expect(taken).toEqual(expected);
      const received = commits.flatMap(commit => commit.events.filter(event => event.type === 'message.received'));
      expect(received.filter(event => expected.includes(event.ts))).toHaveLength(expected.length);
      for (const commit of commits)
        if (commit.events.some(event => event.type === 'message.received')) writers.add(commit.writer);
    }
    expect(writers.size).toBe(2);
    expect(said.map(list => list.length)).toEqual([250, 64, 62, 62, 62]);
  });

  it('tell operators that there are two, once, and leave no live card behind [S-16, T-A16b]', async () => {
    const told = await people.see('the warning', ALERTS, undefined, one => wordsOf(one).includes('more connections'));
    expect(told).toBeDefined();
    const about = (await people.messages(ALERTS)).filter(one => wordsOf(one).includes('more connections'));
    expect(about).toHaveLength(1);
    expect((await people.messages(APPROVALS)).flatMap(controlsOn)).toEqual([]);
  });
});
