/** What a person sees of what waits: complete, in order, within Slack's limits, and nothing in it is markup of others. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptView } from '../../src/local/blocks/views.ts';
import type { JsonObject } from '../../src/local/json.ts';
import { closedHome, homeBlocks, overviewMessage } from '../../src/slack/views/home.ts';
import { ACTIONS } from '../../src/slack/views/actions.ts';
import { cardKey } from '../../src/slack/views/keys.ts';
import type { Grant } from '../../src/thread/grant.ts';
import type { ExecutionId, GrantId, MessageTs, WriterId } from '../../src/thread/ids.ts';
import type { Claim } from '../../src/thread/thread.ts';
import type { OpenCall, OpenQuestion, Overview } from '../../src/worker/ports.ts';
import {
  aPost,
  aQuestion,
  cardStates,
  clock,
  context,
  frozen,
  ids,
  need,
  request,
  terms,
  threadOf,
  type Part,
} from './views/fixtures.ts';
import { nothingOpen } from './inbound/stage.ts';
import { refusedOf } from './views/limits.ts';

const address = ({ channel, ts }: { channel: string; ts: string }): string => `https://acme.example/${channel}/${ts}`;
const draw = (overview: Partial<Overview>): string =>
  JSON.stringify(homeBlocks({ ...nothingOpen, ...overview }, context, address));
const openCall = (part: Part): OpenCall => {
  const thread = threadOf([part]);
  const approval = part.approval;
  if (approval) {
    const key = cardKey(approval, 1);
    thread.posts[key] = aPost(key, { ts: '5.000001' as MessageTs });
  }
  return { thread, run: need(thread.runs[ids.run]), call: need(thread.calls[part.call.id]) };
};
const openQuestion = (over: Parameters<typeof aQuestion>[0] = {}): OpenQuestion => {
  const question = aQuestion(over);
  return { thread: threadOf([{ ...request(), questions: [question] }]), question };
};
const grant = (over: Partial<Grant> = {}): Grant => ({
  grant: 'G'.repeat(26) as GrantId,
  tool: 'k8s.scale',
  toolDigest: 'a',
  who: ids.dana,
  where: { channel: ids.ops, thread: null },
  untilMs: clock(15, 5),
  uses: 5,
  by: ids.mia,
  name: 'Mia Chen',
  sentence: 'k8s.scale where namespace = staging',
  pattern: { namespace: 'staging' },
  givenAtMs: clock(14, 5),
  used: [],
  revoked: null,
  ...over,
});

test('everything that waits stands there with its control: to review, to settle, to answer, to cancel, to revoke', () => {
  const home = draw({
    waitingForYou: [openCall(request()), openCall(need(cardStates['in doubt']))],
    questionsForYou: [openQuestion()],
    youAsked: [openCall(request())],
    grants: [grant()],
    lately: [openCall(need(cardStates['done'])), openCall(need(cardStates['a way was chosen']))],
  });
  for (const words of [
    'Waiting for you (2)',
    '⏳ Scale billing in production from 6 to 2 replicas',
    'until <!date^',
    '0 of 2',
    'high risk',
    '❓ Did “Scale billing',
    'Questions for you (1)',
    'From which city do you fly?',
    'You asked (1)',
    '<https://acme.example/C0APPROV1/5.000001|card>',
    'Allowed for a while (1)',
    '0 of 5 used',
    'Lately',
    '✅ Scale billing',
    'Chosen: “version 1 (&lt;!here&gt; &amp; all)”',
  ])
    expect(home).toContain(words);
  const { review, settle, answer, cancel, revoke, record, freeze } = ACTIONS;
  for (const action of [review, settle, answer, cancel, revoke, record, freeze])
    expect(home).toContain(`"action_id":"${action}"`);
});

test('what happened lately names who approved, and who edited', () => {
  const home = draw({ lately: [openCall(need(cardStates['edited, then done']))] });
  expect(home).toMatch(/\*Done\*.* · Edited by <@U0MIA0001> · Approved by <@U0MIA0001>/);
});

const suspendedOn = (question: Parameters<typeof aQuestion>[0]): OpenCall => {
  const asked = aQuestion(question);
  const { call, thread } = openCall({ ...request(), questions: [asked] });
  const claim: Claim = {
    attempt: 1,
    execution: 'e1' as ExecutionId,
    holder: 'node1/1' as WriterId,
    atMs: 1,
    startByMs: 2,
    endsByMs: 3,
    workspace: 0,
    resumes: null,
  };
  call.approval = null;
  call.state = { is: 'suspended', name: 'answer', claim, wait: { on: 'question', id: asked.id }, sinceMs: 1 };
  return { thread, run: need(thread.runs[ids.run]), call };
};

test('what was asked names who is waited for: experts for a review, nobody of the approvers', () => {
  const legal = { name: 'legal', label: 'Legal', users: [ids.ana], groups: [] };
  const home = draw({ youAsked: [suspendedOn({ to: [], scopes: [legal], kind: 'review' })] });
  expect(home).toContain('for a review by Legal');
  expect(home).not.toContain('SRE');
});

test('a request is looked at from Home, approving comes after, also while everything is frozen', () => {
  const home = draw({ waitingForYou: [openCall(request())], workspace: frozen });
  expect(home).toContain('"text":"Review"');
  expect(home).not.toContain('Review to approve');
});

test('what is allowed for a while says for what, by whom, for whom, where, and until when in the reader’s own time', () => {
  const home = draw({ grants: [grant({ where: { channel: ids.ops, thread: '1.1' as never } })] });
  expect(home).toContain('k8s.scale where namespace = staging');
  expect(home).toContain('until <!date^');
  expect(home).toMatch(/by <@U0MIA0001> for <@U0DANA001> · in a thread in <#C0OPS0001>/);
  expect(draw({ grants: [grant({ sentence: 'Until 15:05 UTC, and more' })] })).not.toContain('Until 15:05 UTC');
});

test('a permission whose rule or tool is another now is said to apply to nothing, and can still be revoked', () => {
  const home = draw({ grants: [grant()], idle: [grant().grant] });
  expect(home).toContain('applies to nothing now, its rule or tool has changed');
  expect(home).not.toContain('0 of 5 used');
  expect(home).toContain(`"action_id":"${ACTIONS.revoke}"`);
});

test('when nothing waits, that is said, and how to begin', () => {
  expect(draw({})).toContain('Nothing waits for you. Write to me in a message');
  expect(draw({ complete: false })).not.toContain('Nothing waits for you');
  expect(draw({ complete: false })).toContain('something may be missing');
});

test('the brake is offered to who may pull it, its release to who may release it, and the freeze is shown to all', () => {
  expect(draw({ mayFreeze: false })).not.toContain(ACTIONS.freeze);
  expect(draw({ mayFreeze: true })).toContain('"action_id":"freeze"');
  const held = draw({ workspace: frozen, mayFreeze: true });
  expect(held).toContain('bad deploy');
  expect(held).not.toContain('"action_id":"freeze"');
  expect(held).not.toContain('"action_id":"unfreeze"');
  expect(draw({ workspace: frozen, mayUnfreeze: true })).toContain('"action_id":"unfreeze"');
  expect(draw({ workspace: { version: 1, frozen: 'unknown' } })).toContain('could not read whether');
});

test('the oldest comes first, whatever order it was found in', () => {
  const at = (minute: number, name: string): OpenCall =>
    openCall(request({ is: 'waiting' }, { requestedAtMs: clock(14, minute), summary: name }));
  const home = draw({ waitingForYou: [at(9, 'third'), at(1, 'first'), at(5, 'second')] });
  expect(home.indexOf('first')).toBeLessThan(home.indexOf('second'));
  expect(home.indexOf('second')).toBeLessThan(home.indexOf('third'));
});

describe('with more than there is room for', () => {
  const named = (part: Part, name: string, minute = 1): OpenCall =>
    openCall({
      ...part,
      ...(part.approval ? { approval: { ...part.approval, summary: name, requestedAtMs: clock(14, minute) } } : {}),
    });
  const many = (count: number, name: string): OpenCall[] =>
    Array.from({ length: count }, (_, index) => named(request(), `${name} ${index}.`, index % 60));
  const blocksOf = (overview: Partial<Overview>) => homeBlocks({ ...nothingOpen, ...overview }, context, address);
  const shown = (overview: Partial<Overview>, words: RegExp): number =>
    JSON.stringify(blocksOf(overview)).match(words)?.length ?? 0;

  test('all 100 blocks are used before anything is left out, and what is left out is counted', () => {
    const asked = { youAsked: many(200, 'mine') };
    expect(blocksOf(asked).length).toBeGreaterThanOrEqual(99);
    expect(blocksOf(asked).length).toBeLessThanOrEqual(100);
    const count = shown(asked, /"⏳ mine/g);
    expect(count).toBeGreaterThanOrEqual(47);
    expect(draw(asked)).toContain(`… and ${200 - count} more`);
    const few = { youAsked: many(47, 'mine') };
    expect(shown(few, /"⏳ mine/g)).toBe(47);
    expect(draw(few)).not.toContain('more');
  });

  test('what only this person can bring on comes before what they asked, of which the oldest still stand there', () => {
    const overview = {
      waitingForYou: many(160, 'theirs'),
      youAsked: many(160, 'mine'),
      questionsForYou: Array.from({ length: 3 }, () => openQuestion()),
      lately: [openCall(need(cardStates['done']))],
    };
    expect(shown(overview, /"⏳ theirs/g)).toBeGreaterThanOrEqual(33);
    expect(shown(overview, /"⏳ mine/g)).toBe(6);
    expect(shown(overview, /From which city/g)).toBe(3);
    expect(draw(overview)).toContain('Lately');
    expect(blocksOf(overview).length).toBeLessThanOrEqual(100);
    expect(draw(overview).indexOf('theirs 0.')).toBeLessThan(draw(overview).indexOf('mine 0.'));
  });

  test('doubts come first, however young they are', () => {
    const doubt = named(need(cardStates['in doubt']), 'in the dark', 59);
    const home = draw({ waitingForYou: [...many(160, 'theirs'), doubt] });
    expect(home.indexOf('in the dark')).toBeGreaterThan(0);
    expect(home.indexOf('in the dark')).toBeLessThan(home.indexOf('theirs 0.'));
  });

  test('a message has as many as Slack takes', () => {
    const message = overviewMessage({ ...nothingOpen, youAsked: many(200, 'mine') }, context, address);
    expect(message.length).toBeGreaterThan(40);
    expect(refusedOf({ text: '/countersign', blocks: message.filter(({ type }) => type !== 'divider') })).toEqual([]);
  });
});

test('Home speaks the language of the workspace', () => {
  const home = JSON.stringify(
    homeBlocks({ ...nothingOpen, youAsked: [openCall(request())] }, { ...context, language: 'zh' }, address),
  );
  expect(home).toContain('你的请求（1）');
  expect(home).toContain('取消');
});

test('who is no member of this organisation sees one sentence [S-48]', () => {
  expect(JSON.stringify(closedHome(context))).toContain('only work for members of this organisation');
});

describe('within limits and without live marks of others', () => {
  const hostile = fc.oneof(
    fc.string({ maxLength: 4_000 }),
    fc.constantFrom(
      '<!channel> <@U0LEO0001> <https://evil.example|Approve>',
      '`*_~'.repeat(500),
      '&<>'.repeat(900),
      '\u202e\u200b',
    ),
  );
  const states = fc.constantFrom(...Object.values(cardStates));
  const many = fc.integer({ min: 0, max: 40 });

  test('any overview is a Home and a message that Slack takes [S-28]', () => {
    fc.assert(
      fc.property(hostile, states, many, many, many, fc.boolean(), (text, state, first, second, third, complete) => {
        const approval = state.approval && {
          ...state.approval,
          summary: text,
          terms: { ...terms, ladder: [{ afterMs: 0, scopes: [{ name: 's', label: text, users: [], groups: [] }] }] },
        };
        const waiting = openCall({ ...state, ...(approval ? { approval } : {}) });
        const overview: Overview = {
          waitingForYou: Array.from({ length: first }, () => waiting),
          questionsForYou: Array.from({ length: second }, (_, index) =>
            openQuestion({
              prompt: text,
              ...(index % 2 === 0 ? { form: { type: 'review', title: text, draft: text } } : {}),
            }),
          ),
          youAsked: Array.from({ length: third }, () => waiting),
          grants: Array.from({ length: first }, () => grant({ sentence: text, name: text })),
          lately: Array.from({ length: second }, () => waiting),
          workspace: { version: 1, frozen: { by: ids.ana, name: text, why: text, sinceMs: 1 } },
          mayFreeze: true,
          mayUnfreeze: true,
          complete,
        };
        const blocks = homeBlocks(overview, context, address);
        const view = JSON.parse(JSON.stringify({ type: 'home', blocks })) as JsonObject;
        let id = 0;
        expect(acceptView(view, 'home', () => `b${(id += 1)}`)).toMatchObject({ ok: true });
        const message = overviewMessage(overview, context, address);
        expect(message.length).toBeLessThanOrEqual(50);
        const withText = message.filter(({ type }) => type !== 'divider');
        expect(refusedOf({ text: '/countersign', blocks: withText })).toEqual([]);
        for (const written of [JSON.stringify(blocks), JSON.stringify(message)])
          expect(marksIn(written)).not.toMatch(/<!channel>|<https:\/\/evil/);
      }),
      { numRuns: 60 },
    );
  });
});

/** What stands in mrkdwn, where marks would live. */
function marksIn(written: string): string {
  const found: string[] = [];
  JSON.parse(written, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn' && 'text' in value)
      found.push(String(value.text));
    return value;
  });
  return found.join('\n');
}
