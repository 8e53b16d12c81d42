/**
 * Owns what people do in a simulated world: they write, look at Slack, and click on what they see, perhaps much later.
 *
 * 1. A message is delivered until a process says that it has it, at most four times. 2. A click is delivered once, or twice,
 * or never; it carries what stood on the button when its author looked. 3. Nobody decides on what they did not see.
 */
import type { ChannelId, MessageTs, ThreadKey, UserId } from '../../src/thread/ids.ts';
import { decodeButton, threadLog } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { ACTIONS, decodeDoubt, decodeMessage, decodeRun } from '../../src/slack/views/actions.ts';
import { LogUnavailable, type Act, type Answer } from '../../src/worker/ports.ts';
import { ANA, DANA, LEO, MIA, PARTNER, TEAM, VISITORS } from './cast.ts';
import type { SimProcess } from './process.ts';
import { WORLD } from './scheduler.ts';
import type { Standing } from './slack.ts';
import type { World } from './world.ts';

const AGAIN_MS = [3_000, 60_000, 300_000];

export interface Control {
  readonly action: string;
  readonly value: string;
}

/** The buttons on a message. */
export const controlsOf = (message: Standing): Control[] =>
  message.blocks.flatMap(block =>
    block.type === 'actions'
      ? block.elements.flatMap(element =>
          element.type === 'button' ? [{ action: element.action_id ?? '', value: element.value ?? '' }] : [],
        )
      : [],
  );

export class People {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Somebody writes in a thread. */
  say(key: ThreadKey, ts: MessageTs, author: UserId, text: string, mention: boolean): void {
    const { ledger, scheduler, knobs, dice } = this.#world;
    const said = { log: threadLog(key), ts, author, text, mention, acked: false };
    ledger.said.push(said);
    scheduler.say(WORLD, () => `${author} writes "${text}"${mention ? '' : ' without a mention'} (${ts})`);
    const deliver = (time: number): void => {
      if (said.acked) return;
      const process = this.#somewhere();
      const again = AGAIN_MS[time];
      if (again !== undefined) scheduler.after(WORLD, again, 'delivered again', () => deliver(time + 1));
      if (!process) return;
      if (time > 0) this.#world.counters.saw('message delivered again');
      scheduler.say(process, () => `is given "${text}" (${ts})`);
      const incoming = {
        ts,
        channel: key.channel,
        author,
        team: TEAM,
        name: author.slice(2, 5),
        text,
        files: [],
        mention,
        direct: false,
      };
      process.worker.inbox.receive(key, incoming).then(
        taken => this.#acked(said, taken),
        (error: unknown) => this.#unheard(process, error),
      );
    };
    scheduler.after(WORLD, this.#delay(), 'delivered', () => deliver(0));
    if (!dice.chance(knobs.delivery.twice)) return;
    scheduler.after(WORLD, this.#delay() + dice.spread(5_000), 'delivered twice', () => {
      this.#world.counters.saw('message delivered twice');
      said.acked = false;
      deliver(AGAIN_MS.length);
    });
  }

  /** Somebody looks at some message with buttons, and may press one after a while. */
  look(user: UserId): void {
    const { slack, dice, scheduler } = this.#world;
    const live = slack.messages.filter(message => controlsOf(message).length > 0);
    const message = dice.chance(0.7) ? live.at(-1) : dice.pick(live);
    if (!message) return;
    const control = this.#choice(user, controlsOf(message));
    if (!control) return;
    const seen = seenOn(message);
    const { channel, ts } = message;
    const thinksMs = dice.chance(0.2) ? dice.spread(600_000) : dice.spread(15_000);
    scheduler.after(WORLD, thinksMs, `${user} clicks`, () => this.click(user, { channel, ts, control, seen }));
  }

