import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seal } from '../../src/thread/commit.ts';
import type { Decide, GivenGrant } from '../../src/thread/decide/command.ts';
import { digestOf } from '../../src/thread/digest.ts';
import type { GrantTerms, Json, Terms, WorkspaceEvent } from '../../src/thread/events.ts';
import type { Grant } from '../../src/thread/grant.ts';
import {
  coveringGrant,
  grantGiven,
  grantPattern,
  grantStands,
  grantUsesLeft,
  type Granted,
} from '../../src/thread/grants.ts';
import { threadLog, workspaceLog, type CallId, type ChannelId, type GrantId } from '../../src/thread/ids.ts';
import { emptyWorkspace, foldWorkspace, type Workspace } from '../../src/thread/workspace.ts';
import { ANA, DANA, HOUR_MS, KEY, LEO, LIMITS, ME, MIA, OTTO, Stage, TEAM, terms, THAWED } from './stage.ts';

const OFFER: GrantTerms = { maxMs: HOUR_MS, uses: 5, scope: 'thread', where: [] };
const offering = (more: Partial<GrantTerms> = {}, rest: Partial<Terms> = {}): Terms =>
  terms({ grants: { ...OFFER, ...more }, ...rest });
const SENTENCE = 'Until 15:05, at most 5 times, in this thread, for Dana: execute where ns = staging.';
const GRANT: GivenGrant = { forMs: HOUR_MS, uses: 5, sentence: SENTENCE };
const ARGS = { ns: 'staging', app: 'billing' };

const asked = (verdict: Terms = offering(), args: Json = ARGS): Stage => new Stage().asks({ args, verdict });
const allow = (stage: Stage, by = MIA, more: Partial<Decide> = {}) =>
  stage.click('approve', by, { grant: GRANT, origin: 'form', ...more });

/** The workspace once it has what the thread's decisions allow. */
function workspaceOf(stage: Stage, ...more: readonly WorkspaceEvent[]): Workspace {
  const workspace = emptyWorkspace();
  const events = [...stage.thread.grants.map(grantGiven), ...more];
  const draft = { after: workspace.head, events, atMs: stage.nowMs, writer: ME, nonce: 'n', salt: 's' };
  return foldWorkspace(workspace, seal(workspaceLog(TEAM), draft));
}
const like = (stage: Stage, more: Partial<Granted> = {}): Granted => ({
  tool: 'execute',
  toolDigest: digestOf({ name: 'execute' }),
  ruleDigest: stage.approval().ruleDigest,
  args: ARGS,
  requester: DANA,
  deciders: [MIA, LEO],
  channel: KEY.channel,
  threadKey: KEY,
  nowMs: stage.nowMs,
  ...more,
});

