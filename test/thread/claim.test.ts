import { describe, expect, test } from 'vitest';
import { START_WITHIN_MS } from '../../src/thread/decide/claim.ts';
import { digestOf } from '../../src/thread/digest.ts';
import type { NotStarted } from '../../src/thread/decide/command.ts';
import type { Call } from '../../src/thread/thread.ts';
import { frozen, DANA, HOUR_MS, LEADS, LEO, ME, MIA, SRE, Stage, terms, type Asked } from './stage.ts';

/** Approved with these terms and facts. */
function approved(asked: Asked = {}): Stage {
  const stage = new Stage().asks({ args: { n: 1 }, ...asked });
  const quorum = typeof asked.verdict === 'object' ? asked.verdict.quorum : 1;
  for (const by of [MIA, LEO].slice(0, quorum)) stage.click('approve', by);
  expect(stage.outcomes()).toEqual(['starting']);
  return stage;
}

const giveBack = (stage: Stage, why: NotStarted, call: Call = stage.call()) =>
  stage.do({ type: 'notStarted', call: call.id, execution: `${call.id}.${call.attempts}` as never, why });

describe('a claim', () => {
  test('binds what was shown to one attempt, by the holder of the lease, with its times [F-B5, F-C14, F-H11, F-E4, S-59]', () => {
    const stage = approved();
    const { events } = stage.claim();
    expect(events).toMatchObject([
      {
        type: 'call.claimed',
        attempt: 1,
        execution: `${stage.call().id}.1`,
        approval: stage.approval().id,
        round: 1,
        digest: stage.approval().digest,
        callDigest: stage.approval().callDigest,
        holder: ME,
        workspace: 1,
        startByMs: stage.nowMs + START_WITHIN_MS,
        endsByMs: stage.nowMs + START_WITHIN_MS + 60_000,
      },
    ]);
    expect(stage.outcomes()).toEqual(['running']);
    expect(stage.claim().events).toEqual([]);
  });

  test('is made for nothing but an approved or allowed call of a running run, and by nobody without the lease [F-A1, F-B3, F-C4, F-C9, T-A8b]', () => {
    const noClaim = (stage: Stage, holder = ME): void =>
      expect(stage.claim(stage.call(), {}, { holder }).events.map(event => event.type)).not.toContain('call.claimed');
    noClaim(new Stage().asks({}));
    noClaim(new Stage().asks({ verdict: 'deny' }));
    noClaim(approved(), 'node2/1' as never);
    for (const verdict of ['reject', 'cancel', 'expire'] as const) {
      const stage = new Stage().asks({});
      if (verdict === 'reject') stage.click('reject');
      else if (verdict === 'cancel') stage.cancel();
      else {
        stage.pass(4 * HOUR_MS);
        stage.do({ type: 'expire', approval: stage.approval().id });
      }
      for (const late of ['approve', 'reject'] as const) stage.click(late);
      noClaim(stage);
      expect(stage.call().state.is).toBe('closed');
    }
    const freed = approved();
    freed.do({ type: 'release', holder: ME, synced: true });
    noClaim(freed);
  });

  test('is one for ever: what has ended, by whatever, is not claimed again [F-B4, F-B16, S-58]', () => {
    const stage = approved();
    stage.claim();
    stage.ended();
    expect(stage.claim().events).toEqual([]);
    expect(stage.ended(stage.call(), { result: 'again' }).events).toEqual([]);
    stage.say('again');
    expect(stage.click('approve').refusal?.code).toBe('already_decided');
    expect(stage.call()).toMatchObject({ attempts: 1, state: { ending: { result: 'hello' } } });
  });

  test('of an approval is not there for another call [F-B16, T-A20d]', () => {
    const stage = new Stage().asks({ args: { n: 1 } }, { args: { n: 2 } });
    stage.click('approve', MIA, { on: stage.approval(0) });
    expect(stage.claim(stage.call(1)).events).toEqual([]);
    expect(stage.next().effects).toEqual(['claim']);
  });
});

