import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitText, fitValue, type AnswerForm } from '../../src/thread/answer-form.ts';
import type { Asking } from '../../src/thread/decide/command.ts';
import { canonical } from '../../src/thread/digest.ts';
import type { Json } from '../../src/thread/events.ts';
import { isOpenQuestion } from '../../src/thread/thread.ts';
import { ANA, DANA, HOUR_MS, LEADS, LEO, MIA, OTTO, Stage } from './stage.ts';

const asks = (form: AnswerForm, more: Partial<Extract<Asking, { on: 'question' }>> = {}): Asking => ({
  on: 'question',
  kind: form.type === 'review' ? 'review' : form.type.startsWith('choice') ? 'choice' : 'question',
  prompt: 'From which city?',
  form,
  scopes: [],
  channel: null,
  expiresInMs: 4 * HOUR_MS,
  ...more,
});

/** A run whose tool has asked. */
function asked(form: AnswerForm = { type: 'text' }, more: Partial<Extract<Asking, { on: 'question' }>> = {}): Stage {
  const stage = new Stage().asks({ name: 'read_user', verdict: 'allow' });
  stage.claim(stage.call(), { verdict: 'allow' });
  stage.suspend('city', asks(form, more));
  return stage;
}

const resume = (stage: Stage) => stage.claim(stage.call(), { verdict: 'allow' });

