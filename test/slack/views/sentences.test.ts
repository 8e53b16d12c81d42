import { describe, expect, it } from 'vitest';
import type { RefusalCode } from '../../../src/thread/refusal.ts';
import type { Outcome } from '../../../src/thread/outcome.ts';
import { outcomeOf } from '../../../src/thread/outcome.ts';
import type { Message } from '../../../src/slack/message.ts';
import { troubleContent } from '../../../src/slack/views/operators.ts';
import { plain } from '../../../src/slack/views/line.ts';
import { linkToMessage } from '../../../src/slack/views/links.ts';
import { refusalContent, refusalLine } from '../../../src/slack/views/refusals.ts';
import { reviewForm, rejectForm } from '../../../src/slack/views/forms.ts';
import { render } from '../../../src/slack/views/render.ts';
import { resultText } from '../../../src/slack/views/result.ts';
import { texts } from '../../../src/slack/views/texts/texts.ts';
import { drawAll, drawContent } from './drawn.ts';
import { refusedOf, refusedOfForm, refusedOfMessage, textsOf } from './limits.ts';
import {
  aCall,
  aQuestion,
  calm,
  cardStates,
  clock,
  context,
  ending,
  frozen,
  ids,
  miaAndLeo,
  request,
  sre,
  terms,
  threadOf,
  type Part,
  need,
} from './fixtures.ts';

const chinese = { ...context, language: 'zh' as const };

/** Every path of a table, functions and all. */
const pathsOf = (table: object, path = ''): string[] =>
  Object.entries(table).flatMap(([key, value]: [string, unknown]) => {
    const here = `${path}.${key}`;
    const leaf = typeof value !== 'object' || value === null || Array.isArray(value);
    return leaf ? [`${here} ${Array.isArray(value) ? 'line' : typeof value}`] : pathsOf(value, here);
  });

describe('The tables of texts', () => {
  it('have the same keys in every language', () => {
    expect(pathsOf(texts.zh).sort()).toEqual(pathsOf(texts.en).sort());
  });

  it('are translated: no sentence is the same in both, but names', () => {
    const flat = (table: object): [string, string][] =>
      Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
        typeof value === 'string'
          ? [[key, value] as [string, string]]
          : typeof value === 'object' && value !== null
            ? flat(value)
            : [],
      );
    const english = new Map(flat(texts.en));
    const same = flat(texts.zh).filter(([key, value]) => english.get(key) === value && /[a-z]{3}/.test(value));
    expect(
      same
        .map(([, value]) => value)
        .filter(
          value =>
            !['Countersign', 'own'].includes(value) && !/^(own|words|person|time|link|channel|group)$/.test(value),
        ),
    ).toEqual([]);
  });

  it('promise nobody anything with please, and name no exception', () => {
    const all = JSON.stringify(texts.en);
    expect(all).not.toMatch(/\b(?:[Pp]lease|Oops|Error:|undefined|null)\b/);
  });
});

describe('In Chinese', () => {
  it.each(['waiting', 'partly approved', 'done', 'in doubt', 'rejected, replan', 'expired', 'not run', 'asked again'])(
    'everything reads: %s',
    state => {
      const thread = threadOf([need(cardStates[state])], { answer: '完成了。' });
      expect(drawAll(render(thread, calm, chinese))).toMatchSnapshot();
    },
  );

  it('everything keeps to the limits, and no English sentence is left', () => {
    for (const part of Object.values(cardStates)) {
      const thread = threadOf([part]);
      const messages: Message[] = render(thread, frozen, chinese);
      expect(messages.flatMap(refusedOfMessage)).toEqual([]);
      const ours = messages.flatMap(one => textsOf(one.content.blocks)).filter(found => found.kind === 'mrkdwn');
      for (const { text } of ours)
        expect(text.replace(/<[^>]*>/g, '').replace(/SRE|Leads|production|replicas|A-[A-Z0-9]{4}/g, '')).not.toMatch(
          /[A-Za-z]{4} /,
        );
      const approval = need(part.approval);
      expect(refusedOfForm(rejectForm(thread, approval, chinese))).toEqual([]);
      expect(refusedOfForm(need(reviewForm(thread, approval, chinese)))).toEqual([]);
    }
  });
});

const codes: readonly RefusalCode[] = [
  'not_found',
  'other_environment',
  'wrong_card',
  'already_decided',
  'already_counted',
  'expired',
  'withdrawn',
  'superseded',
  'stale_round',
  'changed_since',
  'key_reused',
  'requester',
  'not_approver',
  'guest',
  'external',
  'deactivated',
  'bot',
  'lookup_failed',
  'frozen',
  'too_early',
  'not_yours',
  'nothing_to_do',
  'busy',
  'reason_needed',
  'review_needed',
  'thread_damaged',
  'unknown_control',
  'not_asked',
  'bad_answer',
  'bad_edit',
  'not_editable',
  'denied',
  'unchanged',
  'quorum_impossible',
  'option_needed',
  'no_grant',
  'not_admin',
  'may_not_freeze',
  'not_your_record',
];

