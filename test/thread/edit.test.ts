import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../../src/thread/decide/command.ts';
import { standingEdit } from '../../src/thread/edited.ts';
import { editPreview } from '../../src/thread/decide/edit.ts';
import type { Facts, Json } from '../../src/thread/events.ts';
import {
  ANA,
  CARD,
  DANA,
  frozen,
  HOUR_MS,
  LEADS,
  LEO,
  MIA,
  OTTO,
  SRE,
  Stage,
  terms,
  THAWED,
  type Asked,
} from './stage.ts';

const ARGS = { namespace: 'production', replicas: 2 };
const EDITABLE = terms({ edit: ['replicas'] });
const asked = (more: Asked = {}): Stage => new Stage().asks({ name: 'scale', args: ARGS, verdict: EDITABLE, ...more });

type Editing = Omit<Edit, 'shown'>;
let views = 0;
/** What somebody fills in: these arguments, looked at as the world is now. */
function editing(stage: Stage, args: Json, by = MIA, look: Asked = {}, more: Partial<Edit> = {}): Editing {
  const approval = stage.thread.approvals[more.approval ?? stage.approval().id];
  if (!approval) throw new Error('Nobody was asked.');
  return {
    type: 'edit',
    approval: approval.id,
    round: approval.round,
    args,
    key: `V${(views += 1)}.h1`,
    actor: stage.actor(by),
    card: CARD,
    workspace: THAWED,
    evidence: stage.look({ name: 'scale', args, verdict: EDITABLE, ...look }),
    ...more,
  };
}
const shownBy = (stage: Stage, edit: Editing) => {
  const preview = editPreview(stage.thread, edit, stage.nowMs);
  if (preview.refusal) throw new Error(preview.refusal.code);
  return preview;
};
/** Both views: what the second showed is submitted. */
const submit = (stage: Stage, edit: Editing) => stage.do({ ...edit, shown: shownBy(stage, edit).shown });
const refusalOf = (stage: Stage, edit: Editing) => {
  const preview = editPreview(stage.thread, edit, stage.nowMs);
  const decided = stage.do({ ...edit, shown: stage.approval().digest });
  expect(decided.events.every(event => event.type === 'decision.refused')).toBe(true);
  expect(decided.refusal?.code).toBe(preview.refusal?.code);
  return preview.refusal;
};
const FOUR = { ...ARGS, replicas: 4 };

