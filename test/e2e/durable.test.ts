/**
 * Questions, drafts and agents inside agents, with processes that are killed while people are waited for: what was asked
 * waits on, its answer counts, and what had been done is not done again.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';
import { startScriptedModel } from '../support/scripted-model.ts';
import { Lane } from './lanes.ts';
import { APPROVALS, BOT, controlsOn, DANA, GENERAL, MIA, NOOR, wordsOf, type Shown } from './people.ts';
import type { Point } from './point.ts';

const killed = { code: null, signal: 'SIGKILL' };

/** A lane whose model calls the tool that books trips, and then says so. */
async function tripLane(name: string): Promise<Lane> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  model.reply({ calls: [{ tool: 'book_trip', args: JSON.stringify({ name }) }] });
  model.reply({ text: `The trip ${name} is booked.` });
  const variables = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseURL, OPENAI_MODEL: 'm' };
  const lane = await Lane.open({ variables }, { trips: true, settings: { tickMs: 300 } });
  onTestFinished(() => lane.town.close());
  return lane;
}

const linesOf = (lane: Lane, name: string): string[] =>
  existsSync(lane.file(name)) ? readFileSync(lane.file(name), 'utf8').trim().split('\n') : [];

/** The question as it stands in the thread, open. */
const questionIn = ({ people }: Lane, thread: string): Promise<Shown> =>
  people.see('the question', GENERAL, thread, shown => controlsOn(shown).includes('answer'));

describe('a tool that waits for an answer from inside', () => {
  const points: readonly (readonly [string, string, Point | null])[] = [
    ['while the question waits', 'trip-0', null],
    ['once the question is in the log', 'trip-1', { at: 'append', moment: 'after', of: 'question.asked' }],
  ];
  it.for(points)(
    'was approved first and asks then; killed %s, it goes on with the answer once, and each step is done once [F-I11]',
    async ([, name, point], { expect }) => {
      const lane = await tripLane(name);
      const { people, town } = lane;
      const thread = await people.say(DANA, GENERAL, `<@${BOT}> book ${name}`);
      await people.card(`Book ${name}`, 'approve');
      if (point) town.stage.arm(point);
      await lane.approve(`Book ${name}`);
      if (!point) {
        await questionIn(lane, thread);
        lane.running.send('SIGKILL');
      }
      expect(await lane.next()).toEqual(killed);
      await questionIn(lane, thread);
      await people.say(DANA, GENERAL, 'Atlantis', thread);
      await people.reads(GENERAL, thread, '“Atlantis”', 'there is no such city.', 'Still waiting');
      await people.say(DANA, GENERAL, 'Lisbon', thread);
      await people.reads(GENERAL, thread, '✅ Answered by', 'Lisbon');
      await people.reads(GENERAL, thread, `The trip ${name} is booked.`);
      await people.turned(APPROVALS, await people.card(`Book ${name}`), '✅');
      expect(linesOf(lane, name)).toEqual(['reserved', 'booked from Lisbon']);
      const questions = (await people.messages(GENERAL, thread)).filter(one => wordsOf(one).includes('which city'));
      expect(questions.flatMap(controlsOn)).toEqual([]);
      expect(questions.filter(one => one.user === BOT)).toHaveLength(1);
    },
  );

  it('killed before its question is in the log, nobody knows how far it came, and a person says so [F-B7]', async () => {
    const lane = await tripLane('trip-2');
    const { people, town } = lane;
    const thread = await people.say(DANA, GENERAL, `<@${BOT}> book trip-2`);
    await people.card('Book trip-2', 'approve');
    town.stage.arm({ at: 'append', moment: 'before', of: 'question.asked' });
    await lane.approve('Book trip-2');
    expect(await lane.next()).toEqual(killed);
    const card = await people.card('Book trip-2', 'doubt_ran');
    expect(linesOf(lane, 'trip-2')).toEqual(['reserved']);
    await people.click(MIA, APPROVALS, card, 'doubt_ran');
    await people.turned(APPROVALS, card, '✅', 'was in doubt');
    await people.reads(GENERAL, thread, 'The trip trip-2 is booked.');
    expect(linesOf(lane, 'trip-2')).toEqual(['reserved']);
  });

  it('killed once the answer is in the log, it goes on by itself after the next start', async () => {
    const lane = await tripLane('trip-3');
    const { people, town } = lane;
    const thread = await people.say(DANA, GENERAL, `<@${BOT}> book trip-3`);
    await lane.approve('Book trip-3');
    await questionIn(lane, thread);
    town.stage.arm({ at: 'append', moment: 'after', of: 'question.answered' });
    await people.say(DANA, GENERAL, 'Porto', thread);
    expect(await lane.next()).toEqual(killed);
    await people.reads(GENERAL, thread, 'The trip trip-3 is booked.');
    expect(linesOf(lane, 'trip-3')).toEqual(['reserved', 'booked from Porto']);
  });
});

describe('agents inside agents', () => {
  it('go on in the inner one after kills while its draft waits, and once its call is put to people [F-G6]', async () => {
    const lane = await Lane.open(
      { policyFile: join(repositoryRoot, 'docs/examples/agents/countersign.yaml') },
      { settings: { tickMs: 300 } },
    );
    onTestFinished(() => lane.town.close());
    const { people, town } = lane;
    const thread = await people.say(DANA, GENERAL, `<@${BOT}> write a contract with Acme`);
    const draft = await people.see('the draft', APPROVALS, undefined, one => controlsOn(one).includes('accept'));
    lane.running.send('SIGKILL');
    expect(await lane.next()).toEqual(killed);
    town.stage.arm({ at: 'append', moment: 'after', of: 'approval.requested' });
    await people.click(NOOR, APPROVALS, draft, 'accept');
    expect(await lane.next()).toEqual(killed);
    await people.turned(APPROVALS, draft, 'Accepted by', NOOR);
    await lane.approve('Write contract-acme.txt');
    await people.turned(APPROVALS, await people.card('Write contract-acme.txt'), '✅');
    await people.reads(GENERAL, thread, 'Handed to researcher');
    expect(readFileSync(lane.file('contract-acme.txt'), 'utf8')).toContain('1. Acme delivers within 30 days.');
    expect(await people.cards('Write contract-acme.txt')).toHaveLength(1);
    const { commits } = await town.thread(GENERAL, thread);
    const events = commits.flatMap(commit => commit.events);
    expect(events.filter(event => event.type === 'run.started')).toHaveLength(3);
    expect(events.filter(event => event.type === 'question.asked')).toHaveLength(1);
    const answers = (await people.messages(GENERAL, thread)).filter(one => wordsOf(one).startsWith(DANA));
    expect(answers).toHaveLength(1);
  });
});