const refusalText = (...given: Parameters<typeof refusalLine>): string => plain(refusalLine(...given));

describe('A refusal', () => {
  const part: Part = need(cardStates['asked again']);
  const refusal = (code: RefusalCode, given: Part = part) => ({
    code,
    ...(given.approval ? { approval: given.approval.id } : {}),
    actor: ids.mia,
    atMs: clock(14, 3),
    by: ids.leo,
    untilMs: clock(14, 6),
  });

  it('speaks of the question where a question was meant, and says why an answer or an edit was not taken', () => {
    const question = aQuestion();
    const asked = threadOf([{ call: aCall(0), questions: [question] }]);
    const told = (code: RefusalCode, detail?: string): string =>
      plain(refusalLine({ code, question: question.id, ...(detail === undefined ? {} : { detail }) }, asked, context));
    expect(told('not_asked')).toBe('This question is for Dana. Nothing was changed.');
    expect(told('expired')).toBe('This question has expired. Nothing was changed.');
    expect(told('withdrawn')).toBe('An answer is no longer needed. Nothing was changed.');
    expect(told('bad_answer', 'not_whole')).toBe('Not taken: that is not a whole number. The question is still open.');
    expect(told('bad_edit', 'replicas must be from 1 to 50')).toBe(
      'The edited call is not valid: replicas must be from 1 to 50. Nothing was changed.',
    );
  });

  it('of "cancel" where nothing is at work says so', () => {
    const answer = { code: 'nothing_to_do', detail: 'cancel' } as const;
    expect(refusalText(answer, null, context)).toBe('I am not at work in this thread, so there is nothing to cancel.');
    expect(refusalText(answer, null, chinese)).toContain('没有什么可取消的');
  });

  it.each(codes)('has its sentence in both languages: %s', code => {
    const thread = threadOf([part]);
    expect(
      `${refusalText(refusal(code), thread, context, frozen)}\n${refusalText(refusal(code), thread, chinese, frozen)}`,
    ).toMatchSnapshot();
  });

  it('still has a sentence when nothing is known', () => {
    for (const code of [...codes, 'use_buttons' as const, 'not_a_member' as const])
      for (const language of [context, chinese]) {
        const sentence = refusalText({ code }, null, language);
        expect(sentence.length).toBeGreaterThan(5);
        expect(sentence).not.toContain('undefined');
        expect(refusedOf(refusalContent({ code }, null, language))).toEqual([]);
      }
  });

  it.each([
    ['running', 'running'],
    ['done', 'done'],
    ['in doubt', 'in doubt'],
    ['rejected, replan', 'rejected'],
  ])('of a click too late says what it has come to: %s', state => {
    const late = need(cardStates[state]);
    const thread = threadOf([late]);
    const by = state.startsWith('rejected') ? ids.mia : ids.leo;
    expect(refusalText({ ...refusal('already_decided', late), by }, thread, context)).toMatchSnapshot();
  });

  it('of a Stop says who has stopped it and who may, not who has approved it', () => {
    const running = need(cardStates['running']);
    const told = (code: RefusalCode): string =>
      plain(refusalLine({ ...refusal(code, running), by: ids.dana, detail: 'stop' }, threadOf([running]), context));
    expect(told('already_decided')).toMatch(/ stopped this at .* Nothing more to do\.$/);
    expect(told('already_decided')).not.toContain('approved');
    expect(told('not_yours')).toMatch(/^Only .*, whoever may decide this, or an admin can stop it\.$/);
  });

  it('mentions people, and rings nobody', () => {
    const late = request(
      { is: 'approved' },
      { votes: miaAndLeo, state: { is: 'approved', option: null, atMs: clock(14, 5) } },
    );
    const content = refusalContent(refusal('already_decided', late), threadOf([late]), context);
    expect(drawContent(content)).toContain('<@U0LEO0001> approved this');
    expect(content.text).not.toContain('<@');
  });

  it('of the requester names who decides instead, and of one scope in the singular', () => {
    const one = request({ is: 'waiting' }, { terms: { ...terms, ladder: [{ afterMs: 0, scopes: [sre] }] } });
    const thread = threadOf([one]);
    expect(refusalText(refusal('requester', one), thread, context)).toBe(
      'You asked for this, so somebody else decides: SRE. You can cancel it in the thread.',
    );
    expect(refusalText(refusal('not_approver', one), thread, context)).toBe(
      'SRE decides this, and you are not in it. Nothing was changed.',
    );
  });
});