describe('a question', () => {
  test('makes its call wait, and its answer lets the call go on as the next attempt [F-E4, F-I11]', () => {
    const stage = asked();
    expect(stage.call().state).toMatchObject({ is: 'suspended', name: 'city', wait: { on: 'question' } });
    expect(stage.next().effects).toEqual([]);
    expect(resume(stage).events).toEqual([]);
    stage.answer({ text: 'Berlin' });
    expect(stage.question().state).toMatchObject({ is: 'answered', by: DANA, value: 'Berlin' });
    expect(stage.next().effects).toEqual(['claim']);
    resume(stage);
    expect(stage.call()).toMatchObject({ attempts: 2, state: { is: 'claimed', claim: { resumes: { name: 'city' } } } });
    expect(stage.thread).toEqual(stage.replayed());
  });

  test('keeps false, 0, the empty text and the empty list exactly as they were given [F-A6]', () => {
    const falsy: [AnswerForm, Json][] = [
      [{ type: 'yes_no' }, false],
      [{ type: 'number' }, 0],
      [{ type: 'text', optional: true }, ''],
      [{ type: 'choices', options: [{ value: 1, label: 'one' }] }, []],
      [{ type: 'choice', options: [{ value: null, label: 'none' }] }, null],
    ];
    for (const [form, value] of falsy) {
      const stage = asked(form);
      stage.answer({ value });
      expect(stage.replayed().questions[stage.question().id]?.state).toMatchObject({ is: 'answered', value });
    }
  });

  test('stays open after an answer that does not fit, and says why', () => {
    const stage = asked({ type: 'number', min: 1, max: 50, whole: true });
    const misfits: [string, string][] = [
      ['Atlantis', 'not_a_number'],
      ['', 'not_a_number'],
      ['0', 'too_small'],
      ['51', 'too_large'],
      ['1.5', 'not_whole'],
    ];
    for (const [text, why] of misfits) {
      expect(stage.answer({ text }).refusal).toMatchObject({ code: 'bad_answer', detail: why });
      expect(stage.question()).toMatchObject({ state: { is: 'open' }, wrong: { given: text, why } });
    }
    stage.answer({ text: ' 7 ' });
    expect(stage.question().state).toMatchObject({ value: 7 });
  });

  test('takes the next answer of a form that was told what is wrong, and of no other earlier one', () => {
    const stage = asked({ type: 'number' });
    const told = { asked: 0, key: 'V1.hash' };
    for (const text of ['some', 'many'])
      expect(stage.answer({ text }, DANA, told).refusal).toMatchObject({ code: 'bad_answer' });
    expect(stage.answer({ text: '1' }, DANA, { asked: 0 }).refusal?.code).toBe('changed_since');
    expect(stage.answer({ text: '0' }, DANA, told).refusal).toBeUndefined();
    expect(stage.question().state).toMatchObject({ value: 0 });
    expect(stage.thread).toEqual(stage.replayed());
  });

  test('opens again when its tool does not take the answer, in the tool’s own words; an older form of it is stale', () => {
    const stage = asked();
    stage.answer({ text: 'Atlantis' });
    resume(stage);
    const call = stage.call();
    const execution = `${call.id}.2` as never;
    const refuse = { type: 'answerRefused', call: call.id, execution, question: stage.question().id } as const;
    stage.do({ ...refuse, why: 'is not a city I know' });
    expect(stage.call().state.is).toBe('suspended');
    expect(stage.question()).toMatchObject({
      asked: 1,
      state: { is: 'open' },
      wrong: { given: 'Atlantis', why: 'is not a city I know' },
    });
    expect(stage.answer({ text: 'Bonn' }, DANA, { asked: 0 }).refusal?.code).toBe('changed_since');
    stage.answer({ text: 'Bonn' });
    expect(stage.question().state).toMatchObject({ value: 'Bonn' });
    expect(stage.thread).toEqual(stage.replayed());
  });

  test('is answered only by the people it is put to; others change nothing and are on record once', () => {
    const stage = asked();
    for (const [by, code] of [
      [MIA, 'not_asked'],
      [OTTO, 'not_asked'],
    ] as const) {
      expect(stage.answer({ text: 'Rome' }, by).refusal?.code).toBe(code);
      expect(stage.answer({ text: 'Rome' }, by).events).toEqual([]);
    }
    expect(isOpenQuestion(stage.question())).toBe(true);
  });

  test('of experts is answered by one of them, never by the requester, and not while nobody knows who they are', () => {
    const stage = asked({ type: 'review', title: 'Contract', draft: 'a' }, { scopes: [LEADS] });
    const accept = { value: { action: 'accept' } } as const;
    expect(stage.answer(accept, DANA, { actor: stage.actor(DANA, { scopes: ['leads'] }) }).refusal?.code).toBe(
      'requester',
    );
    expect(stage.answer(accept, MIA).refusal?.code).toBe('not_asked');
    const unsure = stage.actor(LEO, { scopes: [], unknownScopes: ['leads'] });
    expect(stage.answer(accept, LEO, { actor: unsure }).refusal?.code).toBe('lookup_failed');
    expect(stage.answer(accept, ANA, { actor: stage.actor(ANA, { standing: 'deactivated' }) }).refusal?.code).toBe(
      'deactivated',
    );
    stage.answer({ value: { action: 'edit', text: 'b' } }, ANA);
    expect(stage.question().state).toMatchObject({ by: ANA, value: { action: 'edit', text: 'b' } });
  });

  test('takes the same answer twice as once, and another one after it as too late [F-A4, F-L7, T-A21c]', () => {
    const stage = asked();
    stage.answer({ text: 'Rome' }, DANA, { key: 'k' });
    expect(stage.answer({ text: 'Rome' }, DANA, { key: 'k' })).toEqual({ events: [], repeated: true });
    expect(stage.answer({ text: 'Bonn' }, DANA, { key: 'k' }).refusal?.code).toBe('key_reused');
    expect(stage.answer({ text: 'Bonn' }).refusal).toMatchObject({ code: 'already_decided', by: DANA });
  });

  test('that nobody answers is over at its time, and its tool goes on with that [F-J4]', () => {
    const stage = asked().pass(4 * HOUR_MS);
    expect(stage.answer({ text: 'Rome' }).refusal?.code).toBe('expired');
    expect(stage.next({ lease: 'others' }).effects).toEqual(['close_question']);
    stage.do({ type: 'closeQuestion', question: stage.question().id });
    expect(stage.question().state.is).toBe('expired');
    expect(stage.next().effects).toEqual(['claim']);
  });

  test('ends with its run, and with it the call that waited [F-I7]', () => {
    const stage = asked();
    stage.cancel();
    expect(stage.question().state.is).toBe('withdrawn');
    expect(stage.call().state).toMatchObject({
      is: 'ended',
      ending: { how: 'failed', code: 'cancelled', effect: 'none' },
    });
    expect(stage.answer({ text: 'Rome' }).refusal?.code).toBe('withdrawn');
  });
});

