import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/compose/clock.ts';
import { openTable } from '../../src/compose/table-side.ts';
import type { Environment } from '../../src/config/environment.ts';
import { startDynalite } from '../../src/local/dynalite.ts';
import { digestOf } from '../../src/thread/digest.ts';
import { threadLog, workspaceLog, type MessageTs } from '../../src/thread/ids.ts';
import { KEY, MIA, Stage, TEAM, terms } from '../thread/stage.ts';
import { keep, keepCommits, keepMark, OTHER_TEAM } from './keep.ts';
import { command, environmentIn, folder } from './stage.ts';

async function named(): Promise<Environment> {
  const table = await startDynalite();
  onTestFinished(() => table.close());
  const environment = environmentIn(folder(), {
    DYNAMODB_TABLE: 'countersign-test',
    DYNAMODB_ENDPOINT: table.endpoint,
  });
  await command(environment, 'table:create');
  return environment;
}

const CARD_TS = '1764511205.000200' as MessageTs;
/** A request that Mia approved and that ran, with a card; beside it a call that only reads. */
function ran(key = KEY): Stage {
  const stage = new Stage(key);
  stage.say('halve it please');
  stage.take();
  stage.start();
  stage.reply('', { name: 'scale', args: { replicas: 2 }, verdict: terms() }, { name: 'read_file', verdict: 'allow' });
  const { approval } = stage.call();
  stage.append({
    type: 'message.posted',
    key: `card/${approval ?? ''}/1`,
    channel: 'C0APPROV1' as never,
    ts: CARD_TS,
    hash: 'h',
    state: 'posted',
    atMs: stage.nowMs,
    body: {},
  });
  stage.pass(1_000).click('approve', MIA);
  stage.claim(stage.call(), { name: 'scale', args: { replicas: 2 } });
  stage.ended();
  return stage;
}
const idOf = (stage: Stage): string => `A-${stage.approval().id.slice(0, 4)}`;
const titles = (out: readonly string[]): string[] =>
  out.filter(line => line.startsWith('A-')).map(line => line.slice(0, 6));

