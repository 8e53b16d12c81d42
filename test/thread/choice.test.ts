import { describe, expect, test } from 'vitest';
import { approvalDigest } from '../../src/thread/digest.ts';
import type { Option } from '../../src/thread/events.ts';
import type { Approval, Call } from '../../src/thread/thread.ts';
import { DANA, LEO, MIA, OTTO, Stage, terms, type Asked } from './stage.ts';

const WAYS: Option[] = [
  { value: '41', label: 'v41 (yesterday)' },
  { value: '40', label: 'v40 (Monday)' },
];

/** A tool that runs and asks its approvers for one of several ways. */
function choosing(look: Asked = {}, options: readonly Option[] = WAYS): Stage {
  const stage = new Stage().asks({ name: 'roll_back', args: { app: 'billing' }, verdict: 'allow' });
  stage.claim(stage.call(), { verdict: 'allow' });
  const asking = {
    on: 'call',
    summary: 'Roll billing back',
    impact: null,
    args: { app: 'billing' },
    bind: {},
  } as const;
  stage.suspend('version', { ...asking, options }, stage.call(), look);
  return stage;
}
const inner = (stage: Stage): Call => stage.call(1);
const approval = (stage: Stage): Approval => stage.approval(1);
const choose = (stage: Stage, option: string | undefined, by = MIA) =>
  stage.click('approve', by, { on: approval(stage), ...(option === undefined ? {} : { option }) });

describe('a choice put to approvers', () => {
  test('is one card: the way is chosen with the approval, and the tool is told which [F-M6]', () => {
    const stage = choosing();
    expect(Object.keys(stage.thread.approvals)).toHaveLength(1);
    expect(approval(stage)).toMatchObject({ options: WAYS, state: { is: 'open' }, requesters: [DANA] });
    choose(stage, '40');
    expect(approval(stage).state).toMatchObject({ is: 'approved', option: '40' });
    stage.claim(inner(stage));
    expect(inner(stage).state).toMatchObject({ is: 'ended', ending: { how: 'succeeded', result: '40' } });
    expect(stage.next().effects).toEqual(['claim']);
  });

  test('is decided by nobody without one of its ways; none of these is a rejection', () => {
    const stage = choosing();
    expect(choose(stage, undefined).refusal?.code).toBe('option_needed');
    expect(choose(stage, '39').refusal?.code).toBe('option_needed');
    expect(choose(stage, '__proto__').refusal?.code).toBe('option_needed');
    expect(choose(stage, '40', DANA).refusal?.code).toBe('requester');
    expect(choose(stage, '40', OTTO).refusal?.code).toBe('not_approver');
    expect(approval(stage)).toMatchObject({ votes: [], state: { is: 'open' } });
    stage.click('reject', MIA, { on: approval(stage) });
    expect(approval(stage).state.is).toBe('rejected');
    expect(stage.next().effects).toEqual(['claim']);
  });

  test('counts the people who chose the same way; another choice replaces one’s own', () => {
    const stage = choosing({ verdict: terms({ quorum: 2 }) });
    choose(stage, '41', MIA);
    expect(choose(stage, '41', MIA).refusal?.code).toBe('already_counted');
    choose(stage, '40', LEO);
    expect(approval(stage).state.is).toBe('open');
    choose(stage, '40', MIA);
    expect(approval(stage).votes.map(vote => [vote.by, vote.option])).toEqual([
      [LEO, '40'],
      [MIA, '40'],
    ]);
    expect(approval(stage).state).toMatchObject({ is: 'approved', option: '40' });
    const settled = stage.commits.flatMap(commit => commit.events).findLast(event => event.type === 'approval.settled');
    expect(settled).toMatchObject({ how: 'approved', by: [LEO, MIA], option: '40' });
  });

  test('is bound to the ways that were shown; a plain approval is bound as it always was', () => {
    const stage = choosing();
    const { callDigest, requesters, bind, ruleDigest, expiresAtMs, round, salt, digest } = approval(stage);
    const content = { callDigest, requesters, bind, ruleDigest, expiresAtMs, round, salt };
    expect(approvalDigest({ ...content, options: WAYS })).toBe(digest);
    expect(approvalDigest({ ...content, options: WAYS.toReversed() })).not.toBe(digest);
    expect(approvalDigest({ ...content, options: [] })).toBe(approvalDigest(content));
    stage.say('quickly', DANA);
    expect(approval(stage).digest).not.toBe(digest);
    choose(stage, '41');
    stage.claim(inner(stage));
    expect(inner(stage).state).toMatchObject({ is: 'ended', ending: { result: '41' } });
  });

  test('is refused where policy would let it through: nobody is left who could choose', () => {
    const stage = choosing({ verdict: 'allow' });
    expect(inner(stage).state).toMatchObject({ is: 'refused', code: 'no_approvers' });
    const plain = choosing({ verdict: 'allow' }, []);
    expect(inner(plain).state.is).toBe('allowed');
  });

  test('is no grant, and a plain request has no ways to choose', () => {
    const grants = { maxMs: 1000, uses: 1, scope: 'thread', where: [] } as const;
    const stage = choosing({ verdict: terms({ grants: { ...grants, where: [] } }) });
    const grant = { forMs: 1000, uses: 1, sentence: 'for a while' };
    const more = { on: approval(stage), option: '41', grant };
    expect(stage.click('approve', MIA, more).refusal?.code).toBe('no_grant');
    const plain = new Stage().asks({});
    expect(plain.click('approve', MIA, { option: '41' }).refusal?.code).toBe('unknown_control');
  });

  test('the same key with another way is refused', () => {
    const stage = choosing({ verdict: terms({ quorum: 2 }) });
    const on = approval(stage);
    stage.click('approve', MIA, { on, option: '41', key: 'k1' });
    expect(stage.click('approve', MIA, { on, option: '41', key: 'k1' })).toMatchObject({ repeated: true });
    expect(stage.click('approve', MIA, { on, option: '40', key: 'k1' }).refusal?.code).toBe('key_reused');
  });
});

