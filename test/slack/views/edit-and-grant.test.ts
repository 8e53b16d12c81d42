import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModalView } from '@slack/web-api';
import type { CallEvidence } from '../../../src/thread/evidence.ts';
import type { Approval } from '../../../src/thread/thread.ts';
import type { Json } from '../../../src/thread/events.ts';
import type { Digest } from '../../../src/thread/ids.ts';
import type { EditPreview } from '../../../src/worker/ports.ts';
import { FORMS } from '../../../src/slack/views/actions.ts';
import {
  askAboutForm,
  askForm,
  canGrant,
  editConfirmForm,
  editForm,
  frozenEditForm,
  frozenGrantForm,
  freezeForm,
  grantForm,
  grantOf,
  readEdit,
  readGrantForm,
  type FormValues,
} from '../../../src/slack/views/forms.ts';
import { drawView } from './drawn.ts';
import { refusedOfForm } from './limits.ts';
import { clock, context, frozenBy, need, request, sre, terms, threadOf } from './fixtures.ts';

const editable = { ...terms, edit: ['replicas', 'namespace', 'dry', 'hosts', 'labels', 'token', 'long', 'gone'] };
const args: Json = {
  namespace: 'production',
  deployment: 'billing',
  replicas: 2,
  dry: false,
  hosts: ['a.example', 'b.example'],
  labels: { tier: 1 },
  token: 'xoxb-123456789012-abcdefghijklmnop',
  long: 'x'.repeat(4_000),
};
const part = request({ is: 'waiting' }, { terms: editable }, { args });
const approval = need(part.approval);
const thread = threadOf([part]);

/** A form as it comes back when these fields were filled in and the others left as they stood. */
function sent(view: ModalView, filled: Readonly<Record<string, string>> = {}): FormValues {
  const values: Record<string, Record<string, { value: string | null }>> = {};
  for (const block of view.blocks)
    if (block.type === 'input' && 'element' in block && block.element.type === 'plain_text_input') {
      const name = (block.block_id ?? '').slice(FORMS.argument.block.length);
      const text = (Object.hasOwn(filled, name) ? filled[name] : undefined) ?? block.element.initial_value ?? '';
      values[block.block_id ?? ''] = { value: { value: text === '' ? null : text } };
    }
  return values;
}
const read = (filled: Readonly<Record<string, string>>) =>
  readEdit(sent(editForm(thread, approval, context), filled), { tool: 'k8s.scale', args }, editable, context);

describe('The first view of an edit', () => {
  it('has a field for what the rule lets be changed, and the rest as text', () => {
    const view = editForm(thread, approval, context);
    expect(drawView(view).replace(/x{99,}/g, 'x…')).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('never holds a masked value, and leaves it as it is when nobody fills it in [T-A17a]', () => {
    expect(JSON.stringify(editForm(thread, approval, context))).not.toContain('xoxb-123456789012');
    expect(read({})).toEqual({ ok: true, args });
    expect(read({ token: 'another' })).toEqual({ ok: true, args: { ...args, token: 'another' } });
  });

  it('is read by the kind of each argument, falsy values exactly [F-A6]', () => {
    expect(read({ replicas: '0', dry: 'true', hosts: 'c.example\nd.example', labels: '{"tier":0}' })).toEqual({
      ok: true,
      args: { ...args, replicas: 0, dry: true, hosts: ['c.example', 'd.example'], labels: { tier: 0 } },
    });
    expect(read({ dry: 'no', replicas: '-1.5e2' })).toMatchObject({ args: { dry: false, replicas: -150 } });
  });

  it('says under each field what cannot be read', () => {
    expect(read({ replicas: 'two', dry: 'perhaps', labels: '{' })).toEqual({
      ok: false,
      errors: {
        'arg.replicas': 'Must be a number.',
        'arg.dry': 'Must be true or false.',
        'arg.labels': 'Must be valid JSON.',
      },
    });
  });

  it('changes nothing that the rule does not name, whatever comes back', () => {
    const values = { 'arg.deployment': { value: { value: 'search' } }, 'arg.__proto__': { value: { value: 'x' } } };
    expect(readEdit(values, { tool: 'k8s.scale', args }, editable, context)).toEqual({ ok: true, args });
  });

  it('that nobody touched gives back exactly what was asked, for any arguments', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 }), any => {
        const all = any as Record<string, Json>;
        const some = request({ is: 'waiting' }, { terms: { ...terms, edit: Object.keys(all) } }, { args: all });
        const view = editForm(threadOf([some]), need(some.approval), context);
        expect(refusedOfForm(view)).toEqual([]);
        const back = readEdit(sent(view), { tool: 'k8s.scale', args: all }, need(some.approval).terms, context);
        expect(JSON.stringify(back)).toBe(JSON.stringify({ ok: true, args: all }));
      }),
      { numRuns: 60 },
    );
  });
});

