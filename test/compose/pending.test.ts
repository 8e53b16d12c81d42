import { describe, expect, it, onTestFinished } from 'vitest';
import { utc } from '../../src/audit/pen.ts';
import { systemClock } from '../../src/compose/clock.ts';
import { openTable } from '../../src/compose/table-side.ts';
import { tellAddresses } from '../../src/compose/running-here.ts';
import { openItems } from '../../src/worker/open-items.ts';
import { HOUR_MS, KEY, Stage } from '../thread/stage.ts';
import { keep } from './keep.ts';
import { command, environmentIn, folder } from './stage.ts';

/** A tool that waits for an answer. */
function asked(): Stage {
  const stage = new Stage();
  stage.nowMs = systemClock.nowMs() - 1_000;
  stage.asks({ name: 'book', verdict: 'allow' });
  stage.claim(stage.call(), { verdict: 'allow' });
  stage.suspend('city', {
    on: 'question',
    kind: 'question',
    prompt: 'From which city? xoxb-1234567890-abcdefghijkl',
    form: { type: 'text' },
    scopes: [],
    channel: null,
    expiresInMs: HOUR_MS,
  });
  return stage;
}

const path = `archives/${KEY.channel}/p${KEY.ts.replace('.', '')}`;

describe('npm run pending', () => {
  it('lists questions with the rest, secrets masked, and where the thread is in the workspace that runs here', async () => {
    const environment = environmentIn(folder());
    const stage = asked();
    await keep(environment, stage, openItems(stage.thread));
    const { id, expiresAtMs } = stage.question();
    const line = (address: string): string =>
      `💬 Q-${id.slice(0, 4)}  From which city? •••• (28 characters) · name of U0DANA001 (U0DANA001) · until ${utc(expiresAtMs)} · ${address}`;
    expect((await command(environment, 'pending')).out).toEqual([line(`${KEY.channel}/${KEY.ts}`)]);
    const held = await openTable(environment, systemClock);
    onTestFinished(() => held.close());
    onTestFinished(
      tellAddresses(environment.dataFolder, { workspace: 'http://127.0.0.1:3000', table: held.embeddedAt }),
    );
    expect((await command(environment, 'pending')).out).toEqual([line(`http://127.0.0.1:3000/${path}`)]);
    const slack = { ...environment, slack: { tokens: { bot: 'xoxb-1', app: 'xapp-1' }, apiUrl: null } };
    expect((await command(slack, 'pending')).out).toEqual([
      line(`https://app.slack.com/client/${KEY.team}/${KEY.channel}/thread/${KEY.channel}-${KEY.ts}`),
    ]);
  });

  it('says how it is used when it does not understand, with exit code 2, and when it is asked to', async () => {
    const environment = environmentIn(folder());
    for (const word of ['all', '--all'])
      expect(await command(environment, 'pending', word)).toMatchObject({ code: 2, out: [] });
    const { code, out } = await command(environment, 'pending', '--help');
    expect([code, out[0]]).toEqual([0, 'npm run pending']);
  });
});
