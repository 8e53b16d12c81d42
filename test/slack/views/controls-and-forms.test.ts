import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callId, decodeButton, type ChannelId, type MessageTs, type RunId } from '../../../src/thread/ids.ts';
import {
  ACTIONS,
  FORMS,
  decodeDoubt,
  decodeMessage,
  decodeMore,
  decodeRun,
  encodeDoubt,
  encodeMessage,
  encodeRun,
} from '../../../src/slack/views/actions.ts';
import { loadingForm, noticeForm, readForm, rejectForm, reviewForm } from '../../../src/slack/views/forms.ts';
import { parseLink, linkToMessage } from '../../../src/slack/views/links.ts';
import { refusalLine } from '../../../src/slack/views/refusals.ts';
import { render } from '../../../src/slack/views/render.ts';
import { linkTo } from '../../../src/slack/message.ts';
import { drawView } from './drawn.ts';
import { refusedOfForm } from './limits.ts';
import { calm, cardStates, context, frozenBy, ids, opsThread, request, threadOf, need } from './fixtures.ts';

const channelId = fc.string({
  unit: fc.constantFrom(...Array.from('ABC0123456789')),
  minLength: 9,
  maxLength: 11,
}) as fc.Arbitrary<ChannelId>;
const ts = fc
  .tuple(fc.integer({ min: 1_500_000_000, max: 1_999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([seconds, micros]) => `${seconds}.${String(micros).padStart(6, '0')}` as MessageTs);
const value = /^[A-Za-z0-9_-]{1,64}$/;

describe('What a control carries', () => {
  it('comes back as it went, in 64 plain characters [S-21]', () => {
    fc.assert(
      fc.property(channelId, ts, ts, fc.integer({ min: 1, max: 99 }), (channel, root, message, n) => {
        const place = { channel, ts: root };
        const call = callId(opsThread, ids.run, 1, n);
        const run = `r${n}` as RunId;
        for (const text of [encodeDoubt(place, call, n), encodeRun(place, run), encodeMessage(place, message)])
          expect(text).toMatch(value);
        expect(decodeDoubt(encodeDoubt(place, call, n))).toEqual({ thread: place, call, attempt: n });
        expect(decodeRun(encodeRun(place, run))).toEqual({ thread: place, run });
        expect(decodeMessage(encodeMessage(place, message))).toEqual({ thread: place, message });
      }),
    );
  });

  it('is never read as something else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), text => {
        expect([decodeRun(text), decodeMessage(text)]).toEqual([undefined, undefined]);
      }),
    );
    const run = encodeRun(opsThread, ids.run);
    const message = encodeMessage(opsThread, ids.root);
    expect([decodeMessage(run), decodeDoubt(run), decodeRun(message), decodeDoubt(message)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is known for every control that is rendered, and an approval’s finds its thread and round', () => {
    const names = new Set<string>(Object.values(ACTIONS));
    for (const part of Object.values(cardStates)) {
      const blocks = render(threadOf([part]), calm, context).flatMap(message => message.content.blocks);
      const buttons = blocks
        .flatMap(block => (block.type === 'actions' ? block.elements : []))
        .flatMap(one => (one.type === 'button' ? one : []));
      expect(buttons.filter(one => !names.has((one.action_id ?? '').replace(/_\d+$/, '')))).toEqual([]);
      const menus = blocks
        .flatMap(block => (block.type === 'actions' ? block.elements : []))
        .flatMap(one => (one.type === 'overflow' ? one.options.map(each => each.value ?? '') : []));
      for (const entry of menus)
        expect(decodeButton(need(decodeMore(entry)).value)).toMatchObject({ channel: ids.ops, ts: ids.root });
      const deciding = buttons.filter(one => one.action_id === ACTIONS.approve || one.action_id === ACTIONS.reject);
      const { id: approval, round } = need(part.approval);
      for (const one of deciding)
        expect(decodeButton(one.value ?? '')).toEqual({ channel: ids.ops, ts: ids.root, approval, round });
    }
  });

  it('offers Edit, and to allow for a while, only where the rule does', () => {
    const drawn = (name: string): string => JSON.stringify(render(threadOf([need(cardStates[name])]), calm, context));
    expect(drawn('waiting')).not.toMatch(/"action_id":"edit"|allow for a while/);
    expect(drawn('everything on offer')).toMatch(/"action_id":"edit".*allow for a while/);
  });

  it('asks back before Approve where the rule says so, with the summary', () => {
    const approve = (confirm: boolean): string => {
      const part = request();
      const approval = need(part.approval);
      const thread = threadOf([{ ...part, approval: { ...approval, terms: { ...approval.terms, confirm } } }]);
      return JSON.stringify(render(thread, calm, context)[0]?.content.blocks.find(block => block.type === 'actions'));
    };
    expect(approve(true)).toContain(
      'Scale billing in production from 6 to 2 replicas. It runs as soon as enough people have approved.',
    );
    expect(approve(false)).not.toContain('"confirm"');
  });
});

describe('A link', () => {
  it('stands for a message of the rendering or an address', () => {
    expect(parseLink(linkTo('card/ABC/1'))).toEqual({ key: 'card/ABC/1' });
    expect(parseLink(linkToMessage(ids.ops, ids.root))).toEqual({ channel: ids.ops, ts: ids.root });
    expect(parseLink('https://a.example')).toBeUndefined();
  });
});

describe('Forms', () => {
  const part = request();
  const approval = need(part.approval);
  const thread = threadOf([part]);

  it('reject: the summary, a reason that nobody has to give, and what follows, preset by the rule [S-87]', () => {
    const view = rejectForm(thread, approval, context);
    expect(drawView(view)).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('review: everything, then Approve', () => {
    const long = request(
      { is: 'waiting' },
      { room: 'form' },
      { tool: 'write_file', args: { path: 'a.txt', content: 'x'.repeat(9000) } },
    );
    const view = need(reviewForm(threadOf([long]), need(long.approval), context));
    expect(drawView(view)).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
    expect(JSON.stringify(view).split('x').length).toBeGreaterThan(9000);
  });

  it('review of one’s own request needs a reason', () => {
    const view = need(reviewForm(thread, approval, context, { own: true }));
    expect(view.blocks.some(block => block.type === 'input' && block.block_id === FORMS.reason.block)).toBe(true);
  });

  it('review while everything is frozen: everything and why nobody can approve it, without Approve', () => {
    const view = need(reviewForm(thread, approval, context, { own: true, frozen: frozenBy }));
    expect(view.submit).toBeUndefined();
    expect(view.blocks.filter(block => block.type === 'input')).toEqual([]);
    for (const words of ['Approve works again after the unfreeze', 'bad deploy', 'replicas'])
      expect(drawView(view)).toContain(words);
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('open at once with a loading view, and can say why there is nothing to do [S-85]', () => {
    const notice = noticeForm(refusalLine({ code: 'guest' }, thread, context), context);
    expect(drawView(loadingForm(context)) + drawView(notice)).toMatchSnapshot();
  });

  it('are read back: an empty reason is none, an unknown choice is none', () => {
    const values = (reason: string | null, then: string | null) => ({
      reason: { reason: { value: reason } },
      then: { then: { selected_option: then === null ? null : { value: then } } },
    });
    expect(readForm(values('  not now ', 'stop'))).toEqual({ reason: 'not now', then: 'stop' });
    expect(readForm(values('  ', 'anything'))).toEqual({ reason: null, then: null });
    expect(readForm({})).toEqual({ reason: null, then: null });
  });
});
