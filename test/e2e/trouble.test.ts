/** A table that does not answer, and a Slack that is down, throttles, or does not let the card in: nothing is lost, nothing runs twice, people are told. */
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lane, Lanes } from './lanes.ts';
import { ALERTS, APPROVALS, BOT, controlsOn, DANA, GENERAL, MIA, OPS, until, wordsOf } from './people.ts';

/** Stands before the table; while `down`, it breaks every connection off. */
class Way {
  down = false;
  readonly server = createServer((asked, answer) => {
    if (this.down) return void asked.socket.destroy();
    const { method, url } = asked;
    const headers = { ...asked.headers, host: new URL(this.#target).host };
    const onward = forward(`${this.#target}${url}`, { method, headers, agent: false }, answered => {
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

/** Looks often for what is due. */
const changes = { settings: { tickMs: 300 } };
let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(3, {}, changes);
});
afterAll(() => lanes.close());

describe('a table that does not answer', () => {
  it.concurrent(
    'means: no acknowledgement of a message, no count of a click, 503 with the reason; and all goes on when it is back [S-8, S-33, S-36, T-C19]',
    async ({ onTestFinished }) => {
      const way = new Way();
      const lane = await Lane.open({ table: endpoint => way.open(endpoint) }, changes);
      onTestFinished(() => lane.town.close());
      const { people } = lane;
      expect(await lane.health()).toMatchObject({ status: 200, body: { status: 'ok', table: 'ok' } });
      await lane.ask(OPS, 'before');
      const card = await people.card('before', 'approve');
      await lane.town.delivered();
      way.down = true;
      const thread = await lane.ask(GENERAL, 'meanwhile');
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.hears(MIA, 'I could not reach my records, so this was not counted.');
      const { deliveries } = lane.town.slack.workspace;
      await until(
        'Slack to have sent the message again',
        () => deliveries.pending().some(one => one.sent > 1) || undefined,
      );
      const sick = await until('the health to say so', async () =>
        (await lane.health()).status === 503 ? lane.health() : undefined,
      );
      expect(sick.body).toMatchObject({
        status: 'unavailable',
        table: 'unavailable',
        reason: 'table: the last call failed',
      });
      expect(controlsOn(await people.card('before'))).toContain('approve');
      expect(lane.timesRun('before')).toBe(0);

      way.down = false;
      deliveries.retryNow();
      await lane.town.delivered();
      const other = await people.card('meanwhile', 'approve');
      await people.click(MIA, APPROVALS, other, 'approve');
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, other, '✅');
      await people.turned(APPROVALS, card, '✅');
      await people.reads(GENERAL, thread, 'said-meanwhile', DANA);
      expect([lane.timesRun('before'), lane.timesRun('meanwhile')]).toEqual([1, 1]);
      expect(await people.cards('meanwhile')).toHaveLength(1);
      await until('the health to be good again', async () => ((await lane.health()).status === 200 ? true : undefined));
    },
  );
});

describe('a Slack in trouble', () => {
  it.concurrent('that has too many calls gets the card later, and once [S-78, T-C21]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      lane.town.slack.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfterS: 1 }, 2);
      await lane.ask(OPS, 'throttled');
      const card = await people.card('throttled', 'approve');
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, card, '✅');
      expect(await people.cards('throttled')).toHaveLength(1);
      expect(lane.timesRun('throttled')).toBe(1);
    }),
  );

  it.concurrent(
    'whose answers get lost never shows two live cards, and one click counts once [S-81, F-A13, F-B14]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        lane.town.slack.faults.next('chat.postMessage', { kind: 'applied_dropped' });
        await lane.ask(GENERAL, 'lost-answer');
        const card = await people.card('lost-answer', 'approve');
        await people.click(MIA, APPROVALS, card, 'approve');
        await people.see(
          'the outcome',
          APPROVALS,
          undefined,
          one => wordsOf(one).includes('✅') && wordsOf(one).includes('said-lost-answer'),
        );
        expect((await people.cards('lost-answer')).flatMap(controlsOn)).toEqual([]);
        expect(lane.timesRun('lost-answer')).toBe(1);
      }),
  );

  it.concurrent('that is down for a while gets everything afterwards [S-36, S-84]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      lane.town.slack.faults.next('chat.postMessage', { kind: 'status', status: 503 }, 3);
      const thread = await lane.ask(OPS, 'was-down');
      const card = await people.card('was-down', 'approve');
      lane.town.slack.faults.next('chat.update', { kind: 'dropped' }, 3);
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, card, '✅');
      await people.reads(OPS, thread, '✅');
      await people.reads(OPS, thread, 'said-was-down', DANA);
      expect(lane.timesRun('was-down')).toBe(1);
    }),
  );

  it.concurrent('that forgets to tell of a click leaves the card alive: the next click counts [T-C19, F-L6]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      await lane.ask(GENERAL, 'lost-click');
      const card = await people.card('lost-click', 'approve');
      lane.town.slack.workspace.deliveries.loseNext();
      await people.click(MIA, APPROVALS, card, 'approve');
      await lane.town.delivered();
      expect(controlsOn(await people.card('lost-click'))).toContain('approve');
      await people.click(MIA, APPROVALS, card, 'approve');
      await people.turned(APPROVALS, card, '✅');
      expect(lane.timesRun('lost-click')).toBe(1);
    }),
  );

  it.concurrent(
    'that sends the same message and its twin again and again starts one run [S-1, S-3, S-4, S-12, T-C18]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await lane.ask(OPS, 'repeated');
        await people.card('repeated', 'approve');
        await lane.town.delivered();
        for (const _ of [1, 2, 3]) {
          lane.town.slack.workspace.deliveries.repeat(() => true);
          await lane.town.delivered();
        }
        await lane.running.kill();
        await lane.start();
        lane.town.slack.workspace.deliveries.repeat(() => true);
        await lane.town.delivered();
        const { thread: kept } = await lane.town.thread(OPS, thread);
        expect(Object.keys(kept.runs)).toEqual(['r1']);
        expect(kept.queue).toEqual([]);
        expect(await people.cards('repeated')).toHaveLength(1);
      }),
  );

  it.concurrent(
    'that does not let the card in: who asked and the operators are told, nothing runs, and it is posted when it can be [S-19, S-36, F-I5]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        await people.arrange('member', { channel: APPROVALS, user: BOT, member: false });
        const thread = await lane.ask(GENERAL, 'shut-out');
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
        expect(await lane.running.stop()).toEqual({ code: 0, signal: null });
        await lane.start();
        const card = await people.card('shut-out', 'approve');
        await people.see('the end of the trouble', ALERTS, undefined, one =>
          wordsOf(one).includes('✅ Over: A card could not be posted'),
        );
        await people.reads(GENERAL, thread, '⏳', 'Waiting for approval');
        await people.click(MIA, APPROVALS, card, 'approve');
        await people.turned(APPROVALS, card, '✅');
        expect(lane.timesRun('shut-out')).toBe(1);
      }),
  );
});
