import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decide } from '../../src/thread/decide/command.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import type { ApprovalId, TeamId } from '../../src/thread/ids.ts';
import { ANA, CARD, DANA, frozen, HOUR_MS, LEADS, LEO, MIA, OTTO, SRE, Stage, terms } from './stage.ts';

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]));

describe('decisions on parallel calls', () => {
  test('in each of 6 orders and 8 mixes land on their own call [F-A2, F-A4, F-A14, F-F3, F-G4, T-A21b]', () => {
    for (const order of permutations([0, 1, 2]))
      for (let mix = 0; mix < 8; mix += 1) {
        const stage = new Stage().asks({ args: 'a' }, { args: 'b' }, { args: 'c' });
        const approves = (index: number) => (mix & (1 << index)) !== 0;
        for (const [count, index] of order.entries()) {
          const on = stage.approval(index);
          expect(on.state.is).toBe('open');
          expect(stage.click(approves(index) ? 'approve' : 'reject', MIA, { on }).refusal).toBeUndefined();
          expect(stage.outcomes().filter(outcome => outcome === 'waiting')).toHaveLength(2 - count);
        }
        for (const index of order) if (approves(index)) stage.claim(stage.call(index));
        for (const index of order) if (approves(index)) stage.ended(stage.call(index), { result: `ran ${index}` });
        expect(stage.outcomes()).toEqual([0, 1, 2].map(index => (approves(index) ? 'done' : 'rejected')));
        for (const index of [0, 1, 2].filter(approves))
          expect(stage.call(index).state).toMatchObject({ ending: { result: `ran ${index}` } });
        expect(stage.next().effects).toEqual(['ask_model']);
      }
  });
});

describe('the same resume command again', () => {
  test('is answered by the first result and changes nothing, whatever has happened since [F-B2, F-B11, F-L7, T-A15c, T-A21c]', () => {
    const stage = new Stage().asks({});
    const key = 'k1';
    const commits = (): number => stage.commits.length;
    stage.click('approve', MIA, { key });
    for (const step of [() => undefined, () => stage.claim(), () => stage.ended(), () => stage.pass(9 * HOUR_MS)]) {
      step();
      const before = commits();
      expect(stage.click('approve', MIA, { key })).toMatchObject({ repeated: true, events: [] });
      expect(commits()).toBe(before);
    }
    expect(stage.outcomes()).toEqual(['done']);
  });

  test('with another content, or for another request, is refused', () => {
    const stage = new Stage().asks({ args: 1, verdict: terms({ quorum: 2 }) }, { args: 2 });
    stage.click('approve', MIA, { key: 'k1' });
    expect(stage.click('reject', MIA, { key: 'k1' }).refusal?.code).toBe('key_reused');
    expect(stage.click('approve', MIA, { key: 'k1', reason: 'fine' }).refusal?.code).toBe('key_reused');
    expect(stage.click('approve', MIA, { key: 'k1', on: stage.approval(1) }).refusal?.code).toBe('key_reused');
    expect(stage.outcomes()).toEqual(['waiting', 'waiting']);
    expect(stage.click('approve', LEO, { key: 'k1' }).refusal).toBeUndefined();
  });
});