describe('an edit', () => {
  test('changes nothing before the second submit, which is one commit: the edited call, asked anew and approved', () => {
    const stage = asked({ bind: { now: 6 } });
    const { id, card, cardRound, requestedAtMs, expiresAtMs, digest } = stage.approval();
    const before = structuredClone(stage.thread);
    stage.pass(HOUR_MS);
    const edit = editing(stage, FOUR, MIA, { bind: { now: 6 } });
    expect(shownBy(stage, edit)).toMatchObject({ args: FOUR, approves: true });
    expect(stage.thread).toEqual(before);
    const { events } = submit(stage, edit);
    expect(events.map(event => event.type)).toEqual([
      'approval.edited',
      'call.judged',
      'approval.requested',
      'decision.recorded',
      'approval.settled',
    ]);
    expect(stage.approval()).toMatchObject({
      id,
      card,
      cardRound,
      requestedAtMs,
      expiresAtMs,
      round: 2,
      editedBy: { by: MIA, name: `name of ${MIA}`, was: ARGS },
      state: { is: 'approved' },
      votes: [{ by: MIA, verdict: 'approve' }],
      closedCards: [],
    });
    expect(stage.approval().digest).not.toBe(digest);
    expect(stage.call()).toMatchObject({ args: FOUR, state: { is: 'approved' } });
    expect(stage.call().judgement?.callDigest).toBe(stage.approval().callDigest);
    stage.claim(stage.call(), { verdict: EDITABLE, bind: { now: 6 } });
    expect(stage.call()).toMatchObject({ args: FOUR, state: { is: 'claimed' } });
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test.each<[string, Json, string]>([
    ['of an argument that the rule does not name', { ...ARGS, namespace: 'staging' }, 'not_editable'],
    ['that adds an argument', { ...ARGS, force: true }, 'not_editable'],
    ['that leaves one out', { replicas: 2 }, 'not_editable'],
    ['that is no set of arguments', ['production', 2], 'not_editable'],
    ['that is nothing', null, 'not_editable'],
    ['that changes nothing', { replicas: 2, namespace: 'production' }, 'unchanged'],
  ])('%s is refused', (_, args, code) => {
    const stage = asked();
    expect(refusalOf(stage, editing(stage, args))?.code).toBe(code);
    expect(stage.call()).toMatchObject({ args: ARGS, state: { is: 'waiting' } });
  });

  test('may leave out or add exactly what the rule names', () => {
    const stage = asked({ verdict: terms({ edit: ['replicas', 'note'] }) });
    submit(stage, editing(stage, { namespace: 'production', note: '' }, MIA, { verdict: EDITABLE }));
    expect(stage.call().args).toEqual({ namespace: 'production', note: '' });
  });

  test('whose call does not fit says why, and one that policy denies says why as well', () => {
    const stage = asked();
    const invalid = { ok: false, code: 'invalid_arguments', detail: 'Must be a number from 1 to 50.' } as const;
    expect(refusalOf(stage, editing(stage, { ...ARGS, replicas: 51 }, MIA, { inspection: invalid }))).toMatchObject({
      code: 'bad_edit',
      detail: 'Must be a number from 1 to 50.',
    });
    const denied = refusalOf(stage, editing(stage, FOUR, MIA, { verdict: 'deny' }));
    expect(denied).toMatchObject({ code: 'denied', detail: 'Not here.' });
    expect(refusalOf(stage, editing(stage, FOUR, MIA, { tool: null }))?.code).toBe('bad_edit');
    expect(refusalOf(stage, editing(stage, FOUR, MIA, { room: 'too_long' }))?.detail).toBe('too_long');
    expect(refusalOf(stage, editing(stage, FOUR, MIA, { eligible: [] }))?.detail).toBe('no_approvers');
    expect(refusalOf(stage, editing(stage, FOUR, MIA, { eligible: 'unknown' }))?.code).toBe('lookup_failed');
    expect(stage.approval()).toMatchObject({ round: 1, state: { is: 'open' }, editedBy: null });
  });

  test('is for those who may decide, while it waits and nothing is frozen, on its own card', () => {
    const stage = asked();
    const code = (by = MIA, more: Partial<Edit> = {}) => refusalOf(stage, editing(stage, FOUR, by, {}, more))?.code;
    expect(code(DANA)).toBe('requester');
    expect(code(OTTO)).toBe('not_approver');
    expect(code(MIA, { actor: stage.actor(MIA, { standing: 'guest' }) })).toBe('guest');
    expect(code(MIA, { workspace: frozen(stage.nowMs) })).toBe('frozen');
    expect(code(MIA, { workspace: { version: 1, frozen: 'unknown' } })).toBe('lookup_failed');
    expect(code(MIA, { card: { ...CARD, is: 'wrong' } })).toBe('wrong_card');
    expect(code(MIA, { card: { ...CARD, is: 'other_environment' } })).toBe('other_environment');
    expect(code(MIA, { round: 2 })).toBe('stale_round');
    stage.pass(4 * HOUR_MS);
    expect(code()).toBe('expired');
    const decided = asked();
    decided.click('approve', LEO);
    expect(refusalOf(decided, editing(decided, FOUR))).toMatchObject({ code: 'already_decided', by: LEO });
    expect(decided.call().args).toEqual(ARGS);
  });

  test('is shown again when world, rule, terms or round are others than the second view showed', () => {
    const changes: [string, Asked][] = [
      ['facts', { bind: { now: 8 } }],
      ['rule', { rule: 'other' }],
      ['people', { verdict: terms({ edit: ['replicas'], quorum: 2 }) }],
      [
        'words',
        { inspection: { ok: true, args: FOUR, summary: 'Other', impact: null, bind: { now: 6 }, note: {}, atMs: 0 } },
      ],
    ];
    for (const [name, look] of changes) {
      const stage = asked({ bind: { now: 6 } });
      const { shown } = shownBy(stage, editing(stage, FOUR, MIA, { bind: { now: 6 } }));
      const { refusal } = stage.do({ ...editing(stage, FOUR, MIA, { bind: { now: 6 }, ...look }), shown });
      expect([name, refusal?.code]).toEqual([name, 'changed_since']);
      expect(stage.call().args).toEqual(ARGS);
    }
    const noted = asked();
    const { shown } = shownBy(noted, editing(noted, FOUR, MIA, { note: { healthy: 6 } }));
    expect(noted.do({ ...editing(noted, FOUR, MIA, { note: { healthy: 5 } }), shown }).refusal).toBeUndefined();
    const written = asked();
    const first = editing(written, FOUR);
    const preview = shownBy(written, first);
    written.say('wait');
    expect(written.do({ ...first, shown: preview.shown }).refusal?.code).toBe('stale_round');
  });

  test('voids the votes before it, and an older click is stale [S-42]', () => {
    const verdict = terms({ edit: ['replicas'], quorum: 2 });
    const stage = asked({ verdict });
    stage.click('approve', LEO);
    expect(shownBy(stage, editing(stage, FOUR, MIA, { verdict }))).toMatchObject({ approves: false, counts: true });
    submit(stage, editing(stage, FOUR, MIA, { verdict }));
    expect(stage.approval()).toMatchObject({ round: 2, state: { is: 'open' }, votes: [{ by: MIA }] });
    expect(stage.click('approve', LEO, { round: 1 }).refusal?.code).toBe('stale_round');
    stage.click('approve', LEO);
    expect(stage.approval().state.is).toBe('approved');
  });

  test('is known with everybody who edited, and taken back by the last of them it is none', () => {
    const verdict = terms({ edit: ['replicas'], quorum: 2 });
    const stage = asked({ verdict });
    submit(stage, editing(stage, FOUR, MIA, { verdict }));
    expect(stage.approval().editedBy?.before).toBeUndefined();
    submit(stage, editing(stage, { ...ARGS, replicas: 5 }, LEO, { verdict }));
    expect(stage.approval().editedBy).toMatchObject({ by: LEO, was: ARGS, before: [{ by: MIA }] });
    expect(standingEdit(stage.approval(), stage.call())?.by).toBe(LEO);
    submit(stage, editing(stage, ARGS, MIA, { verdict }));
    expect(standingEdit(stage.approval(), stage.call())).toBeNull();
    submit(stage, editing(stage, FOUR, LEO, { verdict }));
    expect(stage.approval().editedBy).toMatchObject({ by: LEO, was: ARGS });
    expect(stage.approval().editedBy?.before).toBeUndefined();
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test('counts for nothing where the editor may not decide the edited call: others are asked', () => {
    const stage = asked();
    const verdict = terms({ ladder: [{ afterMs: 0, scopes: [LEADS] }], edit: ['replicas'] });
    const edit = editing(stage, { ...ARGS, replicas: 0 }, MIA, { verdict, rule: 'to-zero', eligible: [ANA] });
    expect(shownBy(stage, edit)).toMatchObject({ approves: false, counts: false });
    const { events } = submit(stage, edit);
    expect(events.map(event => event.type)).toEqual(['approval.edited', 'call.judged', 'approval.requested']);
    expect(stage.approval()).toMatchObject({ rule: 'to-zero', votes: [], state: { is: 'open' }, eligible: 1 });
    expect(stage.click('approve', MIA).refusal?.code).toBe('not_approver');
    expect(stage.click('approve', ANA).refusal).toBeUndefined();
  });

  test('into what policy would let through still needs the people who were asked, under the rule that they were shown', () => {
    const quorum2 = terms({ edit: ['replicas'], quorum: 2 });
    const stage = asked({ verdict: quorum2, rule: 'scale-down' });
    const { ruleDigest, eligible } = stage.approval();
    submit(stage, editing(stage, { ...ARGS, replicas: 9 }, MIA, { verdict: 'allow', rule: 'fine', eligible: [] }));
    expect(stage.approval()).toMatchObject({ rule: 'scale-down', ruleDigest, terms: quorum2, eligible, round: 2 });
    expect(stage.outcomes()).toEqual(['waiting']);
    stage.click('approve', LEO);
    stage.claim(stage.call(), { verdict: 'allow', rule: 'fine' });
    expect(stage.call().state.is).toBe('claimed');
  });

  test('into a call that was rejected in this run, or that waits already, is refused', () => {
    const stage = new Stage().asks(
      { name: 'scale', args: ARGS, verdict: EDITABLE },
      { name: 'scale', args: FOUR, verdict: EDITABLE },
    );
    expect(refusalOf(stage, editing(stage, FOUR))).toMatchObject({ code: 'bad_edit', detail: 'duplicate' });
    stage.click('reject', LEO, { on: stage.approval(1) });
    expect(refusalOf(stage, editing(stage, FOUR))).toMatchObject({ code: 'bad_edit', detail: 'rejected_before' });
  });

  test('of a requester whose rule lets them approve their own is not their approval: that needs a reason', () => {
    const verdict = terms({ edit: ['replicas'], selfApproval: 'with_reason' });
    const stage = asked({ verdict });
    submit(stage, editing(stage, FOUR, DANA, { verdict }));
    expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'open' }, editedBy: { by: DANA } });
    expect(stage.click('approve', DANA).refusal?.code).toBe('reason_needed');
    expect(stage.click('approve', DANA, { reason: 'urgent' }).refusal).toBeUndefined();
  });

  test('of what a tool asks from inside is nobody’s: it would not be what runs', () => {
    const stage = new Stage().asks({ name: 'book', args: {}, verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    const asking = { on: 'call', summary: 's', impact: null, args: ARGS, bind: {}, options: [] } as const;
    stage.suspend('confirm', asking, stage.call(), { verdict: EDITABLE });
    const edit = editing(stage, FOUR, MIA, {}, { approval: stage.approval(1).id });
    expect(editPreview(stage.thread, edit, stage.nowMs).refusal?.code).toBe('not_editable');
  });

  test('submitted twice is one edit; its key with other arguments is refused', () => {
    for (const quorum of [1, 2]) {
      const verdict = terms({ edit: ['replicas'], quorum });
      const stage = asked({ verdict });
      const edit = editing(stage, FOUR, MIA, { verdict });
      const { shown } = shownBy(stage, edit);
      stage.do({ ...edit, shown });
      const commits = stage.commits.length;
      expect(stage.do({ ...edit, shown })).toMatchObject({ repeated: true, events: [] });
      expect(stage.do({ ...edit, args: { ...ARGS, replicas: 5 }, shown }).refusal?.code).toBe('key_reused');
      expect(stage.call().args).toEqual(FOUR);
      expect(stage.commits.length - commits).toBeLessThanOrEqual(1);
    }
  });

  test('keeps who was called already, and calls the people of another rule anew', () => {
    for (const [rule, reminders] of [
      ['a-rule', 1],
      ['other', 0],
    ] as const) {
      const verdict = terms({ edit: ['replicas'], quorum: 2, remindMs: [HOUR_MS] });
      const stage = asked({ verdict }).pass(HOUR_MS);
      stage.do({ type: 'remind', approval: stage.approval().id, n: 1 });
      submit(stage, editing(stage, FOUR, MIA, { verdict, rule }));
      expect(stage.approval().reminders).toHaveLength(reminders);
    }
  });

  test('of an edit keeps what the agent had asked for, and is by whoever edited last', () => {
    const verdict = terms({ edit: ['replicas'], quorum: 3, ladder: [{ afterMs: 0, scopes: [SRE, LEADS] }] });
    const look: Asked = { verdict, eligible: [MIA, LEO, ANA] };
    const stage = asked(look);
    submit(stage, editing(stage, FOUR, MIA, look));
    submit(stage, editing(stage, { ...ARGS, replicas: 5 }, LEO, look));
    expect(stage.approval()).toMatchObject({ round: 3, editedBy: { by: LEO, was: ARGS }, votes: [{ by: LEO }] });
  });

  test('runs exactly what was shown, or nothing, whatever was edited into what', () => {
    const json = fc
      .json({ maxDepth: 2 })
      .filter(text => !text.includes('__proto__'))
      .map(text => JSON.parse(text) as Json);
    const facts = fc.dictionary(fc.constantFrom('now', 'zone'), fc.integer({ min: 0, max: 2 })) as fc.Arbitrary<Facts>;
    fc.assert(
      fc.property(json, json, facts, facts, fc.boolean(), (replicas, edited, seen, later, edits) => {
        const stage = asked({ args: { ...ARGS, replicas }, bind: seen });
        const edit = editing(stage, { ...ARGS, replicas: edited }, MIA, { bind: later });
        const preview = editPreview(stage.thread, edit, stage.nowMs);
        const shown = preview.refusal ? stage.approval().digest : preview.shown;
        const submitted = edits && stage.do({ ...edit, shown }).refusal === undefined;
        stage.claim(stage.call(), { verdict: EDITABLE, bind: later });
        expect(submitted).toBe(edits && preview.refusal?.code !== 'unchanged');
        expect(stage.call()).toMatchObject({
          args: { ...ARGS, replicas: submitted ? edited : replicas },
          state: { is: submitted ? 'claimed' : 'waiting' },
        });
      }),
    );
  });
});
