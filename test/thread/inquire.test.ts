import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/thread/decide/command.ts';
import { CARD, DANA, HOUR_MS, LEO, MIA, OTTO, Stage } from './stage.ts';

let forms = 0;
const inquire = (
  stage: Stage,
  text = 'Which cluster?',
  by = MIA,
  more: Partial<Extract<Command, { type: 'inquire' }>> = {},
) =>
  stage.do({
    type: 'inquire',
    approval: stage.approval().id,
    round: stage.approval().round,
    text,
    key: `V${(forms += 1)}.h1`,
    actor: stage.actor(by),
    card: CARD,
    ...more,
  });

describe('an approver’s question about a request', () => {
  test('reaches those who asked for it, and the answer stands with it; the request waits as it was', () => {
    const stage = new Stage().asks({});
    const { round, digest, expiresAtMs } = stage.approval();
    inquire(stage, '  Which cluster? ');
    expect(stage.question()).toMatchObject({
      about: stage.approval().id,
      askedBy: { by: MIA, name: `name of ${MIA}` },
      to: [DANA],
      prompt: 'Which cluster?',
      form: { type: 'text' },
      call: null,
      expiresAtMs,
    });
    expect(stage.approval().inquiries).toEqual([stage.question().id]);
    stage.answer({ text: 'eu-1' });
    expect(stage.question().state).toMatchObject({ is: 'answered', by: DANA, value: 'eu-1' });
    expect(stage.approval()).toMatchObject({ round, digest, state: { is: 'open' } });
    expect(stage.click('approve').refusal).toBeUndefined();
  });

  test('is answered by the next message of who asked, which opens no round and begins no run', () => {
    const stage = new Stage().asks({});
    inquire(stage);
    stage.say('eu-1', DANA, { mention: false });
    expect(stage.question()).toMatchObject({ state: { is: 'answered', value: 'eu-1' } });
    expect(stage.approval().round).toBe(1);
    expect(stage.thread.queue).toEqual([]);
    stage.say('sorry, eu-2', DANA, { mention: false });
    expect(stage.approval().round).toBe(2);
    expect(stage.thread.queue).toHaveLength(1);
  });

  test('of two messages that come together, the first answers and the second is a message', () => {
    const stage = new Stage().asks({});
    inquire(stage);
    const messages = ['eu-1', 'no, eu-2'].map(text => stage.message(text, DANA, { mention: false }));
    stage.do({ type: 'receive', messages, salt: 's' });
    expect(stage.question().state).toMatchObject({ value: 'eu-1' });
    expect(stage.approval().round).toBe(2);
    expect(stage.thread.queue).toEqual([messages[1]?.ts]);
  });

  test('is for those who may decide, while it waits, on its own card', () => {
    const stage = new Stage().asks({});
    expect(inquire(stage, 'why?', DANA).refusal?.code).toBe('requester');
    expect(inquire(stage, 'why?', OTTO).refusal?.code).toBe('not_approver');
    expect(inquire(stage, 'why?', MIA, { round: 2 }).refusal?.code).toBe('stale_round');
    expect(inquire(stage, 'why?', MIA, { card: { ...CARD, is: 'wrong' } }).refusal?.code).toBe('wrong_card');
    expect(inquire(stage, ' ').refusal).toMatchObject({ code: 'bad_answer', detail: 'empty' });
    expect(inquire(stage, 'x'.repeat(501)).refusal).toMatchObject({ code: 'bad_answer', detail: 'too_long' });
    expect(inquire(stage, 'why?', MIA, { approval: 'Q'.repeat(26) as never }).refusal?.code).toBe('not_found');
    expect(stage.thread.questions).toEqual({});
    stage.pass(4 * HOUR_MS);
    expect(inquire(stage).refusal?.code).toBe('expired');
    const decided = new Stage().asks({});
    decided.click('approve', LEO);
    expect(inquire(decided).refusal).toMatchObject({ code: 'already_decided', by: LEO });
  });

  test('counts once; its key with other words is refused; five wait at most', () => {
    const stage = new Stage().asks({});
    inquire(stage, 'one', MIA, { key: 'V.h' });
    expect(inquire(stage, 'one', MIA, { key: 'V.h' })).toMatchObject({ repeated: true, events: [] });
    expect(inquire(stage, 'other', MIA, { key: 'V.h' }).refusal?.code).toBe('key_reused');
    for (const text of ['two', 'three', 'four', 'five']) expect(inquire(stage, text, LEO).refusal).toBeUndefined();
    expect(inquire(stage, 'six').refusal?.code).toBe('busy');
    stage.answer({ text: 'so' });
    expect(inquire(stage, 'six').refusal).toBeUndefined();
  });

  test('is over with the request', () => {
    for (const over of ['approve', 'reject', 'cancel'] as const) {
      const stage = new Stage().asks({});
      inquire(stage);
      if (over === 'cancel') stage.cancel();
      else stage.click(over);
      expect(stage.question().state.is).toBe('withdrawn');
      expect(stage.answer({ text: 'eu-1' }).refusal?.code).toBe('withdrawn');
      expect(stage.replayed()).toEqual(stage.thread);
    }
  });
});
