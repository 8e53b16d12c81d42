/** What is checked between a request and its run, with real processes: people, the world, the rules, and a socket that drops. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lanes } from './lanes.ts';
import { ANA, APPROVALS, controlsOn, DANA, GENERAL, LEO, MIA, OPS, until, wordsOf } from './people.ts';

const SRE = 'S0SRE0001';
/** The shipped rules, and in front of them some for single stories. */
const policy = (text: string): string =>
  text.replace(
    'rules:\n',
    `rules:
  - { id: by-two, ask: [execute], when: 'text(args).contains("by-two")', quorum: 2, why: Two have to look. }
  - { id: alone, ask: [execute], when: 'text(args).contains("alone")', why: Nobody else comes later. }
  - { id: by-oneself, ask: [execute], when: 'text(args).contains("by-oneself")', self_approval: with_reason, why: A trial. }
`,
  );

let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(3, { policy }, { settings: { tickMs: 300 } });
});
afterAll(() => lanes.close());

describe('people', () => {
  it.concurrent('who lost their rights no longer count: the request waits for another one [T-A9a, T-A12b]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      await lane.ask(GENERAL, 'by-two');
      const card = await lane.approve('by-two');
      await people.turned(APPROVALS, card, MIA, '1 more needed');
      await people.arrange('group', { group: SRE, users: [DANA, LEO, ANA] });
      await lane.town.delivered();
      await people.click(LEO, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, card, 'Waiting', LEO, '1 more needed');
      expect(lane.timesRun('by-two')).toBe(0);
      await people.click(ANA, APPROVALS, card, 'approve');
      const done = await people.turned(APPROVALS, card, '✅', LEO, ANA);
      expect(wordsOf(done)).not.toContain(MIA);
      expect(lane.timesRun('by-two')).toBe(1);
      await people.arrange('group', { group: SRE, users: [DANA, MIA, LEO] });
    }),
  );

  it.concurrent('who cannot be looked up are not counted and told so; the card stays [S-50, T-A12c, F-E10]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      await lane.ask(OPS, 'looked-up');
      const card = await people.card('looked-up', 'approve');
      lane.town.slack.faults.next('users.info', { kind: 'status', status: 500 }, 2);
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.hears(MIA, 'Slack did not tell me');
      expect(lane.timesRun('looked-up')).toBe(0);
      await lane.approve('looked-up');
      await people.turned(APPROVALS, card, '✅');
      expect(lane.timesRun('looked-up')).toBe(1);
    }),
  );

  it.concurrent(
    'who alone could decide on their own request are told the way out, and no card appears [S-90, F-D4]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        await people.arrange('group', { group: SRE, users: [DANA] });
        await lane.town.delivered();
        const thread = await lane.ask(GENERAL, 'alone');
        await people.reads(GENERAL, thread, 'nobody approves their own request', 'self_approval: with_reason');
        expect(await people.cards('alone')).toEqual([]);
        await people.arrange('group', { group: SRE, users: [DANA, MIA, LEO] });
        await lane.town.delivered();
      }),
  );

  it.concurrent('may approve their own request where the rule lets them, with a reason that all can read [F-D12]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      await lane.ask(OPS, 'by-oneself');
      const card = await people.card('by-oneself', 'approve');
      await people.click(DANA, APPROVALS, card, 'approve');
      await people.submit(DANA, 'review_form', { reason: { reason: 'Nobody else is here.' } });
      await people.turned(APPROVALS, card, '✅', DANA, 'Nobody else is here.');
      expect(lane.timesRun('by-oneself')).toBe(1);
    }),
  );
});

describe('the world', () => {
  it.concurrent(
    'that changed while the card waited is shown as it is now, and asked about again [F-H1, F-H8, S-62, T-A9a]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await people.say(DANA, GENERAL, '<@U0BOT0001> write "mine" to shared.txt');
        const card = await people.card('Write shared.txt', 'approve');
        writeFileSync(lane.file('shared.txt'), 'somebody else was here');
        await people.click(MIA, APPROVALS, card, 'approve');
        const old = await people.turned(APPROVALS, card, '🔁', 'Replaced');
        expect(controlsOn(old)).toEqual([]);
        expect(readFileSync(lane.file('shared.txt'), 'utf8')).toBe('somebody else was here');
        const again = await people.card('Write shared.txt', 'approve');
        expect(again.ts > card.ts).toBe(true);
        expect(wordsOf(again)).toContain('Asked again');
        await people.reads(GENERAL, thread, 'Asked again');
        await people.click(MIA, APPROVALS, again, 'approve');
        await people.turned(APPROVALS, again, '✅');
        expect(readFileSync(lane.file('shared.txt'), 'utf8')).toBe('mine');
      }),
  );
});

describe('a rule that denies', () => {
  it.concurrent('is told with its why, and nobody is asked', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await people.say(DANA, OPS, '<@U0BOT0001> run sudo reboot');
      await people.reads(OPS, thread, 'Nothing runs as root from Slack.');
      expect(await people.cards('sudo')).toEqual([]);
    }),
  );
});

describe('a socket that drops', () => {
  it.concurrent(
    'is opened again: a message on its way is not lost, a lost click leaves the card alive, and it runs once [S-11, S-13]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        lane.town.slack.disconnectApp();
        const thread = await lane.ask(OPS, 'reconnected');
        const card = await people.card('reconnected', 'approve');
        lane.town.slack.disconnectApp();
        // Slack may lose a click that falls into the gap: then the card still stands there, and the next one counts.
        await until('a click to count', async () => {
          const now = await people.card('reconnected');
          if (!controlsOn(now).includes('approve')) return true;
          await people.click(MIA, APPROVALS, now, 'approve').catch(() => {});
          return undefined;
        });
        await people.turned(APPROVALS, card, '✅');
        await people.reads(OPS, thread, 'said-reconnected', DANA);
        expect(lane.timesRun('reconnected')).toBe(1);
      }),
  );
});
