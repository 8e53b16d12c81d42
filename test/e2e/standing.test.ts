/**
 * What holds for everybody and for long, with real processes: reminders and steps of the ladder are sent once by two of them,
 * a freeze holds in both, and a start with other rules asks again by itself what waits under the old ones.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ANA,
  APPROVALS,
  BOT,
  controlsOn,
  DANA,
  GENERAL,
  LEO,
  MIA,
  OPS,
  until,
  wordsOf,
  type People,
  type Shown,
} from './people.ts';
import { openTown, type Town } from './stage.ts';

const settings = { settings: { tickMs: 300 } };
const withRules =
  (...rules: readonly string[]) =>
  (text: string): string =>
    text.replace('rules:\n', `rules:\n${rules.map(rule => `  - ${rule}\n`).join('')}`);

async function town(policy: (text: string) => string): Promise<Town> {
  const opened = await openTown({ policy });
  onTestFinished(() => opened.close());
  return opened;
}

const runs = ({ people }: Town, channel: string, name: string): Promise<string> =>
  people.say(DANA, channel, `<@${BOT}> run sh -c "echo ran >> ${name}; echo said-${name}"`);

const timesRun = ({ project }: Town, name: string): number => {
  const path = join(project, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};

const under = async (people: People, card: Shown, words: string): Promise<Shown[]> =>
  (await people.messages(APPROVALS, card.ts)).filter(one => wordsOf(one).includes(words));

describe('two processes on one table', () => {
  it('remind once per reminder, and tell those who may decide from then on once [F-J6]', async () => {
    const shared = await town(
      withRules(
        '{ id: hurry, ask: [execute], when: \'text(args).contains("hurry")\', why: It cannot wait., expires: 1h, remind: [1s, 3s], escalate: { after: 5s, to: [leads] } }',
      ),
    );
    const { people } = shared;
    await Promise.all([shared.start('one', settings), shared.start('two', settings)]);
    const threads = await Promise.all(['hurry-0', 'hurry-1'].map(name => runs(shared, GENERAL, name)));
    for (const [nth, thread] of threads.entries()) {
      const card = await people.card(`hurry-${nth}`, 'approve');
      await people.see('the escalation', APPROVALS, card.ts, one => wordsOf(one).includes('Nobody has decided for'));
      await people.turned(APPROVALS, card, 'may decide too', 'Reminded');
      expect(await under(people, card, 'Still waiting')).toHaveLength(2);
      expect(await under(people, card, 'Nobody has decided for')).toHaveLength(1);
      // Ana, a lead, may decide by now.
      await people.click(ANA, APPROVALS, await people.card(`hurry-${nth}`, 'approve'), 'approve');
      await people.turned(APPROVALS, card, '✅', ANA);
      const { commits } = await shared.thread(GENERAL, thread);
      const events = commits.flatMap(commit => commit.events);
      expect(events.flatMap(event => (event.type === 'reminder.sent' ? [event.n] : []))).toEqual([1, 2]);
      expect(events.filter(event => event.type === 'escalated')).toHaveLength(1);
      expect(timesRun(shared, `hurry-${nth}`)).toBe(1);
    }
  });

  it('start nothing while everything is frozen, and go on with it after the unfreeze, each thing once', async () => {
    const shared = await town(
      withRules('{ id: free, allow: [execute], when: \'text(args).contains("free")\', why: It harms nobody. }'),
    );
    const { people } = shared;
    // What the other process knows of a freeze may be as old as this; until then it counts a click, and runs nothing.
    const alert = { settings: { ...settings.settings, evidenceMs: 0 } };
    await Promise.all([shared.start('one', alert), shared.start('two', alert)]);
    const names = ['ice-0', 'ice-1', 'ice-2', 'ice-3'];
    await Promise.all(names.map(name => runs(shared, OPS, name)));
    for (const name of names) await people.card(name, 'approve');
    await people.command(MIA, OPS, 'freeze bad deploy');
    await people.hears(MIA, 'Everything is frozen since');
    for (const name of names) await people.click(LEO, APPROVALS, await people.card(name, 'approve'), 'approve');
    await until(
      'every click to be refused',
      async () =>
        (await people.whispers(LEO)).filter(one => one.includes('Your click was not counted')).length === 4 ||
        undefined,
      { seen: async () => (await people.whispers(LEO)).join('\n') },
    );
    const free = await Promise.all(['free-0', 'free-1'].map(name => runs(shared, GENERAL, name)));
    for (const thread of free) await people.reads(GENERAL, thread, '🧊', 'bad deploy', 'Your request is kept.');
    expect([...names, 'free-0', 'free-1'].map(name => timesRun(shared, name))).toEqual([0, 0, 0, 0, 0, 0]);

    await people.command(DANA, OPS, 'unfreeze');
    await people.command(ANA, OPS, 'unfreeze');
    await people.hears(ANA, 'Unfrozen.');
    expect(await people.hears(DANA, 'admin')).toBeDefined();
    for (const [nth, thread] of free.entries()) await people.reads(GENERAL, thread, `said-free-${nth}`, DANA);
    for (const name of names) {
      const card = await people.card(name, 'approve');
      await people.click(LEO, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, card, '✅');
    }
    expect([...names, 'free-0', 'free-1'].map(name => timesRun(shared, name))).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('a start with other rules', () => {
  it('asks again by itself what waits under the old ones, and shows why', async () => {
    const lone = await town(text => text);
    const { people } = lone;
    const first = await lone.start('one', settings);
    const thread = await runs(lone, GENERAL, 'ruled');
    const card = await people.card('ruled', 'approve');
    await first.stop();
    lone.changePolicy(text => text.replace('    ask: [execute]\n', '    ask: [execute]\n    quorum: 2\n'));
    await lone.start('one', settings);
    const old = await people.turned(APPROVALS, card, '🔁', 'Replaced', 'the rule changed');
    expect(controlsOn(old)).toEqual([]);
    const again = await people.card('ruled', 'approve');
    expect(again.ts > card.ts).toBe(true);
    expect(wordsOf(again)).toContain('Asked again');
    await people.reads(GENERAL, thread, 'Asked again');
    await people.click(MIA, APPROVALS, again, 'approve');
    await people.turned(APPROVALS, again, '1 more needed');
    expect(timesRun(lone, 'ruled')).toBe(0);
    await people.click(LEO, APPROVALS, again, 'approve');
    await people.turned(APPROVALS, again, '✅');
    expect(timesRun(lone, 'ruled')).toBe(1);
  });
});
