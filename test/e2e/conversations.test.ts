/** Who is heard where, and what becomes of words that are no order: each with a real process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lanes } from './lanes.ts';
import {
  APPROVALS,
  controlsOn,
  DANA,
  DANAS_DM,
  GENERAL,
  GUS,
  MIA,
  OPS,
  OTTO,
  PETRA,
  until,
  wordsOf,
} from './people.ts';

const GUSS_DM = 'D0GUS001';

/** The shipped rules; in #general two visitors are answered and nobody else, elsewhere only mentions are listened to. */
const policy = (text: string): string =>
  text.replace('people: {', `people: { visitors: { label: our visitors, users: [${GUS}, ${PETRA}] },`).replace(
    'rules:\n',
    `agents:
  main: { listen: { dm: true, follow_ups: never } }
  desk: { listen: { channels: [${GENERAL}] }, requesters: [visitors] }
rules:
`,
  );

let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(2, { policy }, { settings: { tickMs: 300 } });
});
afterAll(() => lanes.close());

describe('where only mentions are listened to', () => {
  it.concurrent(
    'the person asked just replies; nobody else is heard, and they are not once it is answered [S-47]',
    () =>
      lanes.play(async lane => {
        const { people, town } = lane;
        const thread = await people.say(DANA, OPS, '<@U0BOT0001> book a flight');
        const question = await people.reads(OPS, thread, 'From which city', 'or just reply here');
        await people.say(OTTO, OPS, 'Rome', thread);
        await people.say(DANA, OPS, 'Berlin', thread);
        const over = await people.turned(OPS, question, '✅ Answered by', 'Berlin');
        expect(controlsOn(over)).toEqual([]);
        await people.say(DANA, OPS, 'list notes', thread);
        await people.say(DANA, OPS, '<@U0BOT0001> list notes', thread);
        await people.reads(OPS, thread, 'old.txt');
        const heard = Object.values((await town.thread(OPS, thread)).thread.messages).map(({ text }) => text);
        expect(heard).toEqual(['<@U0BOT0001> book a flight', 'Berlin', '<@U0BOT0001> list notes']);
      }),
  );
});

describe('"cancel"', () => {
  it.concurrent(
    'by somebody else is refused privately and becomes no message; nothing to cancel is said, too [F-D2]',
    () =>
      lanes.play(async lane => {
        const { people, town } = lane;
        const thread = await lane.ask(OPS, 'not-his');
        const card = await people.card('not-his', 'approve');
        await people.say(OTTO, OPS, '<@U0BOT0001> cancel', thread);
        expect(await people.hears(OTTO, 'can cancel this')).toMatch(/^Only .*Dana|^Only .*U0DANA001/);
        await people.say(MIA, OPS, 'stop', thread);
        await people.hears(MIA, 'can cancel this');
        await people.click(MIA, APPROVALS, card, 'approve');
        await people.turned(APPROVALS, card, '✅', 'said-not-his');
        await people.reads(OPS, thread, DANA, 'said-not-his');
        await people.say(DANA, OPS, '<@U0BOT0001> cancel', thread);
        await people.hears(DANA, 'nothing to cancel');
        const { runs, messages } = (await town.thread(OPS, thread)).thread;
        expect(Object.values(runs).map(({ requesters }) => requesters)).toEqual([[DANA]]);
        expect(Object.values(messages)).toHaveLength(1);
      }),
  );
});