describe('between approval and claim', () => {
  test('what would run has other arguments than what was approved: refused, nothing runs [F-H11, S-66, T-A1b, T-A9a]', () => {
    const stage = approved();
    Object.assign(stage.call(), { args: { n: 2 } });
    const { events } = stage.claim();
    expect(events).toMatchObject([{ type: 'approval.settled', how: 'refused', code: 'altered' }]);
    expect(stage.outcomes()).toEqual(['not_run']);
    expect(stage.call().attempts).toBe(0);
  });

  test.each([
    ['a binding fact', { bind: { replicas: 8 } }, { fact: 'replicas', was: 6, is: 8 }],
    ['a fact that is gone', { bind: {} }, { fact: 'replicas', was: 6, is: null }],
    ['the rule', { rule: 'another' }, { fact: 'rule', was: 'a-rule', is: 'another' }],
    ['the quorum', { verdict: terms({ quorum: 2 }) }, { fact: 'rule', was: { quorum: 1 }, is: { quorum: 2 } }],
    [
      'the scope',
      { verdict: terms({ ladder: [{ afterMs: 0, scopes: [LEADS] }] }) },
      { fact: 'rule', was: { approvers: [['SRE']] }, is: { approvers: [['Leads']] } },
    ],
    [
      'who is in the scope',
      { verdict: terms({ ladder: [{ afterMs: 0, scopes: [{ ...SRE, users: [MIA] }] }] }) },
      { fact: 'rule', was: 'a-rule', is: 'a-rule' },
    ],
    ['the tool definition', { tool: { digest: digestOf('new') } }, { fact: 'tool definition' }],
  ])(
    '%s changed: asked again as a new round on a new card, with the difference [F-H1, F-H8, S-62, T-A7g, T-A9a, T-A20c]',
    (_, look, change) => {
      const stage = approved({ bind: { replicas: 6 } });
      const before = { ...stage.approval() };
      stage.claim(stage.call(), { bind: { replicas: 6 }, ...look });
      expect(stage.outcomes()).toEqual(['waiting']);
      expect(stage.approval()).toMatchObject({ id: before.id, round: 2, card: 2, votes: [], state: { is: 'open' } });
      expect(stage.approval().changes).toMatchObject([change]);
      expect(stage.approval().digest).not.toBe(before.digest);
      expect(stage.approval().closedCards).toMatchObject([{ card: 1, code: 'changed', votes: [{ by: MIA }] }]);
      expect(stage.click('approve', LEO, { round: 1 }).refusal?.code).toBe('superseded');
      expect(stage.replayed()).toEqual(stage.thread);
    },
  );

  test('a note changed: nothing is asked again', () => {
    const stage = approved({ note: { healthy: 6 } });
    stage.claim(stage.call(), { note: { healthy: 5 } });
    expect(stage.outcomes()).toEqual(['running']);
  });

  test('the world keeps changing: asked again twice, then refused', () => {
    const stage = approved({ bind: { replicas: 6 } });
    for (const [replicas, card] of [
      [7, 2],
      [8, 3],
    ] as const) {
      stage.claim(stage.call(), { bind: { replicas } });
      expect(stage.approval()).toMatchObject({ card, round: card });
      stage.click('approve');
    }
    stage.claim(stage.call(), { bind: { replicas: 9 } });
    expect(stage.approval().state).toMatchObject({ is: 'refused', code: 'changed_too_often' });
    expect(stage.outcomes()).toEqual(['not_run']);
  });

  test('what changed can be put to nobody any more: refused; not known: tried again later', () => {
    const changed = { bind: { replicas: 8 } };
    for (const [look, code] of [
      [{ eligible: [] }, 'no_approvers'],
      [{ eligible: [MIA], verdict: terms({ quorum: 2 }) }, 'quorum_impossible'],
      [{ room: 'too_long' }, 'too_long'],
    ] as const) {
      const stage = approved({ bind: { replicas: 6 } });
      stage.claim(stage.call(), { ...changed, ...look });
      expect(stage.approval().state).toMatchObject({ is: 'refused', code });
    }
    const stage = approved({ bind: { replicas: 6 } });
    expect(stage.claim(stage.call(), { ...changed, eligible: 'unknown' }).events).toEqual([]);
  });

  test('an approver lost their rights: that vote falls, the same round waits again, and somebody else may fill in [T-A9a, T-A12b]', () => {
    const stage = approved({ verdict: terms({ quorum: 2 }) });
    const approvers = [stage.actor(MIA, { scopes: [] }), stage.actor(LEO)];
    const look = { verdict: terms({ quorum: 2 }) };
    expect(stage.claim(stage.call(), look, { approvers }).events).toMatchObject([
      { type: 'decision.voided', by: MIA, code: 'not_approver' },
    ]);
    expect(stage.approval()).toMatchObject({ round: 1, state: { is: 'open' }, votes: [{ by: LEO }] });
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.click('approve', LEO).refusal?.code).toBe('already_counted');
    stage.click('approve', MIA);
    expect(stage.outcomes()).toEqual(['starting']);
    for (const standing of ['deactivated', 'guest', 'external', 'bot'] as const) {
      stage.claim(stage.call(), look, { approvers: [stage.actor(MIA, { standing }), stage.actor(LEO)] });
      expect(stage.outcomes()).toEqual(['waiting']);
      stage.click('approve', MIA);
    }
    expect(stage.call().attempts).toBe(0);
  });

  test('nobody can say whether an approver or requester still may: it stays approved and is tried again [S-50]', () => {
    const stage = approved();
    const unknown = { standing: 'unknown' } as const;
    expect(stage.claim(stage.call(), {}, { approvers: [stage.actor(MIA, unknown)] }).events).toEqual([]);
    expect(stage.claim(stage.call(), {}, { approvers: [] }).events).toEqual([]);
    expect(stage.claim(stage.call(), {}, { requesters: [stage.actor(DANA, unknown)] }).events).toEqual([]);
    expect(stage.claim(stage.call(), {}, { requesters: [] }).events).toEqual([]);
    expect(stage.outcomes()).toEqual(['starting']);
    expect(stage.next().effects).toEqual(['claim']);
  });

  test('the requester, the tool or the sense of the arguments is gone, or a rule denies it now: refused [F-C1, F-E6, T-A9a]', () => {
    const invalid = { inspection: { ok: false, code: 'invalid_arguments', detail: 'no such key' } } as const;
    for (const [look, more, code] of [
      [{}, 'deactivated', 'requester_gone'],
      [{ tool: null }, null, 'incompatible'],
      [invalid, null, 'invalid_arguments'],
      [{ verdict: 'deny' }, null, 'denied'],
    ] as const) {
      const stage = approved();
      const requesters = [stage.actor(DANA, more === null ? {} : { standing: more })];
      stage.claim(stage.call(), look, { requesters });
      expect(stage.approval().state).toMatchObject({ is: 'refused', code });
      expect(stage.outcomes()).toEqual(['not_run']);
      expect(stage.askAgain().refusal?.code).toBe('busy');
    }
  });

  test('everything is frozen, or nobody knows: it keeps its approval until it expires [F-I9]', () => {
    const stage = approved();
    for (const workspace of [frozen(stage.nowMs), { version: 1, frozen: 'unknown' } as const])
      expect(stage.claim(stage.call(), {}, { workspace }).events).toEqual([]);
    expect(stage.next({ frozen: true })).toMatchObject({ effects: [] });
    stage.pass(HOUR_MS);
    expect(stage.next().effects).toEqual(['claim']);
    const other = approved();
    other.pass(4 * HOUR_MS);
    expect(other.next({ frozen: true }).effects).toEqual(['expire']);
    other.do({ type: 'expire', approval: other.approval().id });
    expect(other.outcomes()).toEqual(['expired']);
    expect(other.approval().votes).toMatchObject([{ by: MIA }]);
  });

  test('it expired: nothing is claimed, at the very moment of the expiry either [F-J4, F-J5, F-C2, T-A9a, T-C6]', () => {
    const stage = approved();
    stage.pass(4 * HOUR_MS - 1);
    expect(stage.claim().events.map(event => event.type)).toEqual(['call.claimed']);
    const late = approved();
    late.pass(4 * HOUR_MS);
    expect(late.claim().events).toMatchObject([{ type: 'approval.settled', how: 'expired' }]);
    late.pass(48 * HOUR_MS);
    expect(late.claim().events).toEqual([]);
    expect(late.click('approve').refusal?.code).toBe('expired');
    expect(late.outcomes()).toEqual(['expired']);
  });

  test('a rule allows it now: it runs as approved, but not with other facts than those shown [T-A20c]', () => {
    const stage = approved({ bind: { replicas: 6 } });
    stage.claim(stage.call(), { verdict: 'allow', bind: { replicas: 6 } });
    expect(stage.outcomes()).toEqual(['running']);
    const changed = approved({ bind: { replicas: 6 } });
    changed.claim(changed.call(), { verdict: 'allow', bind: { replicas: 8 } });
    expect(changed.approval().state).toMatchObject({ is: 'refused', code: 'altered' });
  });
});