describe('approve, and allow for a while', () => {
  test('stores what the sentence says: tool, arguments, who, where, until, how often, and the sentence itself [F-M4]', () => {
    const stage = asked(offering({ where: ['ns'] }));
    const { events } = allow(stage, MIA, { key: 'k1', grant: { ...GRANT, uses: 2, forMs: 60_000 } });
    expect(events[0]).toMatchObject({
      type: 'decision.recorded',
      grant: {
        tool: 'execute',
        toolDigest: digestOf({ name: 'execute' }),
        who: DANA,
        where: { channel: KEY.channel, thread: threadLog(KEY) },
        untilMs: stage.nowMs + 60_000,
        uses: 2,
        othersFree: true,
      },
      body: { grant: { sentence: SENTENCE, pattern: { ns: 'staging' } } },
    });
    expect(stage.thread.grants).toMatchObject([{ by: MIA, approval: stage.approval().id, sentence: SENTENCE }]);
    const [grant] = Object.values(workspaceOf(stage).grants);
    expect(grant).toMatchObject({ by: MIA, name: `name of ${MIA}`, pattern: { ns: 'staging' }, uses: 2, used: [] });
    expect(stage.replayed().grants).toEqual(stage.thread.grants);
  });

  test.each([
    ['where the rule offers none', terms(), ARGS, {}],
    ['for longer', offering(), ARGS, { forMs: HOUR_MS + 1 }],
    ['for no time', offering(), ARGS, { forMs: 0 }],
    ['for a time that is none', offering(), ARGS, { forMs: Number.NaN }],
    ['more often', offering(), ARGS, { uses: 6 }],
    ['never', offering(), ARGS, { uses: 0 }],
    ['half a time', offering(), ARGS, { uses: 1.5 }],
    ['for a call without arguments', offering(), {}, {}],
    ['for arguments that are a list', offering(), ['a'], {}],
    ['where an argument that the rule names is missing', offering({ where: ['ns', 'cluster'] }), ARGS, {}],
  ])('%s is refused, and nothing is counted [F-M2]', (_, verdict, args, more) => {
    const stage = asked(verdict, args);
    expect(allow(stage, MIA, { grant: { ...GRANT, ...more } }).refusal?.code).toBe('no_grant');
    expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'open' } });
    expect(stage.thread.grants).toEqual([]);
  });

  test('is given once the request is approved, and not by a vote that fell or a request that was not', () => {
    const stage = asked(offering({}, { quorum: 2 }));
    allow(stage, MIA);
    expect(stage.thread.grants).toEqual([]);
    stage.click('approve', LEO, {});
    expect(stage.thread.grants.map(grant => grant.by)).toEqual([MIA]);
    const fell = asked(offering({}, { quorum: 2 }));
    allow(fell, MIA);
    fell.say('wait');
    fell.click('approve', LEO);
    fell.click('approve', MIA);
    expect(fell.approval().state.is).toBe('approved');
    expect(fell.thread.grants).toEqual([]);
    const vetoed = asked(offering({}, { quorum: 2 }));
    allow(vetoed, MIA);
    vetoed.click('reject', LEO);
    expect(vetoed.thread.grants).toEqual([]);
    const lost = asked();
    allow(lost, MIA);
    lost.claim(lost.call(), { verdict: offering() }, { approvers: [lost.actor(MIA, { scopes: [] })] });
    expect(lost.approval().state.is).toBe('open');
    expect(lost.thread.grants).toEqual([]);
  });

  test('is not given beside an approval of somebody who has not seen it: those who come after it have', () => {
    const stage = asked(offering({}, { quorum: 2 }));
    stage.click('approve', LEO);
    expect(allow(stage, MIA).refusal?.code).toBe('no_grant');
    expect(stage.approval().votes).toHaveLength(1);
    stage.click('approve', MIA);
    expect(stage.approval().state.is).toBe('approved');
    expect(stage.thread.grants).toEqual([]);
  });

  test('falls with the request that it came with, when that is asked again', () => {
    const stage = asked();
    allow(stage);
    expect(stage.thread.grants).toHaveLength(1);
    stage.claim(stage.call(), { verdict: offering(), bind: { now: 8 } });
    expect(stage.approval()).toMatchObject({ card: 2, votes: [], state: { is: 'open' } });
    expect(stage.thread.grants).toEqual([]);
  });

  test('is not offered for what a tool asks from inside: that is no call that could come again', () => {
    const stage = new Stage().asks({ args: ARGS, verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    const asking = { on: 'call', summary: 's', impact: null, args: ARGS, bind: {}, options: [] } as const;
    stage.suspend('confirm', asking, stage.call(), { verdict: offering() });
    expect(stage.click('approve', MIA, { on: stage.approval(1), grant: GRANT }).refusal?.code).toBe('no_grant');
    expect(stage.click('approve', MIA, { on: stage.approval(1) }).refusal).toBeUndefined();
  });

  test('is not given with a call that the card does not show whole: the form of a grant shows it neither [F-H3]', () => {
    for (const room of ['form', 'file'] as const) {
      const stage = new Stage().asks({ args: ARGS, verdict: offering(), room });
      expect(allow(stage).refusal?.code).toBe('no_grant');
      expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'open' } });
    }
  });

  test('leaves the thread when the workspace’s log has it, once', () => {
    const stage = asked();
    allow(stage);
    const [pending] = stage.thread.grants;
    if (!pending) throw new Error('nothing given');
    expect(stage.next().effects).toContain('give_grant');
    expect(stage.do({ type: 'grantSettled', grant: pending.grant, given: true }).events).toHaveLength(1);
    expect(stage.do({ type: 'grantSettled', grant: pending.grant, given: true }).events).toEqual([]);
    expect(stage.next().effects).not.toContain('give_grant');
  });

  test('the same form again changes nothing, another sentence under its key is refused', () => {
    const stage = asked();
    allow(stage, MIA, { key: 'V1.h1' });
    expect(allow(stage, MIA, { key: 'V1.h1' })).toMatchObject({ repeated: true });
    expect(allow(stage, MIA, { key: 'V1.h1', grant: { ...GRANT, uses: 4 } }).refusal?.code).toBe('key_reused');
    expect(stage.thread.grants).toHaveLength(1);
  });
});

