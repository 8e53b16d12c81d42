import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/thread/digest.ts';
import type { CallEvidence } from '../../src/thread/evidence.ts';
import { HOUR_MS, LEADS, LEO, MIA, RULES, SRE, Stage, terms, type Asked } from './stage.ts';

const OTHER = { ...RULES, policy: digestOf('other policy') };
const asked = (more: Asked = {}): Stage => new Stage().asks({ args: 1, bind: { now: 6 }, ...more });

function recheck(stage: Stage, look: Asked = {}, more: Partial<CallEvidence> = {}, approvers = stage.approval().votes) {
  const evidence = stage.look({ args: 1, bind: { now: 6 }, ...look });
  return stage.do({
    type: 'recheck',
    approval: stage.approval().id,
    evidence: { ...evidence, policy: OTHER.policy, ...more },
    approvers: approvers.map(vote => stage.actor(vote.by)),
  });
}

describe('a request that waits when policy or its tool changes', () => {
  test('is looked at again, once; where nothing that was shown is other, it stands as it is [T-A20c]', () => {
    const stage = asked({ verdict: terms({ quorum: 2 }) });
    stage.click('approve', MIA);
    expect(stage.next().effects).toEqual([]);
    expect(stage.next(OTHER).effects).toEqual(['recheck']);
    const { events } = recheck(stage, { verdict: terms({ quorum: 2 }) });
    expect(events.map(event => event.type)).toEqual(['approval.rechecked']);
    expect(stage.approval()).toMatchObject({ round: 1, card: 1, votes: [{ by: MIA }] });
    expect(stage.next(OTHER).effects).toEqual([]);
  });

  test('is asked again on a new card where rule, people or definition are others, with the difference [F-H8]', () => {
    const tool = { digest: digestOf('another definition') };
    const changes: [Asked, string][] = [
      [{ rule: 'other-rule' }, 'rule'],
      [{ verdict: terms({ ladder: [{ afterMs: 0, scopes: [LEADS] }] }) }, 'rule'],
      [{ tool }, 'tool definition'],
      [{ bind: { now: 8 } }, 'now'],
    ];
    for (const [look, fact] of changes)
      for (const approved of [false, true]) {
        const stage = asked();
        if (approved) stage.click('approve', LEO);
        recheck(stage, look);
        expect(stage.approval()).toMatchObject({ round: 2, card: 2, votes: [], state: { is: 'open' } });
        expect(stage.approval().changes.map(change => change.fact)).toEqual([fact]);
        expect(stage.call().state.is).toBe('waiting');
        const definition = () => (look.tool ? tool.digest : digestOf({ name: 'execute' }));
        expect(stage.next({ ...OTHER, definition }).effects).toEqual([]);
        expect(stage.approval().callDigest).toBe(stage.call().judgement?.callDigest);
      }
  });

  test('at most twice; then it is given up', () => {
    const stage = asked();
    for (const now of [7, 8]) recheck(stage, { bind: { now } });
    expect(stage.approval()).toMatchObject({ card: 3, reasks: 2 });
    recheck(stage, { bind: { now: 9 } });
    expect(stage.approval().state).toMatchObject({ is: 'refused', code: 'changed_too_often' });
  });

  test.each<[string, Asked, string]>([
    ['is denied now', { verdict: 'deny' }, 'denied'],
    ['has lost its tool', { tool: null }, 'incompatible'],
    [
      'has arguments that its tool does not take any more',
      { inspection: { ok: false, code: 'invalid_arguments', detail: 'no such flag' } },
      'invalid_arguments',
    ],
    ['would be asked of nobody', { rule: 'other', eligible: [] }, 'no_approvers'],
  ])('and %s, is closed: nothing runs [T-A20c]', (_, look, code) => {
    const stage = asked();
    recheck(stage, look);
    expect(stage.approval().state).toMatchObject({ is: 'refused', code });
    expect(stage.outcomes()).toEqual(['not_run']);
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('and would be allowed now, is still decided by those who were asked, as it was shown to them', () => {
    const stage = asked();
    recheck(stage, { verdict: 'allow', rule: 'fine', eligible: [] });
    expect(stage.approval()).toMatchObject({ state: { is: 'open' }, rule: 'a-rule', round: 1 });
    expect(stage.next(OTHER).effects).toEqual([]);
    const changed = asked();
    recheck(changed, { verdict: 'allow', bind: { now: 8 } });
    expect(changed.approval().state).toMatchObject({ is: 'refused', code: 'altered' });
  });

  test('while the world cannot be read, waits and is looked at again', () => {
    const stage = asked();
    const unread = { ok: false, code: 'inspect_failed', detail: 'no connection' } as const;
    expect(recheck(stage, { inspection: unread }).events).toEqual([]);
    // A deny that could not read what it looks at is no word about this call yet.
    expect(recheck(stage, { inspection: unread, verdict: 'deny' }).events).toEqual([]);
    expect(recheck(stage, { rule: 'other', eligible: 'unknown' }).events).toEqual([]);
    expect(stage.next(OTHER).effects).toEqual(['recheck']);
  });

  test('while the world cannot be read, is reminded of and passed on all the same', () => {
    const ladder = [
      { afterMs: 0, scopes: [SRE] },
      { afterMs: HOUR_MS, scopes: [LEADS] },
    ];
    const stage = asked({ verdict: terms({ remindMs: [HOUR_MS], ladder }) });
    stage.pass(HOUR_MS);
    expect(
      recheck(stage, { inspection: { ok: false, code: 'inspect_failed', detail: 'no connection' } }).events,
    ).toEqual([]);
    expect(stage.next(OTHER).effects).toEqual(['recheck', 'remind', 'escalate']);
  });

  test('loses the votes of those who may decide no more', () => {
    const stage = asked();
    stage.click('approve', MIA);
    const evidence = { ...stage.look({ args: 1, bind: { now: 6 } }), policy: OTHER.policy };
    const approvers = [stage.actor(MIA, { scopes: [] })];
    stage.do({ type: 'recheck', approval: stage.approval().id, evidence, approvers });
    expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'open' } });
    const unknown = asked();
    unknown.click('approve', MIA);
    const nobody = { type: 'recheck', approval: unknown.approval().id, evidence, approvers: [] } as const;
    expect(unknown.do(nobody).events.map(event => event.type)).toEqual(['approval.rechecked']);
  });

  test('is left alone once it is over, or its time is', () => {
    const late = asked().pass(4 * HOUR_MS);
    expect(recheck(late, { rule: 'other' }).events).toEqual([]);
    const rejected = asked();
    rejected.click('reject');
    expect(recheck(rejected, { verdict: 'deny' }).events).toEqual([]);
    const running = asked();
    running.click('approve');
    running.claim(running.call(), { bind: { now: 6 } });
    expect(running.call().state.is).toBe('claimed');
    expect(recheck(running, { verdict: 'deny' }).events).toEqual([]);
  });
});