describe('a message', () => {
  test('of the asked person answers the question that waits for them, and starts no run of its own', () => {
    const stage = asked();
    stage.say('<@U0BOT0001> Berlin', DANA);
    expect(stage.question().state).toMatchObject({ is: 'answered', value: 'Berlin' });
    expect(stage.thread.queue).toEqual([]);
  });

  test('that does not fit is kept on the question as the wrong answer', () => {
    const stage = asked({ type: 'choice', options: [{ value: 'v41', label: 'yesterday' }] });
    stage.say('Atlantis', DANA);
    expect(stage.question()).toMatchObject({
      state: { is: 'open' },
      asked: 1,
      wrong: { given: 'Atlantis', why: 'not_an_option' },
    });
    stage.say('Yesterday', DANA);
    expect(stage.question().state).toMatchObject({ value: 'v41' });
  });

  test('is no answer when it is somebody else’s [F-A3, F-I3]', () => {
    const stage = asked();
    stage.say('<@U0BOT0001> Rome', OTTO);
    expect(isOpenQuestion(stage.question())).toBe(true);
  });

  test('is heard from whoever is asked while the question is open, and from nobody else, where only mentions are listened to [S-47]', () => {
    const quiet = { mention: false, followUps: 'never' } as const;
    const stage = asked();
    stage.say('Rome', OTTO, quiet);
    expect(Object.values(stage.thread.messages)).toHaveLength(1);
    const two = [stage.message('Berlin', DANA, quiet), stage.message('and a hotel', DANA, quiet)];
    stage.do({ type: 'receive', messages: two, salt: 's' });
    expect(stage.question().state).toMatchObject({ is: 'answered', value: 'Berlin', by: DANA });
    stage.say('thanks', DANA, quiet);
    expect(Object.values(stage.thread.messages).map(({ text }) => text)).toEqual(['do it', 'Berlin']);
    expect(stage.thread.queue).toEqual([]);

    const late = asked().pass(4 * HOUR_MS);
    late.say('Berlin', DANA, quiet);
    const review = asked({ type: 'review', title: 'Contract', draft: 'a' });
    review.say('looks good', DANA, quiet);
    for (const { thread } of [late, review]) expect(Object.values(thread.messages)).toHaveLength(1);
  });

  test('answers an approver who asks back where only mentions are listened to; the request stays in its round', () => {
    const stage = new Stage().asks({});
    const { id, round } = stage.approval();
    const card = { is: 'ours', channel: 'C0APPROV1', ts: '1.1' } as never;
    const asking = { type: 'inquire', approval: id, round, text: 'Which cluster?', key: 'q1', card } as const;
    stage.do({ ...asking, actor: stage.actor(MIA, { scopes: ['sre'] }) });
    stage.say('eu-1', DANA, { mention: false, followUps: 'never' });
    expect(stage.question().state).toMatchObject({ is: 'answered', value: 'eu-1' });
    expect(stage.approval()).toMatchObject({ round, state: { is: 'open' } });
    stage.say('or eu-2', DANA, { mention: false, followUps: 'never' });
    expect(stage.approval().round).toBe(round);
  });

  /** Two tools have asked Dana, and a third call waits for people. */
  function askedTwice(): Stage {
    const stage = new Stage().asks(
      { name: 'read_a', verdict: 'allow' },
      { name: 'read_b', verdict: 'allow', args: 2 },
      { args: 3 },
    );
    for (const index of [0, 1]) {
      stage.claim(stage.call(index), { verdict: 'allow' });
      stage.suspend('city', asks({ type: 'text' }), stage.call(index));
    }
    return stage;
  }

  test('that may answer either of two questions answers none, says so at the latest, and does nothing else [F-A3]', () => {
    for (const more of [{ mention: false }, { mention: true }, { mention: false, followUps: 'never' }] as const) {
      const stage = askedTwice();
      const said = stage.say('Rome', DANA, more);
      const [first, second] = Object.values(stage.thread.questions);
      expect(first).toMatchObject({ state: { is: 'open' }, wrong: null });
      expect(second).toMatchObject({
        state: { is: 'open' },
        wrong: { given: 'Rome', why: 'which_question' },
        asked: 0,
      });
      expect(stage.thread.queue).toEqual([]);
      expect(stage.thread.messages[said.ts]).toMatchObject({ text: 'Rome', run: 'r1' });
      expect(stage.approval(2).round).toBe(1);
      expect(stage.do({ type: 'receive', messages: [said], salt: 's' }).events).toEqual([]);
      expect(stage.thread).toEqual(stage.replayed());
    }
  });

  test('leaves the forms and buttons of two questions as they were; once one is answered it answers the other', () => {
    const stage = askedTwice();
    stage.say('Rome', DANA);
    const [first, second] = Object.values(stage.thread.questions);
    if (!first || !second) throw new Error('Two were asked.');
    stage.answer({ text: 'Bonn' }, DANA, { question: second.id, asked: 0 });
    stage.say('Rome', DANA);
    const states = Object.values(stage.thread.questions).map(({ state }) => state);
    expect(states).toMatchObject([{ value: 'Rome' }, { value: 'Bonn' }]);
    expect(stage.thread.queue).toEqual([]);
  });

  test('answers the question beside a review, which has buttons only', () => {
    const stage = askedTwice();
    const [first] = Object.values(stage.thread.questions);
    if (first) Object.assign(first, { kind: 'review', form: { type: 'review', title: 'Contract', draft: 'a' } });
    stage.say('Rome', DANA);
    expect(Object.values(stage.thread.questions).map(({ state }) => state.is)).toEqual(['open', 'answered']);
  });
});

