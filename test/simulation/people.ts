/**
 * Owns what people do in a simulated world: they write, look at Slack, and click on what they see, perhaps much later.
 *
 * 1. A message is delivered until a process says that it has it, at most four times. 2. A click is delivered once, or twice,
 * or never; it carries what stood on the button when its author looked. 3. Nobody decides on what they did not see.
 */
import type { ChannelId, LogKey, MessageTs, ThreadKey, UserId } from '../../src/thread/ids.ts';
import { decodeButton, threadLog, type ButtonValue } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { ACTIONS, decodeDoubt, decodeMessage, decodeRun } from '../../src/slack/views/actions.ts';
import { LogUnavailable, type Act, type Answer } from '../../src/worker/ports.ts';
import { ANA, DANA, GUS, LEO, MIA, PARTNER, TEAM, VISITORS } from './cast.ts';
import { allowingForAWhile, askBack, meant } from './acts.ts';
import type { Said } from './ledger.ts';
import type { SimProcess } from './process.ts';
import { WORLD } from './scheduler.ts';
import { reviewForm } from '../../src/slack/views/forms.ts';
import { readable, seenIn, type Control, type Seen } from './slack.ts';
import { contextOf } from './views.ts';
import type { World } from './world.ts';

/** For answers that nothing was asked of a process for. */
const THAWED = { version: 0, frozen: null } as const;

const AGAIN_MS = [3_000, 60_000, 300_000];

/** A message that somebody wrote, and the thread that it is in. */
export interface Written {
  readonly key: ThreadKey;
  readonly ts: MessageTs;
}

export class People {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Somebody writes in a channel, or in the thread below `root`. */
  write(channel: ChannelId, author: UserId, text: string, mention: boolean, root?: MessageTs): Written {
    const { slack } = this.#world;
    const message = slack.add({ channel, user: author, text, ...(root ? { thread_ts: root } : {}) });
    const ts = message.ts as MessageTs;
    const key = { team: TEAM, channel, ts: root ?? ts };
    this.#say(key, ts, author, text, mention);
    return { key, ts };
  }