describe('What the model is told', () => {
  const call = aCall(0);
  const refused = (code: string, detail: string | null = null): Outcome => ({ is: 'refused', code, detail, atMs: 0 });
  const outcomes: Record<string, Outcome> = {
    ...Object.fromEntries(
      Object.entries(cardStates).map(([name, part]) => {
        const thread = threadOf([part]);
        return [name, outcomeOf(thread, need(thread.calls[part.call.id]))];
      }),
    ),
    denied: refused('denied', 'Nothing runs as root from Slack.'),
    'no approvers': refused('no_approvers'),
    'too long': refused('too_long'),
    'rejected before': refused('rejected_before'),
    'not valid': refused('invalid_arguments', 'argv: at least one word'),
    'a code that nobody knows': refused('brand_new'),
    'a long result': {
      is: 'done',
      ending: ending(call, { result: null, blob: { id: 'b1', digest: 'd'.repeat(64) as never, bytes: 48_000 } }),
    },
    'an empty result': { is: 'done', ending: ending(call, { result: '' }) },
  };

  it.each(Object.entries(outcomes))('about %s', (_, outcome) => {
    expect(resultText(outcome, context)).toMatchSnapshot();
  });

  it('is the same in every language of the cards', () => {
    for (const outcome of Object.values(outcomes))
      expect(resultText(outcome, chinese)).toBe(resultText(outcome, context));
  });

  it('says of everything that people stopped: did not run, final, no other way [T-A20b]', () => {
    for (const name of [
      'rejected, replan',
      'rejected, stop',
      'expired',
      'withdrawn',
      'not run',
      'denied',
      'rejected before',
    ]) {
      const text = resultText(need(outcomes[name]), context);
      expect(text).toMatch(/^did not run/);
      expect(text.toLowerCase()).toContain('final');
      expect(text).toMatch(/same end/);
    }
  });

  it('names nobody on an expiry [F-J1]', () => {
    expect(resultText(need(outcomes['expired']), context)).not.toMatch(/Mia|Leo|person/);
  });
});

describe('Operators', () => {
  const CALL = 'C'.repeat(26);

  it.each(['undelivered', 'thread_damaged', 'model_away', 'in_doubt', 'something_new'])(
    'are told in a sentence: %s',
    code => {
      const trouble = { cause: 'C0APPROV1', code, detail: 'not_in_channel <!channel>', about: null, over: false };
      expect(
        `${drawContent(troubleContent(trouble, context))}\n${drawContent(troubleContent({ ...trouble, over: true }, chinese))}`,
      ).toMatchSnapshot();
      expect(refusedOf(troubleContent(trouble, context))).toEqual([]);
    },
  );

  it('are told of a call by its summary and short id, with a link to its card; no long id stands there', () => {
    const content = troubleContent(
      {
        cause: `in_doubt ${CALL}`,
        code: 'in_doubt',
        detail: 'Scale <billing> to 2 replicas',
        about: { channel: ids.approvals, ts: ids.root, short: 'A-7F3K' },
        over: false,
      },
      context,
    );
    const drawn = drawContent(content);
    expect(drawn).toMatchSnapshot();
    expect(drawn).not.toContain(CALL);
    expect(content.text).toContain('Scale &lt;billing&gt; to 2 replicas');
    expect(JSON.stringify(content.blocks)).toContain(`<${linkToMessage(ids.approvals, ids.root)}|open>`);
    expect(refusedOf(content)).toEqual([]);
  });

  it('are asked for nothing once a doubt is settled', () => {
    const doubt = { cause: 'in_doubt x', code: 'in_doubt', detail: 'Run echo', about: null };
    expect(troubleContent({ ...doubt, over: false }, context).text).toContain('Somebody must say so');
    expect(troubleContent({ ...doubt, over: true }, context).text).toBe(
      '✅ Over: It has been settled what became of a call.',
    );
  });

  it('are told of a channel by its name, and of a thread by a link', () => {
    const about = { channel: ids.approvals };
    const trouble = { cause: 'undelivered C0APPROV1', code: 'undelivered', detail: 'not_in_channel', over: false };
    const undelivered = JSON.stringify(troubleContent({ ...trouble, about }, context).blocks);
    for (const words of ['<#C0APPROV1>', 'I am not in that channel']) expect(undelivered).toContain(words);
    expect(undelivered).not.toContain('not_in_channel');
    const budget = troubleContent({ ...trouble, code: 'budget', detail: 'wall', about }, context);
    expect(JSON.stringify(budget.blocks)).toContain('The time of one run.');
    const thread = { channel: ids.ops, ts: ids.root };
    const damaged = {
      cause: 'damaged thread#T#C#1',
      code: 'thread_damaged',
      detail: 'chain',
      about: thread,
      over: false,
    };
    const blocks = JSON.stringify(troubleContent(damaged, context).blocks);
    expect(blocks).toContain('|open>');
    expect(blocks).not.toContain('thread#T');
  });
});
