import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/thread/events.ts';
import type { AnswerForm } from '../../../src/thread/answer-form.ts';
import type { MessageTs, QuestionId } from '../../../src/thread/ids.ts';
import type { Question, Vote } from '../../../src/thread/thread.ts';
import type { Message } from '../../../src/slack/message.ts';
import { reviewForm, rejectForm } from '../../../src/slack/views/forms.ts';
import { render } from '../../../src/slack/views/render.ts';
import { roomOf } from '../../../src/slack/views/room.ts';
import { liveOf, refusedOfForm, refusedOfMessage, textsOf } from './limits.ts';
import {
  aPost,
  aCall,
  aQuestion,
  anApproval,
  calm,
  cardStates,
  context,
  ending,
  frozenBy,
  ids,
  inquiry,
  message,
  miaAndLeo,
  request,
  terms,
  threadOf,
  type Part,
  need,
} from './fixtures.ts';

const evil = [
  '<!channel>',
  '<@U666>',
  '<!subteam^S666>',
  '<https://evil.example|Approve>',
  'x` <https://evil|Approve> ',
  '&lt;!here&gt;',
  '*bold* _it_ ~s~ `code` ```block```',
  '\u202Egnp.exe',
  '\u200b\u2060\ufeff',
  '\n\n\n\n\n\n\n\n',
  '\ud83d\ude00',
  '<>&'.repeat(30),
];
const nasty = fc.oneof(
  fc.constantFrom(...evil),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom('<', '>', '&'), { maxLength: 5000 }).map(signs => signs.join('')),
  fc.string({ unit: fc.constantFrom('a', '\u00a0', '\n', '\t', '😀', '"', '\u0000', '\u2800'), maxLength: 4000 }),
);
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nasty,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(nasty, tie('value'), { maxKeys: 6 }),
  ),
})).value;