describe('npm run record', () => {
  it('prints the record of a short id, in any case, with or without a mark of it', async () => {
    const environment = await named();
    const stage = ran();
    await keep(environment, stage);
    for (const marked of [false, true]) {
      if (marked) await keepMark(environment, stage);
      for (const word of [idOf(stage), idOf(stage).toLowerCase(), idOf(stage).slice(2)]) {
        const { code, out, err } = await command(environment, 'record', word);
        expect({ code, err, titles: titles(out) }).toEqual({ code: 0, err: [], titles: [idOf(stage)] });
        expect(out[0]).toMatch(/Run scale +outcome: done$/);
        expect(out.at(-1)).toBe('Findings   none');
      }
    }
  });

  it('prints every call of a thread by its link, and the one of a card by the card’s', async () => {
    const environment = await named();
    const stage = ran();
    await keep(environment, stage);
    await keep(environment, ran({ ...KEY, ts: '1764511299.000100' as MessageTs }));
    const root = `https://acme.slack.com/archives/${KEY.channel}/p${KEY.ts.replace('.', '')}`;
    const reply = `https://acme.slack.com/archives/${KEY.channel}/p1764511209000900?thread_ts=${KEY.ts}&cid=${KEY.channel}`;
    for (const link of [root, reply, `${KEY.channel}/${KEY.ts}`]) {
      const { code, out } = await command(environment, 'record', link);
      expect(code, link).toBe(0);
      expect(
        out.filter(line => line.startsWith('Call ')),
        link,
      ).toHaveLength(2);
      expect(out.filter(line => line === '')).toHaveLength(1);
    }
    const card = `https://acme.slack.com/archives/C0APPROV1/p${CARD_TS.replace('.', '')}`;
    const { code, out } = await command(environment, 'record', card);
    expect(code).toBe(0);
    expect(out.filter(line => line.startsWith('Call ')).map(line => line.slice(11, 16))).toEqual(['scale', 'scale']);
  });

  it('finds threads of every team in the table', async () => {
    const environment = await named();
    const stages = [ran(), ran({ ...KEY, team: OTHER_TEAM })];
    for (const stage of stages) await keep(environment, stage);
    for (const stage of stages)
      expect(titles((await command(environment, 'record', idOf(stage))).out)).toEqual([idOf(stage)]);
    expect(titles((await command(environment, 'record', `${KEY.channel}/${KEY.ts}`)).out)).toHaveLength(4);
  });

  it('names the channel as Slack calls it now, with its id, and goes without where Slack cannot be asked', async () => {
    const environment = await named();
    const stage = ran();
    await keep(environment, stage);
    const slack = createServer((_, answer) =>
      answer
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ok: true, channel: { name: 'general' } })),
    );
    await once(slack.listen(0, '127.0.0.1'), 'listening');
    const { port } = slack.address() as AddressInfo;
    const asking = { ...environment, slack: { tokens: null, apiUrl: `http://127.0.0.1:${port}/` } };
    const asked = async (): Promise<string> =>
      (await command(asking, 'record', idOf(stage))).out.find(line => line.startsWith('Asked')) ?? '';
    expect(await asked()).toContain(' in #general (C0GENERAL), thread ');
    await new Promise(resolve => slack.close(resolve).closeAllConnections());
    expect(await asked()).toContain(' in C0GENERAL, thread ');
  });

  it('says when the policy in force then was loaded', async () => {
    const environment = await named();
    await keep(environment, ran());
    await keepCommits(environment, workspaceLog(TEAM), [
      {
        atMs: Date.UTC(2026, 10, 28, 9),
        events: [{ type: 'policy.loaded', policy: digestOf('policy'), body: { text: 'version: 1' } }],
      },
    ]);
    const { out } = await command(environment, 'record', idOf(ran()));
    expect(out.find(line => line.startsWith('Rule'))).toMatch(
      /^Rule +a-rule \(ask\), policy .* loaded 2026-11-28 09:00:00Z$/,
    );
  });

  it('prints the texts to which it refers where it is asked to, masked, and says which are not on record', async () => {
    const environment = await named();
    await keep(environment, ran());
    await keepCommits(environment, workspaceLog(TEAM), [
      {
        atMs: Date.UTC(2026, 10, 28, 9),
        events: [
          {
            type: 'policy.loaded',
            policy: digestOf('policy'),
            body: { text: 'version: 1\n# xoxb-1234567890-abcdefghijkl\n' },
          },
        ],
      },
    ]);
    const { out } = await command(environment, 'record', idOf(ran()), '--texts');
    const policy = digestOf('policy');
    const from = out.findIndex(line => line.startsWith('Policy, '));
    expect(out.slice(from)).toEqual([
      `Policy, ${policy.slice(0, 4)}…${policy.slice(-2)}`,
      '  | version: 1',
      '  | # •••• (28 characters)',
    ]);
    expect(out[out.findIndex(line => line.startsWith('Definition of scale, ')) + 1]).toBe('  | not on record');
    expect((await command(environment, 'record', idOf(ran()))).out.join('\n')).not.toContain('Policy, ');
  });

  it('says in a sentence that there is none, with exit code 1', async () => {
    const environment = await named();
    expect(await command(environment, 'record', 'A-7F3K')).toEqual({
      code: 1,
      out: [],
      err: ['There is no record of A-7F3K here: it may belong to another Countersign, or another table.'],
    });
    expect(await command(environmentIn(folder()), 'record', 'A-7F3K')).toMatchObject({ code: 1, out: [] });
    const silent = new Stage();
    silent.say('hello');
    await keep(environment, silent);
    expect(await command(environment, 'record', `${KEY.channel}/${KEY.ts}`)).toEqual({
      code: 1,
      out: [],
      err: [`The agent has made no call in the thread ${KEY.channel}/${KEY.ts}.`],
    });
  });

  it.each([[[]], [['A-7F3K', 'A-7F3L']], [['--all', 'A-7F3K']], [['tomorrow']]])(
    'says how it is used when it does not understand %j, with exit code 2',
    async words => {
      const { code, out, err } = await command(environmentIn(folder()), 'record', ...words);
      expect({ code, out }).toEqual({ code: 2, out: [] });
      expect(err).toContain('npm run record -- <link or A-7F3K> [--texts]');
    },
  );

  it('says how it is used, and what it costs, when it is asked to', async () => {
    const { code, out } = await command(environmentIn(folder()), 'record', '--help');
    expect(code).toBe(0);
    expect(out.join(' ')).toContain('the whole table once');
  });

  it('shows nothing of a thread whose record does not fit together, and says so', async () => {
    const environment = await named();
    const stage = ran();
    await keep(environment, stage);
    const table = await openTable(environment, systemClock);
    const key = { pk: { S: threadLog(KEY) }, sk: { S: 'c#0000000002' } };
    await table.client.send(new DeleteItemCommand({ TableName: table.table, Key: key }));
    await table.close();
    const { code, out, err } = await command(environment, 'record', idOf(stage));
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err.join(' ')).toContain('does not fit together');
  });

  it('masks secrets, with the fingerprint of the cards where a key is set', async () => {
    const environment = await named();
    const stage = new Stage();
    stage.say('use xoxb-1234567890-abcdefghijkl');
    stage.take();
    stage.start();
    stage.reply('', { name: 'scale' });
    await keep(environment, stage);
    const plain = (await command(environment, 'record', idOf(stage))).out.join('\n');
    expect(plain).toContain('•••• (28 characters)"');
    const keyed = { ...environment, key: 'k'.repeat(32) };
    const marked = (await command(keyed, 'record', idOf(stage))).out.join('\n');
    expect(marked).toMatch(/•••• \(28 characters, fingerprint [0-9a-f]{4}\)"/);
    expect(plain + marked).not.toContain('xoxb');
  });
});
