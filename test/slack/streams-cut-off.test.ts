/** Answers whose model breaks off while people read them, from the first word to the end of the run. */
import { describe, expect, test } from 'vitest';
import { renderingOf } from '../../src/slack/bound.ts';
import { Channels } from '../../src/slack/channels.ts';
import { Links } from '../../src/slack/links.ts';
import { PacedQueue } from '../../src/slack/queue.ts';
import { Reconciler } from '../../src/slack/reconciler.ts';
import type { WriterId } from '../../src/thread/ids.ts';
import type { ModelAnswer, ModelRequest } from '../../src/worker/ports.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { KEY, TEAM, World, type Process } from '../worker/rig.ts';
import { context } from './views/fixtures.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const usage = { input: 1, output: 1 };

interface Scene {
  readonly world: World;
  readonly process: Process;
  /** What of ours stands in the thread. */
  readonly ours: () => { readonly text: string; readonly streaming_state?: string | undefined }[];
  /** The model writes these words, one a second, and then this comes of it. */
  readonly writes: (words: string, afterMs: number, answer: (text: string) => ModelAnswer) => void;
}

function scene(): Scene {
  const world = new World();
  const { clock } = world;
  const slack = new FakeSlack(() => clock.nowMs());
  slack.add({ channel: KEY.channel, ts: KEY.ts, text: 'how is billing?' });
  const views = new Reconciler({
    api: slack.api,
    upload: slack.upload,
    queue: new PacedQueue(clock),
    links: new Links(slack.api, 'https://acme.example/'),
    channels: new Channels(slack.api, clock),
    clock,
    self: slack.self,
    environment: context.environment,
    team: TEAM,
    writer: 'node1/1' as WriterId,
    rendering: renderingOf(context),
  });
  const writes: Scene['writes'] = (words, afterMs, answer) =>
    void world.answers.push(async ({ onText }: ModelRequest) => {
      let text = '';
      for (const word of words.split(' ')) {
        text += `${word} `;
        onText?.(text);
        await clock.sleep(SECOND_MS);
      }
      await clock.sleep(afterMs);
      return answer(text.trim());
    });
  const ours: Scene['ours'] = () =>
    slack.messages.filter(({ bot_id, thread_ts }) => bot_id !== undefined && thread_ts === KEY.ts);
  return { world, process: world.process('node1/1', { views }), ours, writes };
}

const whole = (text: string): ModelAnswer => ({ reply: { model: 'm', text, calls: [], usage } });
const HALF = 'Billing is well but for';

describe('an answer whose model breaks off', () => {
  test.each([
    ['model_silent', MINUTE_MS],
    ['model_too_slow', 5 * MINUTE_MS],
    ['model_cut_off', 0],
  ])(
    'by %s leaves no half text while it is asked again, and stands whole and once in the end [S-73]',
    async (away, ms) => {
      const { world, process, ours, writes } = scene();
      for (let time = 0; time < 2; time += 1) writes(HALF, ms, () => ({ away }));
      writes('Billing is well but for two late invoices today', 0, whole);
      await process.say('how is billing?', undefined, { ts: KEY.ts });
      await world.clock.advance(4 * SECOND_MS);
      expect(ours().some(({ text }) => text.includes('Billing is'))).toBe(true);
      // Each time the model has broken off, until it writes again.
      const left: string[] = [];
      for (let time = 1; time < 3; time += 1) {
        for (let second = 0; world.requests.length === time && second < 600; second += 1) {
          const isBrokenOff = process.told.filter(line => line.includes('model_away')).length >= time;
          await world.clock.advance(SECOND_MS);
          if (isBrokenOff && world.requests.length === time)
            left.push(...ours().flatMap(({ text }) => (text.includes('Billing is') ? [text] : [])));
        }
      }
      expect(left).toEqual([]);
      expect(world.requests).toHaveLength(3);
      await world.clock.advance(MINUTE_MS);
      await world.clock.advance(MINUTE_MS);
      const answers = ours().filter(({ text }) => text.includes('Billing is'));
      expect(answers).toHaveLength(1);
      expect(answers[0]?.text).toContain('Billing is well but for two late invoices today');
      expect(ours().map(each => each.streaming_state)).not.toContain('in_progress');
      expect((await world.thread()).runs['r1']?.end?.how).toBe('succeeded');
    },
  );

  test('until nobody tries any more leaves no text, and the thread says that the model did not answer [S-73]', async () => {
    const { world, process, ours, writes } = scene();
    for (let time = 0; time < 40; time += 1) writes(HALF, MINUTE_MS, () => ({ away: 'model_silent' }));
    await process.say('how is billing?', undefined, { ts: KEY.ts });
    for (let minute = 0; minute < 25; minute += 1) await world.clock.advance(MINUTE_MS);
    expect((await world.thread()).runs['r1']?.end).toMatchObject({ how: 'failed', code: 'model_away' });
    expect(ours().filter(({ text }) => text.includes('Billing is'))).toEqual([]);
    expect(ours()).toMatchObject([{ text: expect.stringContaining('the model did not answer') }]);
  });
});
