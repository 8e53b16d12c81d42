import { describe, expect, test } from 'vitest';
import { duration, penWith } from '../../src/audit/pen.ts';
import { reportOf } from '../../src/audit/report.ts';
import { reportLines } from '../../src/audit/report-text.ts';
import { seal, type Commit } from '../../src/thread/commit.ts';
import { digestOf } from '../../src/thread/digest.ts';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import { threadLog, workspaceLog, type LogKey, type MessageTs } from '../../src/thread/ids.ts';
import { ANA, DANA, HOUR_MS, KEY, LEO, ME, MIA, Stage, TEAM, terms } from '../thread/stage.ts';

const START = Date.UTC(2026, 10, 30, 14);
const WEEK = { sinceMs: START - 7 * 24 * HOUR_MS, untilMs: START + 24 * HOUR_MS };

let threads = 0;
const thread = (rule: string, startMs = START): Stage => {
  const stage = new Stage({ ...KEY, ts: `1764511${(threads += 1) + 300}.000100` as MessageTs });
  stage.nowMs = startMs;
  return stage.asks({ name: 'scale', rule, verdict: terms() });
};
const logOf = ({ key, commits }: Stage) => ({ key: threadLog(key), commits });

function workspace(...events: readonly (readonly [atMs: number, event: WorkspaceEvent])[]): {
  readonly key: LogKey;
  readonly commits: readonly Commit[];
} {
  const key = workspaceLog(TEAM);
  const commits: Commit[] = [];
  for (const [atMs, event] of events) {
    const after = commits.at(-1) ?? { number: 0, hash: '' };
    commits.push(seal(key, { after, events: [event], atMs, writer: ME, nonce: `n${commits.length}`, salt: 's' }));
  }
  return { key, commits };
}

const counted = (report: ReturnType<typeof reportOf>, rule: string | null) =>
  report.rules.find(each => each.rule === rule);