describe('an answer', () => {
  const options = [
    { value: 'v41', label: 'v41 (yesterday)' },
    { value: 0, label: 'v40' },
    { value: false, label: '3' },
  ];

  test('typed is read by label first, then by number, several of them set apart by commas of either language', () => {
    const one: AnswerForm = { type: 'choice', options };
    expect(fitText(one, 'V41 (Yesterday)')).toEqual({ ok: true, value: 'v41' });
    expect(fitText(one, '2')).toEqual({ ok: true, value: 0 });
    expect(fitText(one, '3')).toEqual({ ok: true, value: false });
    expect(fitText(one, '4')).toEqual({ ok: false, why: 'not_an_option' });
    expect(fitText({ ...one, other: true }, 'v39')).toEqual({ ok: true, value: 'v39' });
    const several: AnswerForm = { type: 'choices', options, max: 2 };
    expect(fitText(several, 'v40，1')).toEqual({ ok: true, value: [0, 'v41'] });
    expect(fitText(several, 'none')).toEqual({ ok: true, value: [] });
    expect(fitText(several, '1, 2, 3')).toEqual({ ok: false, why: 'too_many' });
    for (const [said, value] of [
      ['Yes!', true],
      ['否', false],
      ['0', false],
    ] as const)
      expect(fitText({ type: 'yes_no' }, said)).toEqual({ ok: true, value });
    expect(fitText({ type: 'yes_no' }, 'maybe')).toEqual({ ok: false, why: 'not_yes_or_no' });
  });

  test('is kept exactly or not at all: a number of more digits than can be kept is told so', () => {
    expect(fitText({ type: 'number' }, '9007199254740991')).toEqual({ ok: true, value: 9007199254740991 });
    expect(fitText({ type: 'number' }, '12345678901234567890')).toEqual({ ok: false, why: 'too_large' });
    expect(fitText({ type: 'number' }, '-12345678901234567890')).toEqual({ ok: false, why: 'too_small' });
  });

  test('finds an option whose words hold a comma whole, and counts what is named twice once', () => {
    const cities: AnswerForm = {
      type: 'choices',
      options: [
        { value: 'ber', label: 'Berlin, Germany' },
        { value: 'par', label: 'Paris' },
      ],
      other: true,
    };
    expect(fitText(cities, 'paris, berlin, germany')).toEqual({ ok: true, value: ['par', 'ber'] });
    expect(fitText(cities, 'Berlin, Germany; Oslo, Berlin')).toEqual({ ok: true, value: ['ber', 'Oslo', 'Berlin'] });
    expect(fitText({ ...cities, min: 2 }, 'Paris, paris')).toEqual({ ok: false, why: 'too_few' });
    expect(fitValue({ ...cities, min: 2 }, ['par', 'par'])).toEqual({ ok: false, why: 'too_few' });
  });

  test('that fits is kept unchanged, whatever JSON it is; nothing else fits', () => {
    const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), json, (values, value) => {
        const form: AnswerForm = { type: 'choice', options: values.map((each, n) => ({ value: each, label: `${n}` })) };
        const fitted = fitValue(form, value);
        const isOption = values.some(each => same(each, value));
        expect(fitted).toEqual(isOption ? { ok: true, value } : { ok: false, why: 'not_an_option' });
      }),
    );
  });
});

/** The same JSON, whatever the order of its names. */
const same = (a: Json, b: Json): boolean => canonical(a) === canonical(b);