describe('a request from inside a tool', () => {
  const again = (stage: Stage, verdict: Asked['verdict'] = terms()) => {
    const asking = { on: 'call', summary: 'Roll billing back', impact: null, bind: {}, options: WAYS } as const;
    const outer = stage
      .run()
      .calls.flatMap(id => stage.thread.calls[id] ?? [])
      .findLast(call => call.within === null);
    if (!outer) throw new Error('no call');
    stage.claim(outer, { verdict: 'allow' });
    return stage.suspend('version', { ...asking, args: { app: 'billing' } }, outer, { verdict });
  };

  test('is another call than the tool’s own with the same arguments, and than one under another name', () => {
    const stage = choosing();
    expect(inner(stage).judgement?.callDigest).not.toBe(stage.call().judgement?.callDigest);
    expect(inner(stage).state.is).toBe('waiting');
    const other = new Stage().asks({ name: 'roll_back', args: { app: 'billing' }, verdict: 'allow' });
    other.claim(other.call(), { verdict: 'allow' });
    const asking = {
      on: 'call',
      summary: 's',
      impact: null,
      args: { app: 'billing' },
      bind: {},
      options: WAYS,
    } as const;
    other.suspend('release', asking);
    expect(inner(other).judgement?.callDigest).not.toBe(inner(stage).judgement?.callDigest);
  });

  test('is refused without a card where the same was rejected before in the run', () => {
    const stage = choosing();
    stage.click('reject', MIA, { on: approval(stage) });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended(stage.call(), { how: 'failed', effect: 'none', code: 'not_approved' });
    stage.reply('', { name: 'roll_back', args: { app: 'billing' }, verdict: 'allow' });
    again(stage);
    expect(stage.call(3)).toMatchObject({
      state: { is: 'refused', code: 'rejected_before' },
      within: { name: 'version' },
    });
  });

  test('that expired cannot be asked again by itself: that would be its tool’s own call', () => {
    const stage = choosing({ verdict: terms({ expiresInMs: 1000 }) }).pass(1000);
    stage.do({ type: 'expire', approval: approval(stage).id });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended(stage.call(), { how: 'failed', effect: 'none' });
    stage.reply('Nobody chose.');
    expect(stage.askAgain(DANA, inner(stage)).refusal?.code).toBe('nothing_to_do');
    expect(stage.thread.runCount).toBe(1);
  });
});