describe('direct messages', () => {
  it.concurrent('are a thread each, and need no mention, neither does what follows in it [S-47]', () =>
    lanes.play(async lane => {
      const { people, town } = lane;
      const waits = await people.say(DANA, DANAS_DM, 'run sh -c "echo ran >> in-a-dm"');
      await people.card('in-a-dm', 'approve');
      await people.reads(DANAS_DM, waits, 'Approvers in', 'see your message');
      const other = await people.say(DANA, DANAS_DM, 'list notes');
      await people.reads(DANAS_DM, other, 'old.txt');
      await people.say(DANA, DANAS_DM, 'list notes/', other);
      await until('a second run', async () => {
        const { runs } = (await town.thread(DANAS_DM, other)).thread;
        return Object.values(runs).filter(({ end }) => end?.how === 'succeeded').length === 2 || undefined;
      });
      await people.say(DANA, DANAS_DM, 'cancel', waits);
      await people.reads(DANAS_DM, waits, '↩️', 'Cancelled. Nothing ran.');
      expect(Object.keys((await town.thread(DANAS_DM, waits)).thread.runs)).toEqual(['r1']);
    }),
  );
});

describe('guests and people of other organisations', () => {
  it.concurrent('are answered where a rule names them, and nowhere else; there nobody else is [S-48]', () =>
    lanes.play(async lane => {
      const { people, town } = lane;
      for (const visitor of [GUS, PETRA]) {
        const thread = await people.say(visitor, GENERAL, '<@U0BOT0001> list notes');
        await people.reads(GENERAL, thread, visitor, 'old.txt');
      }
      const closed = await people.say(DANA, GENERAL, '<@U0BOT0001> list notes');
      await people.reads(GENERAL, closed, 'our visitors');
      const alone = await people.say(GUS, GUSS_DM, 'list notes');
      await people.reads(GUSS_DM, alone, 'I only work for members of this organisation');
      const { runs, calls } = (await town.thread(GUSS_DM, alone)).thread;
      expect([Object.values(runs).map(({ end }) => end?.code), calls]).toEqual([['not_a_member'], {}]);
    }),
  );
});

describe('a message that its author changes or takes back while people decide', () => {
  it.concurrent('stands on the card with its new words, and the request falls with it [S-46, S-70]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(OPS, 'taken-back');
      const card = await people.card('taken-back', 'approve');
      await people.correct('edit', { user: DANA, channel: OPS, ts: thread, text: '<@U0BOT0001> run it in staging' });
      await people.turned(APPROVALS, card, 'run it in staging');
      await people.correct('delete', { user: DANA, channel: OPS, ts: thread });
      const over = await people.turned(APPROVALS, card, '↩️', 'Withdrawn', 'Nothing ran');
      expect([controlsOn(over), lane.timesRun('taken-back')]).toEqual([[], 0]);
    }),
  );
});

describe('several people in one thread', () => {
  it.concurrent('are each heard under their own name: whoever asked together may not approve it [F-D2, S-68]', () =>
    lanes.play(async lane => {
      const { people, town } = lane;
      const thread = await lane.ask(OPS, 'of-dana');
      const card = await people.card('of-dana', 'approve');
      const second = `<@U0BOT0001> run sh -c "echo ran >> of-mia; echo said-of-mia"`;
      await people.say(DANA, OPS, '<@U0BOT0001> list notes', thread);
      await people.say(MIA, OPS, second, thread);
      await people.click(MIA, APPROVALS, await people.turned(APPROVALS, card, 'list notes'), 'approve');
      await people.turned(APPROVALS, card, '✅', 'said-of-dana');
      const both = await people.card('of-mia', 'approve');
      for (const user of [MIA, DANA]) {
        await people.click(user, APPROVALS, both, 'approve');
        await people.hears(user, 'You asked for this');
      }
      expect(wordsOf(both)).toMatch(/U0MIA0001|Mia/);
      const { messages } = (await town.thread(OPS, thread)).thread;
      expect(Object.values(messages).map(({ author, name }) => [author, name])).toEqual([
        [DANA, 'Dana Ito'],
        [DANA, 'Dana Ito'],
        [MIA, 'Mia Chen'],
      ]);
      await people.say(DANA, OPS, '<@U0BOT0001> cancel', thread);
      await people.turned(APPROVALS, both, '↩️', 'Withdrawn');
    }),
  );
});