const evidence = (over: Partial<CallEvidence> = {}): CallEvidence => ({
  tool: null,
  inspection: {
    ok: true,
    args: null,
    summary: 'Scale billing in production from 6 to 4 replicas',
    impact: null,
    bind: { replicas: 6 },
    note: {},
    atMs: clock(14, 5),
  },
  judged: { verdict: 'ask', rule: 'prod-scale-down', why: 'It changes production.', terms: editable },
  policy: 'p'.repeat(64) as Digest,
  eligible: [],
  room: 'card',
  salt: 's',
  ...over,
});
type Preview = Extract<EditPreview, { readonly refusal: null }>;
const preview = (over: Partial<Preview> = {}): Preview => ({
  refusal: null,
  thread,
  args: { ...(args as Record<string, Json>), replicas: 4 },
  evidence: evidence(),
  counts: true,
  approves: true,
  shown: 'd'.repeat(64) as Digest,
  ...over,
});

describe('The second view of an edit', () => {
  it('shows the difference, the world, the rule and who is needed', () => {
    const view = editConfirmForm(preview(), approval, context, 'carried');
    expect(drawView(view).replace(/x{99,}/g, 'x…')).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
    expect(view.private_metadata).toBe('carried');
  });

  it('says when the editor’s word is not enough, and when no rule asks any more', () => {
    expect(drawView(editConfirmForm(preview({ approves: false }), approval, context))).toContain(
      '[Ask for the edited call]',
    );
    const several = drawView(editConfirmForm(preview({ approves: false }), approval, context));
    expect(several).toContain('Your approval of the edited call counts; others have to approve it as well.');
    const others = drawView(editConfirmForm(preview({ approves: false, counts: false }), approval, context));
    expect(others).toContain('You cannot approve the edited call yourself');
    expect(others).not.toContain('counts; others');
    const free = evidence({ judged: { verdict: 'allow', rule: 'look-freely', why: null } });
    expect(drawView(editConfirmForm(preview({ evidence: free }), approval, context))).toContain('No rule asks');
  });
});

describe('An edit of any size', () => {
  it('is shown in full or cannot be approved, within the limits of Slack [F-H3, S-17]', () => {
    let refused = 0;
    for (const count of [1, 5, 12, 20])
      for (const sign of ['x', '<']) {
        const names = Array.from({ length: count }, (_, n) => `key${n}`);
        const was = Object.fromEntries(names.map(name => [name, sign.repeat(2_990)]));
        const is = Object.fromEntries(names.map(name => [name, `${name}${sign.repeat(2_990)}`]));
        const one = request({ is: 'waiting' }, { terms: { ...terms, edit: names } }, { args: was });
        const shown = preview({ thread: threadOf([one]), args: is });
        const view = editConfirmForm(shown, need(one.approval), context);
        expect(refusedOfForm(view)).toEqual([]);
        expect(refusedOfForm(editForm(shown.thread, need(one.approval), context))).toEqual([]);
        expect(refusedOfForm(frozenEditForm(shown.thread, need(one.approval), context, frozenBy))).toEqual([]);
        const drawn = drawView(view);
        const hidden = names.filter(name => !drawn.includes(`+ ${name} ${name}${sign}`));
        expect(view.submit !== undefined && hidden.length > 0).toBe(false);
        if (view.submit === undefined) refused += 1;
      }
    expect(refused).toBeGreaterThan(0);
  });
});

