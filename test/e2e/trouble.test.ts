/** A table that does not answer, and a Slack that is down, throttles, or does not let the card in: nothing is lost, nothing runs twice, people are told. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ALERTS,
  APPROVALS,
  BOT,
  controlsOn,
  DANA,
  GENERAL,
  MIA,
  OPS,
  until,
  wordsOf,
  type People,
  type Shown,
} from './people.ts';
import { openTown, type Process, type Town } from './stage.ts';

/** Stands before the table; while `down`, it breaks every connection off. */
class Way {
  down = false;
  readonly server = createServer((asked, answer) => {
    if (this.down) return void asked.socket.destroy();
    const { method, url, headers } = asked;
    const onward = forward(`${this.#target}${url}`, { method, headers }, answered => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  #target = '';

  async open(endpoint: string): Promise<{ endpoint: string; close(): Promise<void> }> {
    this.#target = endpoint;
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return {
      endpoint: `http://127.0.0.1:${port}`,
      close: () =>
        new Promise(resolve => {
          this.server.close(() => resolve());
          this.server.closeAllConnections();
        }),
    };
  }
}

const way = new Way();
let town: Town;
let people: People;
let running: Process & { readonly url: string };
beforeAll(async () => {
  town = await openTown({ table: endpoint => way.open(endpoint) });
  people = town.people;
  running = await town.start('one', { settings: { tickMs: 300 } });
});
afterAll(() => town.close());

const timesRun = (name: string): number => {
  const path = join(town.project, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};
const ask = (channel: string, name: string): Promise<string> =>
  people.say(DANA, channel, `<@U0BOT0001> run sh -c "echo ran >> ${name}; echo said-${name}"`);
const approve = (card: Shown): Promise<void> => people.click(MIA, APPROVALS, card, 'approve');
const health = async (): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${running.url}/health`);
  return { status: answer.status, body: await answer.json() };
};

describe('a table that does not answer', () => {
  it('means: no acknowledgement of a message, no count of a click, 503 with the reason; and all goes on when it is back [S-8, S-33, S-36, T-C19]', async () => {
    expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', table: 'ok' } });
    await ask(OPS, 'before');
    const card = await people.card('before', 'approve');
    await town.delivered();
    way.down = true;
    const thread = await ask(GENERAL, 'meanwhile');
    await approve(card);
    await people.hears(MIA, 'I could not reach my records, so this was not counted.');
    const { deliveries } = town.slack.workspace;
    await until(
      'Slack to have sent the message again',
      () => deliveries.pending().some(one => one.sent > 1) || undefined,
    );
    const sick = await until('the health to say so', async () =>
      (await health()).status === 503 ? health() : undefined,
    );
    expect(sick.body).toMatchObject({
      status: 'unavailable',
      table: 'unavailable',
      reason: 'table: the last call failed',
    });
    expect(controlsOn(await people.card('before'))).toContain('approve');
    expect(timesRun('before')).toBe(0);

    way.down = false;
    deliveries.retryNow();
    await town.delivered();
    const other = await people.card('meanwhile', 'approve');
    await approve(other);
    await approve(card);
    await people.turned(APPROVALS, other, '✅');
    await people.turned(APPROVALS, card, '✅');
    await people.reads(GENERAL, thread, 'said-meanwhile', DANA);
    expect([timesRun('before'), timesRun('meanwhile')]).toEqual([1, 1]);
    expect(await people.cards('meanwhile')).toHaveLength(1);
    await until('the health to be good again', async () => ((await health()).status === 200 ? true : undefined));
  });
});

describe('a Slack in trouble', () => {
  it('that has too many calls gets the card later, and once [S-78, T-C21]', async () => {
    town.slack.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfterS: 1 }, 2);
    await ask(OPS, 'throttled');
    const card = await people.card('throttled', 'approve');
    await approve(card);
    await people.turned(APPROVALS, card, '✅');
    expect(await people.cards('throttled')).toHaveLength(1);
    expect(timesRun('throttled')).toBe(1);
  });

  it('whose answers get lost never shows two live cards, and one click counts once [S-81, F-A13, F-B14]', async () => {
    town.slack.faults.next('chat.postMessage', { kind: 'applied_dropped' });
    await ask(GENERAL, 'lost-answer');
    const card = await people.card('lost-answer', 'approve');
    await approve(card);
    await people.see(
      'the outcome',
      APPROVALS,
      undefined,
      one => wordsOf(one).includes('✅') && wordsOf(one).includes('said-lost-answer'),
    );
    expect((await people.cards('lost-answer')).flatMap(controlsOn)).toEqual([]);
    expect(timesRun('lost-answer')).toBe(1);
  });

  it('that is down for a while gets everything afterwards [S-36, S-84]', async () => {
    town.slack.faults.next('chat.postMessage', { kind: 'status', status: 503 }, 3);
    const thread = await ask(OPS, 'was-down');
    const card = await people.card('was-down', 'approve');
    town.slack.faults.next('chat.update', { kind: 'dropped' }, 3);
    await approve(card);
    await people.turned(APPROVALS, card, '✅');
    await people.reads(OPS, thread, '✅');
    await people.reads(OPS, thread, 'said-was-down', DANA);
    expect(timesRun('was-down')).toBe(1);
  });

  it('that forgets to tell of a click leaves the card alive: the next click counts [T-C19, F-L6]', async () => {
    await ask(GENERAL, 'lost-click');
    const card = await people.card('lost-click', 'approve');
    town.slack.workspace.deliveries.loseNext();
    await approve(card);
    await town.delivered();
    expect(controlsOn(await people.card('lost-click'))).toContain('approve');
    await approve(card);
    await people.turned(APPROVALS, card, '✅');
    expect(timesRun('lost-click')).toBe(1);
  });

  it('that sends the same message and its twin again and again starts one run [S-1, S-3, S-4, S-12, T-C18]', async () => {
    const thread = await ask(OPS, 'repeated');
    await people.card('repeated', 'approve');
    await town.delivered();
    for (const _ of [1, 2, 3]) {
      town.slack.workspace.deliveries.repeat(() => true);
      await town.delivered();
    }
    await running.kill();
    running = await town.start('one', { settings: { tickMs: 300 } });
    town.slack.workspace.deliveries.repeat(() => true);
    await town.delivered();
    const { thread: kept } = await town.thread(OPS, thread);
    expect(Object.keys(kept.runs)).toEqual(['r1']);
    expect(kept.queue).toEqual([]);
    expect(await people.cards('repeated')).toHaveLength(1);
  });

  it('that does not let the card in: who asked and the operators are told, nothing runs, and it is posted when it can be [S-19, S-36, F-I5]', async () => {
    await people.arrange('member', { channel: APPROVALS, user: BOT, member: false });
    const thread = await ask(GENERAL, 'shut-out');
    await people.reads(
      GENERAL,
      thread,
      'I could not post the card in',
      'Nothing ran; an admin was told, and I keep trying until',
    );
    await people.see('the operators’ message', ALERTS, undefined, one =>
      wordsOf(one).includes('A card could not be posted'),
    );
    await people.arrange('member', { channel: APPROVALS, user: BOT, member: true });
    // A new process tries at once; the same one would within a minute.
    expect(await running.stop()).toEqual({ code: 0, signal: null });
    running = await town.start('one', { settings: { tickMs: 300 } });
    const card = await people.card('shut-out', 'approve');
    await people.see('the end of the trouble', ALERTS, undefined, one =>
      wordsOf(one).includes('✅ Over: A card could not be posted'),
    );
    await people.reads(GENERAL, thread, '⏳', 'Waiting for approval');
    await approve(card);
    await people.turned(APPROVALS, card, '✅');
    expect(timesRun('shut-out')).toBe(1);
  });
});