describe('a claim that was not started', () => {
  test('because it came too late is claimed again, at most three times, and then given up [T-C11]', () => {
    for (const asked of [{}, { verdict: 'allow' }] as const) {
      const stage = asked.verdict === 'allow' ? new Stage().asks(asked) : approved();
      for (let n = 1; n <= 3; n += 1) {
        stage.claim(stage.call(), asked);
        expect(stage.call()).toMatchObject({ attempts: n, state: { is: 'claimed' } });
        giveBack(stage, 'too_late');
      }
      stage.claim(stage.call(), asked);
      expect(stage.outcomes()[0]).toMatch(/not_run|refused/);
      expect(stage.call().attempts).toBe(3);
      expect(stage.call().state.is === 'refused' || stage.approval().state).toMatchObject(
        stage.call().state.is === 'refused' ? {} : { is: 'refused', code: 'too_late' },
      );
    }
  });

  test('because of a freeze or a stop is claimed again as often as it takes', () => {
    const stage = approved();
    for (let n = 0; n < 6; n += 1) {
      stage.claim();
      giveBack(stage, n % 2 === 0 ? 'frozen' : 'stopping');
    }
    stage.claim();
    expect(stage.call()).toMatchObject({ attempts: 7, tooLate: 0, state: { is: 'claimed' } });
  });

  test('because it had expired by then is expired [F-J5]', () => {
    const stage = approved();
    stage.pass(4 * HOUR_MS - 1);
    stage.claim();
    stage.pass(1);
    giveBack(stage, 'expired');
    expect(stage.outcomes()).toEqual(['expired']);
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('is given back once, and its execution is spent: an old claim cannot start or end anything [F-B16, T-C11]', () => {
    const stage = approved();
    stage.claim();
    const first = `${stage.call().id}.1` as never;
    giveBack(stage, 'frozen');
    expect(stage.do({ type: 'notStarted', call: stage.call().id, execution: first, why: 'frozen' }).events).toEqual([]);
    stage.claim();
    expect(stage.do({ type: 'notStarted', call: stage.call().id, execution: first, why: 'frozen' }).events).toEqual([]);
    expect(stage.recover(stage.call(), true).events).toHaveLength(1);
    expect(stage.ended(stage.call(), {}, 7).events).toEqual([]);
  });
});

describe('an execution', () => {
  test('ends with its outcome, once; the approval stays what it was [F-H9, F-K8]', () => {
    const stage = approved();
    stage.claim();
    stage.ended(stage.call(), { how: 'failed', effect: 'possible', code: 'exit_1', result: 'boom' });
    expect(stage.outcomes()).toEqual(['failed']);
    expect(stage.call().state).toMatchObject({ ending: { how: 'failed', effect: 'possible', code: 'exit_1' } });
    expect(stage.approval().state.is).toBe('approved');
    expect(stage.ended().events).toEqual([]);
    expect(stage.replayed()).toEqual(stage.thread);
  });

  test('that the log does not know has no outcome [F-H9, F-B8]', () => {
    const stage = approved();
    expect(stage.ended(stage.call(), {}, 1).events).toEqual([]);
    stage.claim();
    expect(stage.ended(stage.call(), {}, 2).events).toEqual([]);
    expect(stage.outcomes()).toEqual(['running']);
  });
});