describe('The form that allows for a while', () => {
  const grants = { maxMs: 3_600_000, uses: 5, scope: 'thread' as const, where: ['namespace'] };
  const offered = request({ is: 'waiting' }, { terms: { ...terms, ladder: [{ afterMs: 0, scopes: [sre] }], grants } });
  const asked = need(offered.approval);
  const there = threadOf([offered]);

  it('says in one sentence what is allowed, to whom, where, how often and until when [F-M4]', () => {
    const { sentence, untilMs } = grantOf(there, asked, context, clock(14, 5, 30));
    expect(sentence).toBe(
      'Until 15:05 UTC, at most 5 times, in this thread, for Dana: k8s.scale where namespace = production. Anything else asks again. Revoke: /countersign grants.',
    );
    expect(untilMs).toBe(clock(15, 5));
    const view = grantForm(there, asked, context, clock(14, 5, 30));
    expect(drawView(view).replaceAll(/[{}](?=1|,)/g, '')).toContain(sentence);
    expect(drawView(view)).toMatchSnapshot();
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('shows why nothing can be approved while everything is frozen, and nothing to send', () => {
    for (const view of [
      frozenGrantForm(there, asked, context, frozenBy),
      frozenEditForm(there, asked, context, frozenBy),
    ]) {
      expect(refusedOfForm(view)).toEqual([]);
      expect(view.submit).toBeUndefined();
      expect(drawView(view)).toContain('Approve works again after the unfreeze');
    }
  });

  it('never goes beyond the rule, and says what less was chosen', () => {
    const less = grantOf(there, asked, context, clock(14, 5), { forMs: 900_000, uses: 1 });
    expect(less).toMatchObject({ forMs: 900_000, uses: 1, untilMs: clock(14, 20) });
    expect(less.sentence).toContain('Until 14:20 UTC, at most 1 time,');
    expect(grantOf(there, asked, context, clock(14, 5), { forMs: 9e9, uses: 99 })).toMatchObject({
      forMs: 3_600_000,
      uses: 5,
    });
  });

  it('is not offered where nothing would bind it, its sentence could not name all, or the card does not show all [F-C15]', () => {
    const offer = (where: string[], value: Json, room: Approval['room'] = 'card'): boolean => {
      const offered = { ...terms, grants: { ...grants, where } };
      const one = request({ is: 'waiting' }, { terms: offered, room }, { args: value });
      return canGrant(need(one.approval), one.call);
    };
    expect(offer([], {})).toBe(false);
    expect(offer([], ['x'])).toBe(false);
    expect(offer(['namespace'], { other: 1 })).toBe(false);
    expect(offer([], { text: 'x'.repeat(2_000) })).toBe(false);
    expect(offer(['namespace'], { namespace: 'staging', text: 'short' })).toBe(true);
    expect(offer(['namespace'], { namespace: 'staging', text: 'x'.repeat(2_000) }, 'form')).toBe(false);
  });

  it('is read back as numbers, or not at all', () => {
    const values = (time: string, uses: string) => ({
      time: { time: { selected_option: { value: time } } },
      uses: { uses: { selected_option: { value: uses } } },
    });
    expect(readGrantForm(values('900000', '3'))).toEqual({ forMs: 900_000, uses: 3 });
    expect([readGrantForm(values('x', '3')), readGrantForm(values('900000', '0')), readGrantForm({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('Forms with one text', () => {
  it('ask the requester, ask about a message, and freeze', () => {
    const views = [askForm(thread, approval, context), askAboutForm(context), freezeForm(context, 'bad deploy')];
    expect(views.map(drawView).join('')).toMatchSnapshot();
    expect(views.flatMap(refusedOfForm)).toEqual([]);
  });
});
