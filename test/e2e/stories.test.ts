/** What else happens to requests, each with a real process: time runs out, they are withdrawn, changed, decided by two, shown in a form. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lanes } from './lanes.ts';
import { APPROVALS, controlsOn, DANA, DANAS_DM, GENERAL, LEO, MIA, OPS, OTTO, wordsOf } from './people.ts';

/** The shipped rules, and in front of them some for single stories. */
const policy = (text: string): string =>
  text.replace(
    'rules:\n',
    `rules:
  - { id: by-two, ask: [execute], when: 'text(args).contains("by-two")', quorum: 2, why: Two have to look. }
  - { id: soon-over, ask: [execute], when: 'text(args).contains("soon-over")', expires: 2s, why: It is urgent. }
`,
  );

let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(3, { policy }, { settings: { tickMs: 300 } });
});
afterAll(() => lanes.close());

describe('a request that nobody decides', () => {
  it.concurrent(
    'expires without anybody’s name, and is asked again by its requester only [F-E11, F-E13, F-J1, F-J4, F-J8, S-31]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await lane.ask(GENERAL, 'soon-over');
        const card = await people.card('soon-over', 'approve');
        const expired = await people.turned(APPROVALS, card, '⌛', 'Expired', 'nobody decided. Nothing ran.');
        expect(controlsOn(expired)).toEqual([]);
        expect(wordsOf(expired)).not.toMatch(/U0MIA|U0LEO/);
        const status = await people.reads(GENERAL, thread, '⌛', 'Nobody decided by');
        await people.reads(GENERAL, thread, 'expired, nobody decided', DANA);
        expect(controlsOn(status)).toEqual(['ask_again']);
        await people.click(OTTO, GENERAL, status, 'ask_again');
        await people.hears(OTTO, 'can ask for this again');
        await people.click(DANA, GENERAL, status, 'ask_again');
        const second = await people.see(
          'a second card',
          APPROVALS,
          undefined,
          one => one.ts > card.ts && controlsOn(one).includes('approve'),
        );
        await people.click(MIA, APPROVALS, second, 'approve');
        await people.turned(APPROVALS, second, '✅', 'said-soon-over');
        expect(lane.timesRun('soon-over')).toBe(1);
      }),
  );
});

describe('a request that its requester withdraws', () => {
  it.concurrent('ends by the word cancel as the whole message, with nothing run [F-B15, F-I3]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(OPS, 'by-word');
      const card = await people.card('by-word', 'approve');
      await people.say(DANA, OPS, 'Cancel!', thread);
      const over = await people.turned(APPROVALS, card, '↩️', 'Withdrawn', DANA);
      expect(controlsOn(over)).toEqual([]);
      await people.reads(OPS, thread, '↩️ ', 'Cancelled. Nothing ran.');
      expect(lane.timesRun('by-word')).toBe(0);
    }),
  );

  it.concurrent('ends by the button, which only the requester or an admin may press [F-I7]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(DANAS_DM, 'by-button');
      const card = await people.card('by-button', 'approve');
      const elsewhere = await lane.ask(GENERAL, 'untouched');
      const other = await people.card('untouched', 'approve');
      const status = await people.see('Cancel', DANAS_DM, thread, one => controlsOn(one).includes('cancel'));
      await people.click(DANA, DANAS_DM, status, 'cancel');
      await people.turned(APPROVALS, card, '↩️', 'Withdrawn');
      const beside = await people.see('Cancel', GENERAL, elsewhere, one => controlsOn(one).includes('cancel'));
      await people.click(OTTO, GENERAL, beside, 'cancel');
      await people.hears(OTTO, 'Only');
      await people.click(LEO, APPROVALS, other, 'approve');
      await people.turned(APPROVALS, other, '✅');
      expect([lane.timesRun('by-button'), lane.timesRun('untouched')]).toEqual([0, 1]);
    }),
  );
});

