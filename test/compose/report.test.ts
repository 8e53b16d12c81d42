import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/compose/clock.ts';
import { sinceIn } from '../../src/compose/commands/report.ts';
import { workspaceLog, type MessageTs } from '../../src/thread/ids.ts';
import { ANA, HOUR_MS, KEY, LEO, MIA, Stage, TEAM, terms } from '../thread/stage.ts';
import { keep, keepCommits } from './keep.ts';
import { command, environmentIn, folder } from './stage.ts';

const DAY_MS = 24 * HOUR_MS;
let threads = 0;
function asked(agoMs: number, rule: string): Stage {
  const stage = new Stage({ ...KEY, ts: `${1764511200 + (threads += 1)}.000100` as MessageTs });
  stage.nowMs = systemClock.nowMs() - agoMs;
  return stage.asks({ rule, verdict: terms() });
}

describe('npm run report', () => {
  it('counts what happened since then, from the table alone', async () => {
    const environment = environmentIn(folder());
    const [old, recent, waiting] = [asked(9 * DAY_MS, 'old'), asked(2 * DAY_MS, 'recent'), asked(DAY_MS, 'recent')];
    old.click('reject', LEO);
    recent.pass(60_000).click('approve', MIA);
    for (const stage of [old, recent, waiting]) await keep(environment, stage);
    await keepCommits(environment, workspaceLog(TEAM), [
      {
        atMs: systemClock.nowMs() - 20 * DAY_MS,
        events: [{ type: 'freeze.set', by: ANA, body: { why: 'bad deploy', name: 'Ana Ruiz' } }],
      },
    ]);
    const { code, out, err } = await command(environment, 'report', '--since', '7d');
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(out.find(line => line.startsWith('recent'))).toMatch(/^recent +2 +1 +0 +0 +0 +0 +0 +1 min +1 min$/);
    expect(out.some(line => line.startsWith('old'))).toBe(false);
    expect(out).toContain(`name of ${MIA} (${MIA}): approved 1, rejected 0`);
    expect(out.at(-1)).toMatch(/by Ana Ruiz \(U0ANA0001\): "bad deploy"; still frozen$/);
    const all = await command(environment, 'report', '--since=30d');
    expect(all.out.find(line => line.startsWith('old'))).toMatch(/^old +1 +0 +1 /);
  });

  it('says that nothing has been kept, or that nobody was asked', async () => {
    const environment = environmentIn(folder());
    expect(await command(environment, 'report')).toEqual({ code: 0, out: ['Nothing has been kept yet.'], err: [] });
    await keep(environment, asked(9 * DAY_MS, 'old'));
    expect((await command(environment, 'report')).out).toContain('Nobody was asked.');
  });

  it.each([[['--since']], [['--since', 'yesterday']], [['--until', '7d']], [['7d']], [['--since', '--help=1']]])(
    'says how it is used when it does not understand %j, with exit code 2',
    async words => {
      const { code, out, err } = await command(environmentIn(folder()), 'report', ...words);
      expect({ code, out }).toEqual({ code: 2, out: [] });
      expect(err).toContain('npm run report -- --since 7d');
    },
  );

  it('says how it is used, and what it costs, when it is asked to', async () => {
    const { code, out } = await command(environmentIn(folder()), 'report', '--help');
    expect(code).toBe(0);
    expect(out.join(' ')).toContain('reads the whole table once');
  });

  it('understands minutes, hours, days, weeks and a day', () => {
    const now = Date.UTC(2026, 10, 30, 14);
    expect(['90m', '12h', '7d', '4w', '2026-11-01'].map(text => sinceIn(text, now))).toEqual([
      now - 90 * 60_000,
      now - 12 * HOUR_MS,
      now - 7 * DAY_MS,
      now - 28 * DAY_MS,
      Date.UTC(2026, 10, 1),
    ]);
    for (const text of ['', '7', 'd', '-7d', '2026-13-01', '2027-01-01', '1e9d'])
      expect(sinceIn(text, now), text).toBeUndefined();
  });
});