describe('a decision that comes too late, or to the wrong place', () => {
  const after = (change: (stage: Stage) => void): Stage => {
    const stage = new Stage().asks({});
    change(stage);
    return stage;
  };

  test.each([
    ['not_found', after(() => undefined), { approval: 'Q'.repeat(26) as ApprovalId }],
    ['stale_round', after(stage => stage.say('wait')), { round: 1 }],
    ['stale_round', after(() => undefined), { round: 2 }],
    ['wrong_card', after(() => undefined), { card: { ...CARD, is: 'wrong' } as const }],
    ['other_environment', after(() => undefined), { card: { ...CARD, is: 'other_environment' } as const }],
    ['expired', after(stage => stage.pass(4 * HOUR_MS)), {}],
    ['withdrawn', after(stage => stage.cancel()), {}],
    ['already_decided', after(stage => stage.click('approve', LEO)), {}],
    ['already_decided', after(stage => stage.click('reject', LEO)), {}],
  ])(
    'is refused with %s, is on record, and leaves the request as it is [F-A1, F-A12, F-B8, F-E10, F-E11, F-J4, S-25, T-A12d, T-A15b]',
    (code, stage, more) => {
      const before = stage.call().state;
      for (const verdict of ['approve', 'reject'] as const) {
        const { refusal, events } = stage.click(verdict, MIA, more);
        expect(refusal?.code).toBe(code);
        expect(events.every(event => event.type === 'decision.refused')).toBe(true);
      }
      expect(stage.call().state).toEqual(before);
      expect(stage.approval().votes.some(vote => vote.by === MIA)).toBe(false);
    },
  );

  test('that names no request, or not by its whole id, decides nothing while three wait: none is guessed [F-A3, F-A12]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2 }, { args: 3 });
    const [first] = Object.keys(stage.thread.approvals);
    const unnamed = [
      '',
      ' ',
      '1',
      'A-7F3K',
      stage.call().id,
      stage.run().id,
      `${first} `,
      first?.slice(0, 25),
      '__proto__',
    ];
    for (const approval of unnamed)
      for (const verdict of ['approve', 'reject'] as const) {
        const { refusal, events } = stage.click(verdict, MIA, { approval: approval as ApprovalId });
        expect([approval, refusal?.code]).toEqual([approval, 'not_found']);
        expect(events.every(event => event.type === 'decision.refused')).toBe(true);
      }
    expect(stage.outcomes()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(Object.values(stage.thread.approvals).flatMap(approval => approval.votes)).toEqual([]);
  });

  test('names who decided and when, and nobody for an expiry [F-J1, F-C17]', () => {
    const stage = new Stage().asks({ args: 1 }, { args: 2 }, { args: 3 }, { args: 4 });
    stage.click('approve', LEO, { on: stage.approval(0) });
    stage.click('reject', LEO, { on: stage.approval(1) });
    const refusal = (index: number) => stage.click('approve', MIA, { on: stage.approval(index) }).refusal;
    expect(refusal(0)).toMatchObject({ code: 'already_decided', by: LEO, atMs: stage.nowMs });
    expect(refusal(1)).toMatchObject({ code: 'already_decided', by: LEO });
    stage.pass(4 * HOUR_MS);
    stage.do({ type: 'expire', approval: stage.approval(2).id });
    expect(refusal(2)).not.toHaveProperty('by');
    expect(refusal(2)).toMatchObject({ code: 'expired', atMs: stage.approval(2).expiresAtMs });
    expect(stage.approval(2).state).toEqual({ is: 'expired', atMs: stage.nowMs });
    const settled = stage.commits.flatMap(commit => commit.events).findLast(event => event.type === 'approval.settled');
    expect(settled).not.toHaveProperty('by');
    stage.cancel();
    expect(stage.outcomes()).toEqual(['withdrawn', 'rejected', 'expired', 'withdrawn']);
  });

  test('on a card that was replaced says so, also when the requester had written in between', () => {
    for (const written of [0, 1, 2]) {
      const stage = new Stage().asks({ bind: { replicas: 6 } });
      for (let n = 0; n < written; n += 1) stage.say('hurry');
      const { round } = stage.approval();
      stage.click('approve');
      stage.claim(stage.call(), { bind: { replicas: 8 } });
      stage.say('still waiting');
      expect(stage.click('approve', LEO, { round }).refusal).toMatchObject({ code: 'superseded', atMs: stage.nowMs });
      expect(stage.click('approve', LEO, { round: round + 1 }).refusal?.code).toBe('stale_round');
      expect(stage.click('approve', LEO).refusal).toBeUndefined();
    }
  });

  test('is on record once per person, round and code [F-D1, T-A12d]', () => {
    const stage = new Stage().asks({});
    const refused = () =>
      stage.commits.flatMap(commit => commit.events).filter(event => event.type === 'decision.refused');
    for (let n = 0; n < 3; n += 1) stage.click('approve', OTTO);
    stage.click('reject', OTTO);
    expect(refused()).toHaveLength(1);
    expect(refused()[0]).toMatchObject({ by: OTTO, code: 'not_approver', round: 1, verdict: 'approve' });
    stage.click('approve', DANA);
    stage.say('please');
    stage.click('approve', OTTO);
    expect(refused()).toHaveLength(3);
    expect(stage.click('approve', MIA).refusal).toBeUndefined();
  });
});