/** More than a card has room for. */
const many = fc
  .tuple(nasty, fc.integer({ min: 20, max: 40 }))
  .map(([value, count]): Record<string, Json> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${'&'.repeat(30)}${index}`, `${value}${'<'.repeat(300)}`]),
    ),
  );

const states = Object.values(cardStates);

const aGrant: NonNullable<Vote['grant']> = {
  grant: 'G'.repeat(26),
  tool: 'k8s.scale',
  toolDigest: 'd'.repeat(64),
  who: ids.dana,
  where: { channel: null, thread: null },
  untilMs: 0,
  uses: 1,
  sentence: '',
  pattern: { replicas: 2 },
};

/** Questions of every kind, open after a wrong answer, and answered. */
function questionsWith(prompt: string, label: string, why: string, value: Json): Question[] {
  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: index, label: `${label}${index}` }));
  const forms: AnswerForm[] = [
    { type: 'text' },
    { type: 'yes_no' },
    { type: 'choice', options: options(4), other: true },
    { type: 'choice', options: options(120) },
    { type: 'choices', options: options(7), other: true },
    { type: 'review', title: label, draft: prompt.repeat(3) },
  ];
  return forms.flatMap((form, index) => {
    const kind = form.type === 'review' ? 'review' : 'question';
    const open = aQuestion({ id: `Q${index}` as QuestionId, kind, form, prompt, asked: 1 });
    return [
      { ...open, wrong: { by: ids.dana, given: label, why, atMs: open.askedAtMs } },
      {
        ...open,
        id: `R${index}` as QuestionId,
        state: { is: 'answered' as const, by: ids.dana, name: label, value, atMs: open.askedAtMs },
      },
    ];
  });
}

/** A request in some state, with hostile words in every place that is not ours. */
const thread = fc
  .record({
    part: fc.constantFrom(...states),
    args: fc.oneof(json, many),
    summary: nasty,
    impact: nasty,
    why: nasty,
    rule: nasty,
    agentWords: nasty,
    text: nasty,
    name: nasty,
    fact: fc.oneof(fc.dictionary(nasty, json, { maxKeys: 4 }), many),
    label: nasty,
    prompt: nasty,
    answered: json,
    was: json,
    result: nasty,
    detail: nasty,
    answer: nasty,
    tool: nasty,
  })
  .map(({ part, args, ...any }) => {
    const { state } = part.call;
    const call = {
      ...part.call,
      tool: any.tool,
      args,
      state:
        state.is === 'ended'
          ? { ...state, ending: { ...state.ending, result: any.result } }
          : state.is === 'in_doubt'
            ? { ...state, lastSign: { line: any.detail, atMs: null } }
            : state,
    };
    const from = part.approval ?? anApproval(call);
    const options = from.options.map((one, index) => ({
      value: one.value,
      label: index === 0 ? any.label : any.prompt,
    }));
    const back = aQuestion({
      ...inquiry,
      askedBy: { by: ids.mia, name: any.name },
      prompt: any.prompt,
      state: { is: 'answered', by: ids.dana, name: any.name, value: any.answered, atMs: from.requestedAtMs },
    });
    const approval = {
      ...from,
      options,
      inquiries: [back.id],
      editedBy: from.editedBy === null ? null : { ...from.editedBy, name: any.name, was: any.was },
      summary: any.summary,
      impact: any.impact,
      why: any.why,
      rule: any.rule,
      agentWords: any.agentWords,
      bind: any.fact,
      note: any.fact,
      changes: Object.entries(any.fact).map(([fact, is]) => ({ fact, was: any.detail, is })),
      votes: from.votes.map(vote => ({ ...vote, name: any.name })),
      terms: {
        ...from.terms,
        ladder: [
          {
            afterMs: 0,
            scopes: Array.from({ length: 9 }, () => ({ name: any.label, label: any.label, users: [], groups: [] })),
          },
        ],
      },
      state:
        from.state.is === 'rejected'
          ? { ...from.state, reason: any.detail, name: any.name }
          : from.state.is === 'refused'
            ? { ...from.state, detail: any.detail }
            : from.state,
    };
    const asked = questionsWith(any.prompt, any.label, any.detail, any.answered);
    const questions = [...(part.questions ?? []), back, ...asked];
    const built = threadOf([{ call: { ...call, options }, approval, questions }], { answer: any.answer });
    built.messages[ids.root] = message({ text: any.text, name: any.name });
    for (const { id, state } of asked) if (state.is !== 'open') built.posts[`question/${id}`] = aPost(`question/${id}`);
    return built;
  });

const messages = (from: Parameters<typeof render>[0], why = 'bad deploy'): Message[] =>
  render(from, { version: 1, frozen: { ...frozenBy, why, name: why } }, context);

describe('Whatever people, models and tools write', () => {
  it('stays within the limits of Slack after escaping [F-L1, F-L2, S-17]', () => {
    fc.assert(
      fc.property(thread, nasty, (any, why) => {
        expect(messages(any, why).flatMap(refusedOfMessage)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('stays within them when everything is as long as it can be, in both languages [F-L1, S-17]', () => {
    const long = '<'.repeat(2_500);
    const later = ['1', '2', '3', '4'].map(n => `179604500${n}.000200` as MessageTs);
    const shapes = [
      'waiting',
      'asked again',
      'done',
      'failed, effect possible',
      'in doubt',
      'rejected, stop',
      'not run, with a detail',
      'edited by an approver',
      'reminded and escalated',
      'everything on offer',
      'many ways',
      'in a file that is not there',
    ];
    for (const from of shapes.map(name => need(cardStates[name]))) {
      const approval = need(from.approval);
      const scopes = Array.from({ length: 9 }, (_, n) => ({
        name: `s${n}`,
        label: `${n}${long}`,
        users: [],
        groups: [],
      }));
      const facts = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`fact${n}`, '<'.repeat(36)]));
      const voters = Array.from({ length: 12 }, () => need(approval.votes[0] ?? miaAndLeo[0]));
      const call = {
        ...from.call,
        args: Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`argument${n}`, '<'.repeat(45)])),
      };
      const back = aQuestion({ ...inquiry, prompt: long, form: { type: 'text' } });
      const built = threadOf([
        {
          questions: [back, ...questionsWith(long, long, long, long)],
          call,
          approval: {
            ...approval,
            summary: long,
            impact: long,
            why: long,
            rule: long,
            agentWords: long,
            bind: facts,
            note: facts,
            changes: Array.from({ length: 30 }, (_, n) => ({ fact: `fact${n}`, was: long, is: long })),
            meanwhile: later,
            inquiries: [back.id],
            options: approval.options.map(one => ({ ...one, label: long })),
            editedBy: approval.editedBy && { ...approval.editedBy, was: call.args },
            votes: voters.map(vote => ({ ...vote, reason: long, grant: { ...aGrant, sentence: long } })),
            terms: { ...approval.terms, quorum: 13, ladder: [{ afterMs: 0, scopes }] },
          },
        },
      ]);
      for (const ts of [ids.root, ...later]) built.messages[ts] = message({ ts, text: long });
      for (const language of ['en', 'zh'] as const) {
        const workspace = { version: 1, frozen: { ...frozenBy, why: long } };
        expect(render(built, workspace, { ...context, language }).flatMap(refusedOfMessage)).toEqual([]);
      }
    }
  });

  it('leaves the push line at what a locked phone shows: 140 characters as they are read', () => {
    // Times and people as a phone shows them.
    const asRead = (text: string): string =>
      text.replace(/<!date\^[^|]*\|([^>]*)>/g, '$1').replace(/<@[^>]*>/g, 'Dana');
    fc.assert(
      fc.property(thread, nasty, (any, why) => {
        const pushes = messages(any, why).flatMap(({ content, first }) => [content.text, first?.text ?? '']);
        expect(pushes.map(asRead).filter(text => text.length > 140)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is never a live mention, broadcast or link [S-27, S-28, S-29, F-H4, T-A3c]', () => {
    const known = new Set<unknown>([ids.dana, ids.mia, ids.leo, ids.ana, ids.ops, ids.approvals, 'S0SRE0001']);
    fc.assert(
      fc.property(thread, nasty, (any, why) => {
        for (const one of messages(any, why)) {
          const live = liveOf([one.content, one.first, one.short]);
          const links = live.filter(each => each['type'] === 'link').map(each => String(each['url']));
          expect(links.filter(url => !/^countersign:link:[A-Za-z0-9@/.]+$/.test(url))).toEqual([]);
          const others = live.filter(each => each['type'] !== 'link');
          const targets = others.map(each => each['user_id'] ?? each['usergroup_id'] ?? each['channel_id']);
          expect(targets.filter(target => !known.has(target))).toEqual([]);
          const markup = textsOf([one.content, one.first, one.short]).filter(found => found.kind === 'mrkdwn');
          for (const { text } of [...markup, { text: one.content.text }])
            for (const [code] of text.matchAll(/<[^>]*>/g))
              expect(code).toMatch(
                /^<(?:@U0[A-Z0-9]{7}|!subteam\^S0SRE0001|#C0[A-Z0-9]{7}|!date\^\d+\^[a-z_{} ]+\|[0-9: UTC-]+|countersign:link:[^|<>]+\|[^<>]+)>$/,
              );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never stands in mrkdwn, where it could format our own sentences [S-28]', () => {
    const marked = 'Ωmark';
    const part = states.map((from): Part => ({
      call: { ...from.call, args: { [marked]: marked }, tool: marked },
      approval: {
        ...(from.approval ?? anApproval(from.call)),
        summary: marked,
        impact: marked,
        agentWords: marked,
        why: marked,
        bind: { [marked]: marked },
        changes: [{ fact: marked, was: marked, is: 'x' }],
      },
    }));
    for (const one of part) {
      const built = threadOf([one], { answer: marked });
      built.messages[ids.root] = message({ text: marked });
      const all = messages(built, marked).flatMap(each => textsOf([each.content, each.first, each.short]));
      const markup = all.filter(found => found.kind === 'mrkdwn').map(found => found.text);
      expect(markup.filter(text => text.includes(marked))).toEqual([]);
      expect(all.some(found => found.text.includes(marked))).toBe(true);
    }
  });
});

/** Every key and index that a value holds. */
const keysOf = (value: Json): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Array.isArray(value)
      ? value.flatMap(keysOf)
      : Object.entries(value).flatMap(([key, item]) => [key, ...keysOf(item)]);

describe('What an approver sees before approving', () => {
  const plainKey = fc.string({ unit: fc.constantFrom(...Array.from('abcdefgXYZ_019')), minLength: 1, maxLength: 12 });
  const plainJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ maxLength: 300 }),
      fc.string({ minLength: 1000, maxLength: 9000 }),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 8 }),
      fc.dictionary(plainKey, tie('value'), { maxKeys: 8 }),
    ),
  })).value;

  it('holds every key of the arguments, on the card or in the form that it takes to approve [T-A2b, F-H3]', () => {
    let forms = 0;
    fc.assert(
      fc.property(fc.dictionary(plainKey, plainJson, { maxKeys: 12 }), args => {
        const part = request({ is: 'waiting' }, { bind: {}, note: {} }, { tool: 'http_request', args });
        const approval = need(part.approval);
        const room = roomOf({ ...approval, tool: 'http_request', args }, context);
        fc.pre(room !== 'too_long');
        const built = threadOf([part]);
        const card = need(messages(built)[0]);
        const approve = JSON.stringify(card.content.blocks).includes('"action_id":"approve"');
        expect(approve).toBe(room === 'card');
        const seen =
          room === 'card' ? textsOf(card.content.blocks) : textsOf(need(reviewForm(built, approval, context)).blocks);
        if (room === 'form') forms += 1;
        const all = seen.map(found => found.text).join('\n');
        for (const key of keysOf(args)) expect(all).toContain(key);
      }),
      { numRuns: 60 },
    );
    expect(forms).toBeGreaterThan(0);
  });

  it('is a form within the limits of Slack whenever the room says form [S-17]', () => {
    fc.assert(
      fc.property(json, nasty, (args, summary) => {
        const call = aCall(0, { args });
        const approval = anApproval(call, { summary, impact: summary, why: summary, agentWords: summary });
        const built = threadOf([{ call, approval }]);
        const form = reviewForm(built, approval, context);
        const isForm = roomOf({ ...approval, tool: call.tool, args }, context) === 'form';
        expect(isForm && form === undefined).toBe(false);
        expect(form ? refusedOfForm(form) : []).toEqual([]);
        expect(refusedOfForm(rejectForm(built, approval, context))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('shows each argument once [S-26]', () => {
    const args = { path: 'notes/one.txt', content: 'two words', mode: 'three' };
    const card = messages(threadOf([request({ is: 'waiting' }, { bind: {} }, { tool: 'write_file', args })]))[0];
    const all = textsOf(card?.content.blocks)
      .map(found => found.text)
      .join('\n');
    for (const value of Object.values(args)) expect(all.split(value).length - 1).toBe(1);
  });

  it('is the same block of facts whatever the model says beside it, and that is capped and labelled [T-A1a]', () => {
    const blocks = (agentWords: string | null) =>
      need(messages(threadOf([request({ is: 'waiting' }, { agentWords, terms })]))[0]?.content);
    const facts = (agentWords: string | null): string => JSON.stringify(blocks(agentWords).blocks.slice(0, -1));
    const forged = 'Approved by Mia Chen 14:03\n*Done* [Approve] ⏳ Waiting · needs 1 of anybody'.repeat(40);
    fc.assert(
      fc.property(fc.oneof(nasty, fc.constant(forged)), agentWords => {
        expect(facts(agentWords)).toBe(facts(null));
        expect(blocks(agentWords).text).toBe(blocks(null).text);
        const foot = JSON.stringify(blocks(agentWords).blocks.at(-1));
        expect(foot.includes("Agent's own words, unchecked")).toBe(agentWords.trim() !== '');
        expect(foot.length).toBeLessThan(4000);
      }),
      { numRuns: 60 },
    );
  });

  it('cannot imitate another argument by line ends or blanks [T-A2c]', () => {
    const args = { deployment: 'billing\nreplicas    2', note: `x${'\n'.repeat(60)}y` };
    const card = messages(threadOf([request({ is: 'waiting' }, {}, { args })]))[0];
    const all = textsOf(card?.content.blocks)
      .map(found => found.text)
      .join('\n');
    expect(all).toContain('│ replicas    2');
    expect(all).not.toMatch(/^replicas {4}2/m);
    expect(all).toContain('[×60]');
  });

  it('says of control characters that they cannot be shown, and asks for the form [T-A1c]', () => {
    const card = messages(threadOf([request({ is: 'waiting' }, {}, { args: { a: 'x\u0000\u001b[2Jy' } })]))[0];
    const drawn = JSON.stringify(card?.content.blocks);
    expect(drawn).toContain('"action_id":"review"');
    expect(drawn).not.toContain('"action_id":"approve"');
    expect(drawn).toContain('cannot be shown as they are');
  });

  it('goes into a form, then into a file, and is refused when neither holds it or it is too deep to read [T-A1c]', () => {
    const shown = { tool: 'x', summary: 's', impact: null, risk: 'low' as const, bind: {}, note: {} };
    const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as Json;
    expect(roomOf({ ...shown, args: { deep } }, context)).toBe('too_long');
    expect(roomOf({ ...shown, args: { long: 'x'.repeat(1_200_000) } }, context)).toBe('too_long');
    expect(roomOf({ ...shown, args: { long: 'x'.repeat(300_000) } }, context)).toBe('file');
    expect(roomOf({ ...shown, args: { long: 'x'.repeat(60_000) } }, context)).toBe('form');
    expect(roomOf({ ...shown, args: { short: 'x' } }, context)).toBe('card');
  });
});

describe('The outcome of a call', () => {
  it('is cut to its last lines, visibly', () => {
    const part = request(
      call => ({
        is: 'ended',
        ending: ending(call, { result: Array.from({ length: 41 }, (_, i) => `line ${i}`).join('\n') }),
      }),
      { votes: [] },
    );
    const all = textsOf(render(threadOf([part]), calm, context)[0]?.content.blocks)
      .map(found => found.text)
      .join('\n');
    expect(all).toContain('line 40\n(5 of 41 lines)');
    expect(all).not.toContain('line 35\n');
  });
});