describe('a grant', () => {
  const given = (verdict = offering()): { stage: Stage; grants: Record<string, Grant> } => {
    const stage = asked(verdict);
    allow(stage);
    return { stage, grants: workspaceOf(stage).grants };
  };

  test('covers the like of the call until it is over, used up or revoked [F-M1, F-M5]', () => {
    const { stage, grants } = given();
    const [id = ''] = Object.keys(grants);
    const grant = grants[id];
    if (!grant) throw new Error('no grant');
    expect(coveringGrant(grants, like(stage))).toBe(grant);
    expect(coveringGrant(grants, like(stage, { nowMs: grant.untilMs - 1 }))).toBe(grant);
    expect(coveringGrant(grants, like(stage, { nowMs: grant.untilMs }))).toBeUndefined();
    const used = (...calls: string[]): WorkspaceEvent[] =>
      calls.map(call => ({ type: 'grant.used', grant: id, call: call as CallId, body: {} }));
    const four = workspaceOf(stage, ...used('a', 'b', 'c', 'd', 'd', 'a')).grants;
    expect(four[id]?.used).toEqual(['a', 'b', 'c', 'd']);
    expect(grantUsesLeft(four[id] as Grant)).toBe(1);
    expect(coveringGrant(four, like(stage))).toBeDefined();
    const five = workspaceOf(stage, ...used('a', 'b', 'c', 'd', 'e')).grants;
    expect(coveringGrant(five, like(stage))).toBeUndefined();
    // A call that counts already is not shut out by its own use.
    expect(coveringGrant(five, like(stage, { call: 'e' as CallId }))).toBeDefined();
    expect(coveringGrant(five, like(stage, { call: 'f' as CallId }))).toBeUndefined();
    const revoked = workspaceOf(stage, { type: 'grant.revoked', grant: id, by: ANA, body: {} }).grants;
    expect(revoked[id]).toMatchObject({ revoked: { by: ANA, atMs: stage.nowMs } });
    expect(grantStands(revoked[id] as Grant, stage.nowMs)).toBe(false);
    expect(coveringGrant(revoked, like(stage, { call: 'e' as CallId }))).toBeUndefined();
  });

  test.each([
    ['another tool', { tool: 'write_file' }],
    ['another definition', { toolDigest: digestOf('other') }],
    ['what another rule asks about, or this one as it has become', { ruleDigest: digestOf('other') }],
    ['another person', { requester: OTTO }],
    ['anything once whoever gave it could not decide it any more', { deciders: [LEO] }],
    ['another thread', { threadKey: { ...KEY, ts: '1764511299.000100' as typeof KEY.ts } }],
    ['another channel', { channel: 'C0OTHER01' as ChannelId }],
    ['another value', { args: { ...ARGS, ns: 'production' } }],
    ['an argument less', { args: { ns: 'staging' } }],
    ['an argument more', { args: { ...ARGS, force: true } }],
    ['no arguments', { args: null }],
    ['a list', { args: [ARGS] }],
  ] as const)('does not cover %s [F-M2]', (_, more) => {
    const { stage, grants } = given();
    expect(coveringGrant(grants, like(stage, more as Partial<Granted>))).toBeUndefined();
  });

  test('covers as far as its rule says: this thread, this channel, anywhere; other arguments where it names some', () => {
    const other = { threadKey: { ...KEY, ts: '1764511299.000100' as typeof KEY.ts } };
    const away = {
      channel: 'C0OTHER01' as ChannelId,
      threadKey: { ...other.threadKey, channel: 'C0OTHER01' as ChannelId },
    };
    const places = (scope: GrantTerms['scope']) => {
      const { stage, grants } = given(offering({ scope }));
      return [{}, other, away].map(more => coveringGrant(grants, like(stage, more)) !== undefined);
    };
    expect(places('thread')).toEqual([true, false, false]);
    expect(places('channel')).toEqual([true, true, false]);
    expect(places('anywhere')).toEqual([true, true, true]);
    const { stage, grants } = given(offering({ where: ['ns'] }));
    expect(coveringGrant(grants, like(stage, { args: { ns: 'staging', app: 'search', n: 3 } }))).toBeDefined();
    expect(coveringGrant(grants, like(stage, { args: { ns: 'prod', app: 'billing' } }))).toBeUndefined();
    expect(coveringGrant(grants, like(stage, { args: { app: 'billing' } }))).toBeUndefined();
  });

  test('given before rules were kept with grants covers as it did', () => {
    const stage = asked();
    allow(stage);
    const event = stage.thread.grants.map(grantGiven)[0];
    if (!event) throw new Error('nothing given');
    const { ruleDigest: _, ...before } = event;
    const { grants } = workspaceOf(new Stage(), before);
    expect(coveringGrant(grants, like(stage, { ruleDigest: digestOf('any') }))).toBeDefined();
  });

  test('whose body was erased, or that says not for whom, covers nothing', () => {
    const stage = asked();
    allow(stage);
    const event = stage.thread.grants.map(grantGiven)[0];
    if (!event) throw new Error('nothing given');
    const { who: _, ...nobody } = event;
    for (const each of [
      { ...event, body: null },
      nobody as WorkspaceEvent,
      { ...event, body: { ...event.body, pattern: {} } },
    ])
      expect(coveringGrant(workspaceOf(new Stage(), each as WorkspaceEvent).grants, like(stage))).toBeUndefined();
  });

  test('of one call never covers another: approving X does not authorise Y, whatever both are [T-A20d]', () => {
    const json = fc
      .json({ maxDepth: 2 })
      .filter(text => !text.includes('__proto__'))
      .map(text => JSON.parse(text) as Json);
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { maxKeys: 3 });
    fc.assert(
      fc.property(args, args, fc.subarray(['a', 'b', 'c']), fc.boolean(), (x, y, where, same) => {
        const stage = asked(offering({ where }), x);
        allow(stage);
        const covered = coveringGrant(workspaceOf(stage).grants, like(stage, { args: same ? structuredClone(x) : y }));
        const of = same ? x : y;
        const text = (value: Json | undefined) => JSON.stringify(value ?? null);
        const names = where.length > 0 ? where : [...new Set([...Object.keys(x), ...Object.keys(of)])];
        const equal = names.every(
          name => Object.hasOwn(x, name) && Object.hasOwn(of, name) && digestOf(x[name]) === digestOf(of[name]),
        );
        expect([covered !== undefined, text(x), text(of)]).toEqual([equal && names.length > 0, text(x), text(of)]);
      }),
    );
  });

  test('stores the arguments that the rule names, or all of them; nothing where that would hold nothing', () => {
    expect(grantPattern(ARGS, { where: [] })).toEqual(ARGS);
    expect(grantPattern(ARGS, { where: ['app'] })).toEqual({ app: 'billing' });
    expect(grantPattern({ n: 0, on: false, text: '', list: [] }, { where: [] })).toEqual({
      n: 0,
      on: false,
      text: '',
      list: [],
    });
    for (const args of [{}, [], null, 'ns', 3]) expect(grantPattern(args as Json, { where: [] })).toBeNull();
    expect(grantPattern(ARGS, { where: ['__proto__'] })).toBeNull();
  });
});