describe('who may decide', () => {
  test('nobody but active, human members of the organisation who are in scope now [F-D1, F-D5, F-D7, S-48, S-49, S-50, T-A12b, T-A12c]', () => {
    const stage = new Stage().asks({});
    const as = (more: Parameters<Stage['actor']>[1], user = MIA) =>
      stage.click('approve', user, { actor: stage.actor(user, more) }).refusal?.code;
    expect(as({ standing: 'guest' })).toBe('guest');
    expect(as({ standing: 'external', team: 'T0PARTNER' as TeamId })).toBe('external');
    expect(as({ standing: 'deactivated' })).toBe('deactivated');
    expect(as({ standing: 'bot' })).toBe('bot');
    expect(as({ standing: 'unknown' })).toBe('lookup_failed');
    expect(as({ scopes: [] })).toBe('not_approver');
    expect(as({ scopes: ['other'] })).toBe('not_approver');
    expect(as({ scopes: [], unknownScopes: ['sre'] })).toBe('lookup_failed');
    expect(as({ scopes: [], unknownScopes: ['other'] }, LEO)).toBe('not_approver');
    expect(as({ admin: true, scopes: [] }, ANA)).toBe('not_approver');
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(as({})).toBeUndefined();
  });

  test('a second account of the requester, which Slack does not tell from another person: the record has its id [F-D9]', () => {
    const stage = new Stage().asks({});
    const twin = stage.actor(OTTO, { name: `name of ${DANA}`, scopes: ['sre'] });
    expect(stage.click('approve', OTTO, { actor: twin }).refusal).toBeUndefined();
    expect(stage.approval().votes).toMatchObject([{ by: OTTO, name: `name of ${DANA}` }]);
  });

  test('no requester, unless the rule lets them with a reason, which is written down [F-D9, F-D12, S-44, T-A11]', () => {
    const strict = new Stage().asks({});
    expect(strict.click('approve', DANA, { reason: 'urgent' }).refusal?.code).toBe('requester');
    expect(strict.click('reject', DANA).refusal?.code).toBe('requester');
    const trial = new Stage().asks({ verdict: terms({ selfApproval: 'with_reason' }) });
    expect(trial.click('approve', DANA).refusal?.code).toBe('reason_needed');
    expect(trial.click('approve', DANA, { reason: 'urgent' }).refusal).toBeUndefined();
    expect(trial.approval().votes).toMatchObject([{ by: DANA, reason: 'urgent' }]);
    expect(trial.approval().state.is).toBe('approved');
  });

  test('an empty scope lets nobody decide; later steps of the ladder count from their time on [F-D4, F-C15, T-A12a]', () => {
    const empty = new Stage().asks({ verdict: terms({ ladder: [{ afterMs: 0, scopes: [] }] }) });
    expect(empty.click('approve').refusal?.code).toBe('not_approver');
    const ladder = [
      { afterMs: 0, scopes: [SRE] },
      { afterMs: HOUR_MS, scopes: [LEADS] },
    ];
    const stage = new Stage().asks({ verdict: terms({ ladder }) });
    expect(stage.click('approve', ANA).refusal?.code).toBe('not_approver');
    stage.pass(HOUR_MS);
    expect(stage.click('approve', ANA).refusal).toBeUndefined();
    // A clock that is behind the one that asked shuts nobody out.
    const behind = new Stage().asks({ verdict: terms({ ladder }) });
    behind.pass(-HOUR_MS / 6);
    expect(behind.click('approve', MIA).refusal).toBeUndefined();
  });

  test('while everything is frozen, only to reject; not knowing is as good as frozen', () => {
    const stage = new Stage().asks({});
    const workspace = frozen(stage.nowMs);
    expect(stage.click('approve', MIA, { workspace }).refusal).toMatchObject({ code: 'frozen', atMs: stage.nowMs });
    const unknown = { version: 1, frozen: 'unknown' } as const;
    expect(stage.click('approve', MIA, { workspace: unknown }).refusal?.code).toBe('lookup_failed');
    expect(stage.click('reject', MIA, { workspace }).refusal).toBeUndefined();
  });
});