describe('the report', () => {
  test('counts by rule what was asked and what came of it, and how long people waited', () => {
    const approved = thread('scale');
    approved.pass(60_000).click('approve', MIA);
    const rejected = thread('scale');
    rejected.pass(3 * 60_000).click('reject', LEO);
    const expired = thread('scale');
    expired.pass(4 * HOUR_MS).do({ type: 'expire', approval: expired.approval().id });
    const withdrawn = thread('other');
    withdrawn.pass(1_000).cancel(DANA);
    const doubt = thread('other');
    doubt.pass(1_000).click('approve', MIA);
    doubt.claim(doubt.call(), { name: 'scale', rule: 'other' });
    doubt.pass(HOUR_MS).recover();
    const waiting = thread('third');
    const report = reportOf([approved, rejected, expired, withdrawn, doubt, waiting].map(logOf), WEEK);
    expect(counted(report, 'scale')).toEqual({
      rule: 'scale',
      asked: 3,
      approved: 1,
      rejected: 1,
      expired: 1,
      withdrawn: 0,
      not_run: 0,
      in_doubt: 0,
      medianMs: 3 * 60_000,
      longestMs: 4 * HOUR_MS,
    });
    expect(counted(report, 'other')).toMatchObject({
      asked: 2,
      approved: 1,
      withdrawn: 1,
      in_doubt: 1,
      medianMs: 1_000,
    });
    expect(counted(report, 'third')).toMatchObject({ asked: 1, medianMs: null, longestMs: null });
    expect(report.rules.map(({ rule }) => rule)).toEqual(['scale', 'other', 'third']);
  });

  test('counts a request once, also when a round more was needed, and as not run when a check did not hold', () => {
    const stage = thread('scale');
    stage.click('approve', MIA);
    stage.claim(stage.call(), { name: 'scale', rule: 'scale', bind: { replicas: 8 } });
    stage.click('approve', MIA);
    stage.claim(stage.call(), { name: 'scale', tool: null });
    expect(stage.outcomes()).toEqual(['not_run']);
    expect(counted(reportOf([logOf(stage)], WEEK), 'scale')).toMatchObject({ asked: 1, approved: 1, not_run: 1 });
  });

  test('counts what happened in its time alone: a request from before with its end, not with its beginning', () => {
    const before = thread('scale', WEEK.sinceMs - HOUR_MS);
    before.nowMs = WEEK.sinceMs;
    before.click('approve', MIA);
    const later = thread('scale', WEEK.untilMs);
    expect(counted(reportOf([before, later].map(logOf), WEEK), 'scale')).toMatchObject({
      asked: 0,
      approved: 1,
      medianMs: HOUR_MS,
    });
    expect(reportOf([logOf(later)], WEEK).rules).toEqual([]);
  });

  test('says who decided how often, and which clicks were refused why', () => {
    const stages = [thread('scale'), thread('scale'), thread('scale')];
    for (const stage of stages) stage.click('approve', DANA);
    stages[0]?.click('approve', MIA);
    stages[1]?.click('reject', MIA);
    stages[2]?.click('approve', LEO);
    stages[2]?.click('approve', MIA);
    const report = reportOf(stages.map(logOf), WEEK);
    expect(report.deciders).toEqual([
      { by: { id: MIA, name: `name of ${MIA}` }, approved: 1, rejected: 1 },
      { by: { id: LEO, name: `name of ${LEO}` }, approved: 1, rejected: 0 },
    ]);
    expect(report.refused).toEqual([
      { code: 'requester', count: 3 },
      { code: 'already_decided', count: 1 },
    ]);
  });

  test('counts grants, and tells freezes that held at some time in it with who lifted them', () => {
    const freeze = (why: string): WorkspaceEvent => ({ type: 'freeze.set', by: ANA, body: { why, name: 'Ana Ruiz' } });
    const thaw: WorkspaceEvent = { type: 'freeze.cleared', by: MIA, body: { name: 'Mia Chen' } };
    const given: WorkspaceEvent = {
      type: 'grant.given',
      grant: 'G1',
      by: MIA,
      tool: 'scale',
      toolDigest: digestOf('t'),
      untilMs: START + HOUR_MS,
      uses: 5,
      body: { sentence: 'For an hour.', pattern: { a: 1 } },
    };
    const log = workspace(
      [WEEK.sinceMs - 5 * HOUR_MS, freeze('long over')],
      [WEEK.sinceMs - 4 * HOUR_MS, thaw],
      [WEEK.sinceMs - HOUR_MS, freeze('bad deploy')],
      [WEEK.sinceMs + HOUR_MS, thaw],
      [START, given],
      [START + 1, { type: 'grant.used', grant: 'G1', call: 'A' as never, body: {} }],
      [START + 2, { type: 'grant.used', grant: 'G1', call: 'B' as never, body: {} }],
      [START + 3, { type: 'grant.revoked', grant: 'G1', by: ANA, body: {} }],
      [START + 4, freeze('still')],
      [WEEK.untilMs + 1, thaw],
    );
    const report = reportOf([log], WEEK);
    expect(report.grants).toEqual({ given: 1, used: 2, revoked: 1 });
    expect(report.freezes.map(({ why, clearedBy }) => [why, clearedBy?.id])).toEqual([
      ['bad deploy', MIA],
      ['still', MIA],
    ]);
    const open = reportOf([{ ...log, commits: log.commits.slice(0, -1) }], WEEK);
    expect(open.freezes.at(-1)).toMatchObject({ why: 'still', clearedAtMs: null, by: { id: ANA, name: 'Ana Ruiz' } });
  });

  test('is written as a table and sentences; nothing at all is said too', () => {
    const stage = thread('scale');
    stage.pass(90_000).click('approve', MIA);
    stage.pass(90_000).click('approve', DANA);
    expect(reportLines(penWith(null), reportOf([logOf(stage)], WEEK))).toEqual([
      'From 2026-11-23 14:00:00Z to 2026-12-01 14:00:00Z',
      '',
      'rule   asked  approved  rejected  expired  withdrawn  not run  in doubt  median wait  longest',
      'scale  1      1         0         0        0          0        0         1 min 30 s   1 min 30 s',
      '',
      `name of ${MIA} (${MIA}): approved 1, rejected 0`,
      'Refused clicks: already_decided 1',
      'Allowed for a while: given 0, used 0, revoked 0',
      'Freezes: none',
    ]);
    expect(reportLines(penWith(null), reportOf([], WEEK)).slice(2)).toEqual([
      'Nobody was asked.',
      '',
      'Nobody decided.',
      'Refused clicks: none',
      'Allowed for a while: given 0, used 0, revoked 0',
      'Freezes: none',
    ]);
  });

  test('tells durations by their two largest units', () => {
    expect([0, 8_000, 90_000, 3_600_000, 100_000_000, 8 * 86_400_000].map(duration)).toEqual([
      '0 s',
      '8 s',
      '1 min 30 s',
      '1 h',
      '1 d 3 h',
      '8 d',
    ]);
  });
});