describe('a call under a grant', () => {
  const under = (stage: Stage, more: object = {}) => {
    const run = stage.run();
    const evidence = { ...stage.look({ args: ARGS, verdict: offering() }), grant: 'G'.repeat(26) as GrantId, ...more };
    const calls = [{ tool: 'execute', args: JSON.stringify(ARGS) }];
    const reply = { holder: ME, run: run.id, turn: run.turn + 1, model: 'm', text: '', usage: { input: 1, output: 1 } };
    stage.do({ type: 'reply', ...reply, calls, evidence: [evidence], limits: LIMITS });
    return { evidence, call: stage.call(run.calls.length - 1) };
  };
  const started = () => {
    const stage = new Stage();
    stage.say('do it');
    stage.take();
    stage.start();
    return stage;
  };

  test('is allowed where policy would ask, and the record names the grant [F-M1]', () => {
    const stage = started();
    const { call } = under(stage);
    expect(call).toMatchObject({ state: { is: 'allowed' }, approval: null, judgement: { grant: 'G'.repeat(26) } });
  });

  test('is asked about when the grant was revoked before it started [F-M5]', () => {
    const stage = started();
    const { call } = under(stage);
    stage.claim(call, { args: ARGS, verdict: offering() });
    expect(stage.call().state.is).toBe('waiting');
    expect(stage.call().attempts).toBe(0);
  });

  test('is never stronger than a deny, a rejection in its run, reading only, or a doubt about the same call', () => {
    const denied = started();
    expect(under(denied, { judged: { verdict: 'deny', rule: 'no', why: 'Not here.' } }).call.state).toMatchObject({
      is: 'refused',
      code: 'denied',
    });
    const rejected = started();
    rejected.reply('', { args: ARGS });
    rejected.click('reject');
    expect(under(rejected).call.state).toMatchObject({ code: 'rejected_before' });
    const reading = started();
    reading.reply('', { args: { other: 1 } });
    reading.click('reject', MIA, { then: 'read_only', origin: 'form' });
    expect(under(reading).call.state).toMatchObject({ code: 'read_only' });
    const doubtful = started();
    doubtful.reply('', { args: ARGS });
    doubtful.click('approve');
    doubtful.claim();
    doubtful.recover();
    doubtful.cancel();
    doubtful.say('again');
    doubtful.start();
    expect(under(doubtful).call.state).toMatchObject({ code: 'in_doubt_before' });
  });

  test('that several people asked for is asked about: the grant is for one of them', () => {
    const stage = new Stage();
    stage.say('do it', DANA);
    stage.say('and this', OTTO);
    stage.take();
    stage.start();
    expect(under(stage).call.state.is).toBe('waiting');
  });

  test('claims with the workspace as it was read', () => {
    const stage = started();
    const { call, evidence } = under(stage);
    stage.do({
      type: 'claim',
      call: call.id,
      evidence: { ...evidence, salt: 'fresh' },
      approvers: [],
      requesters: [stage.actor(DANA)],
      answers: null,
      workspace: THAWED,
      holder: ME,
      limits: LIMITS,
    });
    expect(stage.call().state.is).toBe('claimed');
  });
});