describe('a quorum', () => {
  test('of two is two different people; one person counts once, and one rejection is a veto [F-D15, S-42, T-A11]', () => {
    const two = () => new Stage().asks({ verdict: terms({ quorum: 2 }) });
    const stage = two();
    stage.click('approve', MIA);
    expect(stage.click('approve', MIA).refusal).toMatchObject({ code: 'already_counted', atMs: stage.nowMs });
    expect(stage.click('approve', DANA).refusal?.code).toBe('requester');
    expect(stage.outcomes()).toEqual(['waiting']);
    expect(stage.claim().events).toEqual([]);
    stage.click('approve', LEO);
    expect(stage.outcomes()).toEqual(['starting']);
    expect(stage.approval().votes.map(vote => vote.by)).toEqual([MIA, LEO]);
    const vetoed = two();
    vetoed.click('approve', MIA);
    vetoed.click('reject', LEO);
    expect(vetoed.outcomes()).toEqual(['rejected']);
    const changed = two();
    changed.click('approve', MIA);
    changed.click('reject', MIA, { reason: 'on second thought' });
    expect(changed.approval().state).toMatchObject({ is: 'rejected', by: MIA });
    expect(changed.approval().votes).toHaveLength(1);
  });

  test('keeps the threshold of the request, whatever the policy says later [F-D15]', () => {
    const stage = new Stage().asks({ verdict: terms({ quorum: 2 }) });
    stage.click('approve', MIA);
    stage.click('approve', LEO);
    stage.claim(stage.call(), { verdict: terms({ quorum: 3 }), eligible: [MIA, LEO, ANA] });
    expect(stage.approval()).toMatchObject({
      round: 2,
      card: 2,
      votes: [],
      terms: { quorum: 3 },
      state: { is: 'open' },
    });
    expect(stage.call().attempts).toBe(0);
  });
});

describe('a quorum that cannot be reached any more', () => {
  test('is told at once to who approves; the approval counts all the same [F-D15]', () => {
    const stage = new Stage().asks({ verdict: terms({ quorum: 2 }) });
    const { refusal, events } = stage.click('approve', MIA, { eligible: [MIA] });
    expect(refusal?.code).toBe('quorum_impossible');
    expect(events.map(event => event.type)).toEqual(['decision.recorded']);
    expect(stage.approval()).toMatchObject({ votes: [{ by: MIA }], state: { is: 'open' } });
    // Somebody has come back.
    expect(stage.click('approve', LEO, { eligible: [LEO] }).refusal).toBeUndefined();
    expect(stage.approval().state.is).toBe('approved');
  });

  test('counts those who have approved, whether or not they could again; and is no guess where nobody looked', () => {
    for (const eligible of [[MIA, LEO], [LEO], 'unknown', undefined] as const) {
      const stage = new Stage().asks({ verdict: terms({ quorum: 2 }) });
      expect(stage.click('approve', MIA, eligible === undefined ? {} : { eligible }).refusal).toBeUndefined();
    }
  });
});

describe('a mind', () => {
  test('can be changed while the request waits, by a rejection; that is final', () => {
    const stage = new Stage().asks({ verdict: terms({ quorum: 2 }) });
    stage.click('approve', MIA);
    stage.click('reject', MIA, { reason: 'on second thought' });
    expect(stage.approval()).toMatchObject({ state: { is: 'rejected', by: MIA }, votes: [{ verdict: 'reject' }] });
    expect(stage.click('approve', MIA).refusal).toMatchObject({ code: 'already_decided', by: MIA });
  });
});