  #say(key: ThreadKey, ts: MessageTs, author: UserId, text: string, mention: boolean): void {
    const { ledger, scheduler, knobs, dice } = this.#world;
    const said = { log: threadLog(key), ts, author, text, mention, acked: false };
    ledger.said.push(said);
    scheduler.say(WORLD, () => `${author} writes "${text}"${mention ? '' : ' without a mention'} (${ts})`);
    const deliver = (time: number): void => {
      if (said.acked) return;
      const isKnown = this.#world.isKnown(said);
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
      let told = false;
      const tell = ({ refusal }: { refusal: unknown }): void => void (told = refusal !== null);
      process.worker.inbox.receive(key, incoming, tell).then(
        taken => this.#acked(said, taken, { isKnown, told }),
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

  /** The author changes a message, or takes it back; Slack says so once, or not at all. */
  changeMind(key: ThreadKey, ts: MessageTs, author: UserId): void {
    const { dice, scheduler } = this.#world;
    const back = dice.chance(0.3);
    scheduler.after(WORLD, dice.spread(60_000), back ? 'takes it back' : 'writes it anew', () => {
      const inbox = this.#somewhere()?.worker.inbox;
      const heard = back ? inbox?.remove(key, ts) : inbox?.amend(key, { ts, author, text: 'I meant something else' });
      heard?.catch((error: unknown) => {
        if (!(error instanceof LogUnavailable)) this.#world.fault(WORLD, error);
      });
    });
  }

  /** Somebody looks at some message with buttons, and may press one after a while (at most `mostMs`). */
  look(user: UserId, mostMs = 600_000): void {
    const { slack, dice, scheduler } = this.#world;
    const all = seenIn(slack);
    const hasControls = (message: Seen): boolean => message.controls.length > 0;
    const message = dice.chance(0.7) ? all.findLast(hasControls) : dice.pick(all.filter(hasControls));
    const control = message && this.#choice(user, message.controls);
    if (!control) return;
    const thinksMs = dice.spread(dice.chance(0.2) ? mostMs : Math.min(mostMs, 15_000));
    scheduler.after(WORLD, thinksMs, `${user} clicks`, () => this.click(user, message, control));
  }

  /** Somebody presses a button. */
  click(user: UserId, on: Seen, control: Control): void {
    const { dice, scheduler, knobs, counters } = this.#world;
    const id = `${scheduler.nowMs}.${scheduler.steps}`;
    if (!this.#isRecorded(on)) counters.saw('click before the record of its card');
    scheduler.say(WORLD, () => `${user} clicks ${control.action} on ${on.key} (${on.channel} ${on.ts})`);
    const give = this.#carried(user, on, control, id);
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
  settle(message: Seen): void {
    const { witness, dice } = this.#world;
    const { controls } = message;
    const doubt = controls.find(({ action }) => action === ACTIONS.doubtRan);
    if (!doubt) return;
    const call = decodeDoubt(doubt.value)?.call;
    const ran = call !== undefined && witness.hasActed(call);
    const action = ran ? ACTIONS.doubtRan : dice.chance(0.5) ? ACTIONS.doubtNotRun : ACTIONS.doubtAbandon;
    this.click(dice.pick([MIA, ANA]), message, controls.find(other => other.action === action) ?? doubt);
  }

  #isRecorded({ key, log, ts }: Seen): boolean {
    const posts = this.#world.witness.threads.get(log as LogKey)?.posts ?? {};
    return at(posts, key)?.ts === ts;
  }

  /** Which button somebody presses; mostly those that bring things on. */
  #choice(user: UserId, controls: readonly Control[]): Control | undefined {
    const { dice } = this.#world;
    const approve = controls.find(
      ({ action }) => action === ACTIONS.approve || action === ACTIONS.review || action.startsWith(ACTIONS.option),
    );
    const edit = controls.find(({ action }) => action === ACTIONS.edit);
    if (edit && dice.chance(0.25)) return edit;
    if (approve && dice.chance(0.75)) return approve;
    const control = dice.pick(controls);
    const ends =
      control?.action === ACTIONS.cancel || control?.action === ACTIONS.useInstead || control?.action === ACTIONS.stop;
    return dice.chance(ends ? 0.1 : user === DANA ? 0.6 : 0.9) ? control : undefined;
  }

  /** What a click means, as a thing that can be given to a process. */
  #carried(
    user: UserId,
    on: Seen,
    { action, value }: Control,
    id: string,
  ): ((process: SimProcess) => Promise<Answer>) | undefined {
    const { ledger, dice, nowMs } = this.#world;
    const actor = { user, team: user.startsWith('U0PETRA') ? PARTNER : TEAM };
    const place = { channel: on.channel, ts: on.ts };
    const act = (thread: { channel: ChannelId; ts: MessageTs }, key: string): Act => ({
      thread: { team: TEAM, ...thread },
      actor,
      place,
      key,
    });
    const looking = { user, on, id, act };
    const isCard = on.key.startsWith('card/');
    if (isCard && dice.chance(0.05)) return askBack(looking);
    const more = meant(this.#world, looking, { action, value });
    if (more) return more;
    const button = decodeButton(value);
    if (button && (action === ACTIONS.approve || action === ACTIONS.reject)) {
      const { channel, ts, approval, round } = button;
      const verdict = action;
      const reason = dice.chance(0.4) ? 'because' : null;
      const key = `${approval}.${round}.${user}.${id}`;
      ledger.clicks.push({ by: user, approval, round, verdict, key, seen: on.text, form: false, atMs: nowMs });
      const allowed = verdict === 'approve' ? allowingForAWhile(this.#world, on.text) : {};
      const decision = { approval, round, verdict, reason, then: null, origin: 'click', ...allowed } as const;
      return process => process.worker.inbox.decide(act({ channel, ts }, key), decision);
    }
    if (button && action === ACTIONS.review)
      return process => this.#review(process, user, act({ channel: button.channel, ts: button.ts }, id), button);
    if (button && action === ACTIONS.askAgain) {
      const { channel, ts, approval } = button;
      const again = act({ channel, ts }, id);
      return async process => {
        const thread = await process.worker.inbox.read(again.thread);
        const call = at(thread.approvals, approval)?.call;
        return call ? process.worker.inbox.askAgain(again, call) : { refusal: null, thread, workspace: THAWED };
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

  /** Opens the review form, reads it, and approves in it after a while. */
  async #review(process: SimProcess, user: UserId, act: Act, button: ButtonValue): Promise<Answer> {
    const { dice, ledger, scheduler } = this.#world;
    const thread = await process.worker.inbox.read(act.thread);
    const approval = at(thread.approvals, button.approval);
    if (!approval || approval.round !== button.round || approval.state.is !== 'open')
      return { refusal: null, thread, workspace: THAWED };
    const form = reviewForm(thread, approval, contextOf());
    if (!form) return { refusal: null, thread, workspace: THAWED };
    await new Promise<void>(resolve => scheduler.after(WORLD, dice.spread(60_000), 'form is read', resolve));
    const { approval: id, round } = button;
    const key = `${id}.${round}.form.${act.key}`;
    const text = readable(form);
    const reason = dice.chance(0.4) ? 'because' : null;
    const atMs = this.#world.nowMs;
    ledger.clicks.push({ by: user, approval: id, round, verdict: 'approve', key, seen: text, form: true, atMs });
    const there = this.#somewhere() ?? process;
    const decision = { approval: id, round, verdict: 'approve', reason, then: null, origin: 'form' } as const;
    return there.worker.inbox.decide({ ...act, key }, decision);
  }

  /** Some process that Slack reaches; undefined while there is none. */
  #somewhere(): SimProcess | undefined {
    return this.#world.dice.pick(this.#world.processes.filter(process => process.alive && !process.isStopping));
  }

  #delay(): number {
    const { dice, knobs } = this.#world;
    return dice.spread(dice.chance(knobs.delivery.slow) ? 120_000 : 100);
  }

  #acked(said: Said, taken: boolean, how: { isKnown: boolean; told: boolean }): void {
    said.acked = true;
    this.#world.acked(said, taken, how);
  }

  #unheard(process: SimProcess, error: unknown): void {
    if (error instanceof LogUnavailable) this.#world.counters.saw('not taken: the table was away');
    else this.#world.fault(process, error);
  }
}

/** A person who happens to look at Slack. */
export const visitor = (world: World): UserId => world.dice.pick(VISITORS);

/** Who writes: mostly the one who began, and now and then somebody whom no agent answers. */
export const author = ({ dice }: World): UserId => (dice.chance(0.8) ? DANA : dice.chance(0.7) ? LEO : GUS);