  /** Somebody presses a button. */
  click(user: UserId, on: { channel: ChannelId; ts: MessageTs; control: Control; seen: string }): void {
    const { dice, scheduler, knobs, counters } = this.#world;
    const id = `${scheduler.nowMs}.${scheduler.steps}`;
    scheduler.say(WORLD, () => `${user} clicks ${on.control.action} on ${on.channel} ${on.ts} (${on.control.value})`);
    const give = this.#carried(user, on, id);
    if (!give) return;
    const times = dice.chance(knobs.delivery.lost) ? 0 : dice.chance(knobs.delivery.twice) ? 2 : 1;
    counters.saw(times === 0 ? 'click lost' : times === 2 ? 'click delivered twice' : 'click delivered');
    for (let time = 0; time < times; time += 1)
      scheduler.after(WORLD, this.#delay() + (time === 0 ? 0 : dice.spread(5_000)), 'click arrives', () => {
        const process = this.#somewhere();
        if (!process) return counters.saw('click lost');
        give(process).then(
          answer => {
            scheduler.say(process, () => `answers ${user}: ${answer.refusal?.code ?? 'ok'}`);
            if (answer.refusal) counters.saw(`refused: ${answer.refusal.code}`);
          },
          (error: unknown) => this.#unheard(process, error),
        );
      });
  }

  /** Somebody honest settles a doubt: it ran if it did, and else it is run now or given up. */
  settle(message: Standing): void {
    const { witness, dice } = this.#world;
    const controls = controlsOf(message);
    const doubt = controls.find(({ action }) => action === ACTIONS.doubtRan);
    if (!doubt) return;
    const call = decodeDoubt(doubt.value)?.call;
    const ran = call !== undefined && witness.hasActed(call);
    const action = ran ? ACTIONS.doubtRan : dice.chance(0.5) ? ACTIONS.doubtNotRun : ACTIONS.doubtAbandon;
    const control = controls.find(other => other.action === action) ?? doubt;
    this.click(dice.pick([MIA, ANA]), { channel: message.channel, ts: message.ts, control, seen: seenOn(message) });
  }

  #choice(user: UserId, controls: readonly Control[]): Control | undefined {
    const { dice } = this.#world;
    const approve = controls.find(({ action }) => action === ACTIONS.approve || action === ACTIONS.review);
    if (approve && dice.chance(0.65)) return approve;
    return dice.chance(user === DANA ? 0.6 : 0.9) ? dice.pick(controls) : undefined;
  }

  /** What a click means, as a thing that can be given to a process. */
  #carried(
    user: UserId,
    on: { channel: ChannelId; ts: MessageTs; control: Control; seen: string },
    id: string,
  ): ((process: SimProcess) => Promise<Answer>) | undefined {
    const { ledger, dice, nowMs } = this.#world;
    const { action, value } = on.control;
    const actor = { user, team: user.startsWith('U0PETRA') ? PARTNER : TEAM };
    const place = { channel: on.channel, ts: on.ts };
    const act = (thread: { channel: ChannelId; ts: MessageTs }, key: string): Act => ({
      thread: { team: TEAM, ...thread },
      actor,
      place,
      key,
    });
    const button = decodeButton(value);
    if (button && (action === ACTIONS.approve || action === ACTIONS.review || action === ACTIONS.reject)) {
      const { channel, ts, approval, round } = button;
      const verdict = action === ACTIONS.reject ? 'reject' : 'approve';
      const origin = action === ACTIONS.review ? 'form' : 'click';
      const reason = dice.chance(0.4) ? 'because' : null;
      const key = `${approval}.${round}.${user}.${id}`;
      ledger.clicks.push({
        by: user,
        approval,
        round,
        verdict,
        key,
        reason: reason !== null,
        seen: on.seen,
        atMs: nowMs,
      });
      const decision = { approval, round, verdict, reason, then: null, origin } as const;
      return process => process.worker.inbox.decide(act({ channel, ts }, key), decision);
    }
    if (button && action === ACTIONS.askAgain) {
      const { channel, ts, approval } = button;
      const again = act({ channel, ts }, id);
      return async process => {
        const thread = await process.worker.inbox.read(again.thread);
        const call = at(thread.approvals, approval)?.call;
        return call ? process.worker.inbox.askAgain(again, call) : { refusal: null, thread };
      };
    }
    const doubt = decodeDoubt(value);
    if (doubt && (action === ACTIONS.doubtRan || action === ACTIONS.doubtNotRun || action === ACTIONS.doubtAbandon)) {
      const as = action === ACTIONS.doubtRan ? 'ran' : action === ACTIONS.doubtNotRun ? 'not_run' : 'abandoned';
      const { call, attempt } = doubt;
      ledger.settled.push({ by: user, call, attempt, as });
      return process =>
        process.worker.inbox.settle(act(doubt.thread, `${call}.${attempt}.${user}.${id}`), { call, attempt, as });
    }
    const run = decodeRun(value);
    if (run && action === ACTIONS.cancel) return process => process.worker.inbox.cancel(act(run.thread, id), run.run);
    const message = decodeMessage(value);
    if (!message) return undefined;
    const about = act(message.thread, id);
    return action === ACTIONS.useInstead
      ? process => process.worker.inbox.useInstead(about, message.message)
      : process => process.worker.inbox.keepWaiting(about, message.message);
  }

  /** Some process that Slack reaches; undefined while there is none. */
  #somewhere(): SimProcess | undefined {
    return this.#world.dice.pick(this.#world.processes.filter(process => process.alive && !process.isStopping));
  }

  #delay(): number {
    const { dice, knobs } = this.#world;
    return dice.spread(dice.chance(knobs.delivery.slow) ? 120_000 : 100);
  }

  #acked(said: World['ledger']['said'][number], taken: boolean): void {
    said.acked = true;
    this.#world.acked(said, taken);
  }

  #unheard(process: SimProcess, error: unknown): void {
    if (error instanceof LogUnavailable) this.#world.counters.saw('not taken: the table was away');
    else this.#world.fault(process, error);
  }
}

/** All that can be read on a message. */
export const seenOn = (message: Standing): string => `${message.text} ${JSON.stringify(message.blocks)}`;

/** A person who happens to look at Slack. */
export const visitor = (world: World): UserId => world.dice.pick(VISITORS);

/** Who writes: mostly the one who began. */
export const author = (world: World): UserId => (world.dice.chance(0.85) ? DANA : LEO);