describe('a requester who writes again while the card waits', () => {
  it.concurrent(
    'stands on the card as a new round; who clicked on the older one has to look again [S-44, F-I2, F-L9]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await lane.ask(OPS, 'two-rounds');
        const card = await people.card('two-rounds', 'approve');
        // The card cannot be edited for a moment: Mia still sees the first round.
        const shown = Promise.withResolvers<void>();
        lane.town.slack.faults.next('chat.update', { kind: 'held', until: shown.promise }, 2);
        await people.say(DANA, OPS, 'sorry, I meant staging', thread);
        await lane.town.delivered();
        await people.click(MIA, APPROVALS, card, 'approve');
        await people.hears(MIA, 'has written since you opened this. Look at the card again, then decide.');
        shown.resolve();
        const second = await people.turned(APPROVALS, card, 'has written since', 'sorry, I meant staging');
        expect(lane.timesRun('two-rounds')).toBe(0);

        const have = await people.see('the question', OPS, thread, one => controlsOn(one).includes('keep_waiting'));
        await people.click(DANA, OPS, have, 'keep_waiting');
        const kept = await people.see(
          'no buttons',
          OPS,
          thread,
          one => one.ts === have.ts && controlsOn(one).length === 0,
        );
        expect(wordsOf(kept)).toContain('I have this, and the approvers see it on the card.');
        await people.click(MIA, APPROVALS, second, 'approve');
        await people.turned(APPROVALS, card, '✅', 'said-two-rounds');
        // What was written meanwhile begins the next run.
        await people.reads(OPS, thread, 'I am a demo of rules');
        expect(lane.timesRun('two-rounds')).toBe(1);
      }),
  );

  it.concurrent('may put the new message in place of the request [F-I9]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(GENERAL, 'instead-of-this');
      const card = await people.card('instead-of-this', 'approve');
      await people.say(DANA, GENERAL, 'run echo rather-this', thread);
      const have = await people.see('the question', GENERAL, thread, one => controlsOn(one).includes('use_instead'));
      await people.click(DANA, GENERAL, have, 'use_instead');
      await people.turned(APPROVALS, card, '↩️', 'sent a new request instead');
      const next = await people.card('rather-this', 'approve');
      await people.click(MIA, APPROVALS, next, 'approve');
      await people.turned(APPROVALS, next, '✅');
      expect(lane.timesRun('instead-of-this')).toBe(0);
    }),
  );
});

describe('a request with conditions', () => {
  it.concurrent('of two people runs once both have approved, and counts one person once [F-D15, S-42, T-A11]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(OPS, 'by-two');
      const card = await people.card('by-two', 'approve');
      expect(wordsOf(card)).toContain('needs 2 of SRE (2 people)');
      await people.click(MIA, APPROVALS, card, 'approve');
      const partly = await people.turned(APPROVALS, card, 'Approved by', MIA, '1 more needed');
      await people.reads(OPS, thread, '1 more needed');
      await people.click(MIA, APPROVALS, partly, 'approve');
      await people.hears(MIA, '1 more person is needed.');
      expect(lane.timesRun('by-two')).toBe(0);
      await people.click(LEO, APPROVALS, partly, 'approve');
      await people.turned(APPROVALS, card, '✅', MIA, LEO);
      expect(lane.timesRun('by-two')).toBe(1);
    }),
  );

  it.concurrent('that is too long for the card is approved in a form that shows all of it [F-H3, T-A2b]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const lines = Array.from({ length: 150 }, (_, line) => `line ${line} of a long text`);
      await people.say(DANA, OPS, `<@U0BOT0001> write "${lines.join(' ')}" to long.txt`);
      const card = await people.card('Write long.txt', 'review', 'reject');
      expect(controlsOn(card)).not.toContain('approve');
      await people.click(OTTO, APPROVALS, card, 'review');
      await people.submit(OTTO, 'review_form', {});
      await people.hears(OTTO, 'and you are not in it');
      await people.click(MIA, APPROVALS, card, 'review');
      const form = await people.form(MIA, 'review_form');
      const packed = (text: string): string => text.replaceAll(/\s/g, '');
      expect(packed(wordsOf(form))).toContain(packed(lines.join(' ')));
      await people.submit(MIA, 'review_form', {});
      await people.turned(APPROVALS, card, '✅', MIA);
      expect(readFileSync(lane.file('long.txt'), 'utf8')).toContain(lines.join(' '));
    }),
  );
});

describe('text', () => {
  it.concurrent('is never a decision: what reads like one is answered privately [F-I3, S-92, T-A6b]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      await lane.ask(GENERAL, 'no-words');
      const card = await people.card('no-words', 'approve');
      await people.say(MIA, APPROVALS, 'approve', card.ts);
      await people.hears(MIA, 'I read no decisions from text.');
      expect(controlsOn(await people.card('no-words'))).toContain('approve');
      expect(lane.timesRun('no-words')).toBe(0);
    }),
  );
});