describe('a reject that comes too late', () => {
  test('is on record as a reject, also of somebody whose approval had come too late [F-J3]', () => {
    const stage = new Stage().asks({}).pass(4 * HOUR_MS);
    for (const verdict of ['approve', 'reject', 'reject', 'approve'] as const)
      expect(stage.click(verdict).refusal?.code).toBe('expired');
    const records = stage.commits.flatMap(commit => commit.events).filter(event => event.type === 'decision.refused');
    expect(records).toMatchObject([
      { by: MIA, code: 'expired', verdict: 'approve' },
      { by: MIA, code: 'expired', verdict: 'reject' },
    ]);
    expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'open' } });
    stage.do({ type: 'expire', approval: stage.approval().id });
    expect(stage.approval().state).toEqual({ is: 'expired', atMs: stage.nowMs });
  });
});

describe('the record of a decision', () => {
  test('holds person, team, card, key, what was shown, and how the right was looked up [S-41, F-D11, F-L12]', () => {
    const stage = new Stage().asks({ rule: 'a-rule' });
    const { events } = stage.click('approve', MIA, { key: 'k1', origin: 'form' });
    expect(events).toMatchObject([
      {
        type: 'decision.recorded',
        by: MIA,
        team: stage.key.team,
        round: 1,
        key: 'k1',
        origin: 'form',
        card: { channel: CARD.channel, ts: CARD.ts },
        digest: stage.approval().digest,
        scopes: ['sre'],
        lookedUpAtMs: stage.nowMs,
        rule: 'a-rule',
      },
      { type: 'approval.settled', how: 'approved', by: [MIA] },
    ]);
  });
});

describe('only the exact approve of an entitled person', () => {
  const standing = fc.constantFrom('member', 'guest', 'external', 'deactivated', 'bot', 'unknown');
  const people = fc.constantFrom(DANA, MIA, LEO, ANA, OTTO);

  test('leads to a call that may be claimed, whatever else arrives [F-C7, F-B8, F-C2, T-A20d]', () => {
    fc.assert(
      fc.property(
        people,
        standing,
        fc.subarray(['sre', 'leads', 'other']),
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom('ours', 'wrong', 'other_environment'),
        fc.constantFrom('approve', 'reject'),
        fc.integer({ min: 0, max: 5 * HOUR_MS }),
        fc.constantFrom(null, 'unknown', 'frozen'),
        fc.boolean(),
        (by, is, scopes, round, card, verdict, late, frost, known) => {
          const stage = new Stage().asks({ args: 'x' }, { args: 'y' });
          stage.pass(late);
          const workspace = frost === 'frozen' ? frozen(stage.nowMs) : { version: 1, frozen: frost };
          const more: Partial<Decide> = {
            round,
            workspace,
            card: { ...CARD, is: card },
            actor: stage.actor(by, { standing: is, scopes }),
            ...(known ? {} : { approval: 'Q'.repeat(26) as ApprovalId }),
          };
          stage.click(verdict, by, more);
          const entitled = is === 'member' && scopes.includes('sre') && by !== DANA;
          const counts = known && entitled && round === 1 && card === 'ours' && late < 4 * HOUR_MS;
          expect(stage.call(0).state.is === 'approved').toBe(counts && verdict === 'approve' && frost === null);
          expect(stage.call(0).state.is === 'closed').toBe(counts && verdict === 'reject');
          expect(stage.call(1).state.is).toBe('waiting');
        },
      ),
    );
  });

  test('even when the command carries more than it should: made-up flags reach nothing [F-B8]', () => {
    const stage = new Stage().asks({});
    const forged = { approved: true, verdict: 'approved', state: 'approved' };
    const command = { type: 'decide', approval: stage.approval().id, round: 1, reason: null, then: null, key: 'k' };
    const rest = { origin: 'click', card: CARD, workspace: { version: 1, frozen: null } };
    const forge = (actor = OTTO) =>
      decide(stage.thread, { ...command, ...rest, actor: stage.actor(actor), ...forged } as never, stage.nowMs);
    expect(forge().refusal?.code).toBe('not_approver');
    expect(forge(MIA).events).toEqual([]);
  });
});
