import { describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/thread/decide/command.ts';
import type { MessageTs, RunId } from '../../src/thread/ids.ts';
import { DANA, HOUR_MS, MIA, OTTO, Stage, terms } from './stage.ts';

const amend = (stage: Stage, message: MessageTs, text: string, author = DANA) =>
  stage.do({ type: 'amend', message, author, text, salt: stage.fresh() });
const remove = (stage: Stage, message: MessageTs) => stage.do({ type: 'remove', message });
const text = (stage: Stage, message: Incoming) => stage.thread.messages[message.ts]?.text;
const types = (decision: { events: readonly { type: string }[] }) => decision.events.map(event => event.type);

/** A run that began with one message and waits for people, with that message. */
function asking(quorum = 1): { stage: Stage; message: Incoming } {
  const stage = new Stage();
  const message = stage.say('scale billing down');
  stage.take();
  stage.start();
  stage.reply('', { args: 1, verdict: terms({ quorum }) });
  return { stage, message };
}

describe('a message that its author changes', () => {
  test('is read as it stands when its run begins, and starts none [S-70]', () => {
    const stage = new Stage();
    const message = stage.say('delete notes');
    expect(types(amend(stage, message.ts, 'list notes'))).toEqual(['message.edited']);
    expect(text(stage, message)).toBe('list notes');
    expect(stage.thread.messages[message.ts]?.editedAtMs).toBe(stage.nowMs);
    expect(stage.thread.runCount).toBe(0);
    expect(stage.thread.queue).toEqual([message.ts]);
  });

  test('while people decide about what it asked for stands on the card with its new words: votes fall [S-70, S-46]', () => {
    const { stage, message } = asking(2);
    stage.click('approve');
    const { digest, requestedAtMs, expiresAtMs } = stage.approval();
    expect(types(amend(stage, message.ts, 'scale billing down, in staging'))).toEqual([
      'message.edited',
      'round.opened',
    ]);
    expect(stage.approval()).toMatchObject({ round: 2, card: 1, votes: [], meanwhile: [message.ts] });
    expect(stage.approval()).toMatchObject({ requestedAtMs, expiresAtMs });
    expect(stage.approval().digest).not.toBe(digest);
    expect(stage.click('approve', MIA, { round: 1 }).refusal?.code).toBe('stale_round');
    amend(stage, message.ts, 'and again');
    expect(stage.approval()).toMatchObject({ round: 3, meanwhile: [message.ts] });
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test('that was written while a request waits stands on its card with its new words as well', () => {
    const { stage } = asking();
    const later = stage.say('quickly');
    expect(types(amend(stage, later.ts, 'slowly'))).toEqual(['message.edited', 'round.opened']);
    expect(stage.approval()).toMatchObject({ round: 3, meanwhile: [later.ts] });
    expect(stage.thread.queue).toEqual([later.ts]);
  });

  test('afterwards, or by somebody who asked for nothing that waits, is only on record', () => {
    const { stage, message } = asking();
    const others = stage.say('what about search?', OTTO);
    expect(types(amend(stage, others.ts, 'never mind', OTTO))).toEqual(['message.edited']);
    expect(stage.approval().round).toBe(1);
    stage.click('approve');
    expect(types(amend(stage, message.ts, 'in staging'))).toEqual(['message.edited']);
    stage.claim();
    stage.ended();
    expect(types(amend(stage, message.ts, 'in production'))).toEqual(['message.edited']);
    expect(stage.call()).toMatchObject({ args: 1, state: { is: 'ended' } });
  });

  test('is nobody else’s to change, and the same words, or a message of which nothing is known, are nothing', () => {
    const { stage, message } = asking();
    expect(types(amend(stage, message.ts, 'other', MIA))).toEqual([]);
    expect(types(amend(stage, message.ts, 'scale billing down'))).toEqual([]);
    expect(types(amend(stage, '1.000001' as MessageTs, 'hello'))).toEqual([]);
    expect(text(stage, message)).toBe('scale billing down');
  });

  test('never answers a question, nor changes the answer that it was', () => {
    const { stage } = asking();
    const approval = stage.approval();
    stage.do({
      type: 'inquire',
      approval: approval.id,
      round: 1,
      text: 'Which cluster?',
      key: 'k',
      actor: stage.actor(MIA),
      card: { channel: stage.key.channel, ts: stage.key.ts, is: 'ours' },
    });
    const answer = stage.say('eu-1');
    expect(types(amend(stage, answer.ts, 'eu-2'))).toEqual(['message.edited']);
    expect(types(remove(stage, answer.ts))).toEqual(['message.deleted']);
    expect(stage.question().state).toMatchObject({ is: 'answered', value: 'eu-1' });
    expect(stage.approval().round).toBe(1);
    expect(stage.run().end).toBeNull();
  });
});

describe('a message that its author takes back', () => {
  test('before a run has read it is not read, and starts none [S-70]', () => {
    const stage = new Stage();
    const message = stage.say('delete notes');
    expect(types(remove(stage, message.ts))).toEqual(['message.deleted']);
    expect(stage.thread.queue).toEqual([]);
    expect(stage.start().events).toEqual([]);
    expect(stage.next().effects).toEqual([]);
    expect(types(remove(stage, message.ts))).toEqual([]);
    expect(types(amend(stage, message.ts, 'and yet'))).toEqual([]);
  });

  test('cancels the run that it began, as long as that has only read or waits [S-70]', () => {
    const { stage, message } = asking();
    const { events } = remove(stage, message.ts);
    expect(types({ events })).toEqual(['message.deleted', 'cancel.requested', 'approval.settled', 'run.ended']);
    expect(stage.run().end).toMatchObject({ how: 'cancelled', by: DANA });
    expect(stage.run().cancelled).toMatchObject({ source: 'deleted', by: DANA });
    expect(stage.outcomes()).toEqual(['withdrawn']);
    expect(stage.click('approve').refusal?.code).toBe('withdrawn');
    const reading = new Stage();
    const asked = reading.say('read and scale');
    reading.take();
    reading.start();
    reading.reply('', { name: 'read_file', verdict: 'allow' });
    reading.claim(reading.call(), { verdict: 'allow' });
    reading.ended();
    reading.reply('', { args: 1 });
    remove(reading, asked.ts);
    expect(reading.outcomes()).toEqual(['done', 'withdrawn']);
  });

  test('when something has begun, or others asked as well, or it is over, is only on record [S-70]', () => {
    const begun = asking();
    begun.stage.click('approve');
    begun.stage.claim();
    expect(types(remove(begun.stage, begun.message.ts))).toEqual(['message.deleted']);
    expect(begun.stage.run().end).toBeNull();
    begun.stage.ended();
    begun.stage.reply('Done.');
    expect(types(remove(begun.stage, begun.message.ts))).toEqual([]);
    const over = asking();
    over.stage.pass(4 * HOUR_MS);
    over.stage.do({ type: 'expire', approval: over.stage.approval().id });
    over.stage.reply('Nobody decided.');
    expect(types(remove(over.stage, over.message.ts))).toEqual(['message.deleted']);
    const shared = new Stage();
    const first = shared.say('scale it');
    const second = shared.say('and quickly', OTTO);
    shared.take();
    shared.start();
    shared.reply('', { args: 1 });
    expect(types(remove(shared, first.ts))).toEqual(['message.deleted']);
    expect(shared.outcomes()).toEqual(['waiting']);
    remove(shared, second.ts);
    expect(shared.outcomes()).toEqual(['withdrawn']);
  });

  test('cancels nothing once a nested run has begun something', () => {
    const stage = new Stage();
    const message = stage.say('write it');
    stage.take();
    stage.start();
    stage.reply('', { name: 'read_ask_writer', verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('writer', { on: 'run', agent: 'writer', task: 'write' });
    stage.reply('', { args: 1 });
    stage.click('approve');
    stage.claim();
    expect(types(remove(stage, message.ts))).toEqual(['message.deleted']);
    expect(stage.run('r1' as RunId).end).toBeNull();
  });
});
