/**
 * Owns what people do soon about what has just been put to them, where they see it soon: they approve, choose, edit, reject,
 * ask back, answer by form or by message, stop what runs, and take back what they had allowed.
 */
import type { EventOf, ThreadEvent, WorkspaceEvent } from '../../src/thread/events.ts';
import { parseThreadLog, type GrantId, type ThreadKey, type UserId } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { ACTIONS } from '../../src/slack/views/actions.ts';
import { ANSWERS } from './acts.ts';
import { ANA, DANA, LEO, MIA, OTTO, TEAM } from './cast.ts';
import { visitor } from './people.ts';
import { WORLD } from './scheduler.ts';
import { seen, type Control, type Seen } from './slack.ts';
import type { Landed } from './table.ts';
import type { World } from './world.ts';

const DECIDERS = [MIA, MIA, MIA, LEO, LEO, LEO, ANA] as const;

/** Times that somebody looks for what may not stand in Slack yet. */
const LOOKS = 3;

const isApproving = ({ action }: Control): boolean =>
  action === ACTIONS.approve || action === ACTIONS.review || action.startsWith(ACTIONS.option);
const is =
  (wanted: string) =>
  ({ action }: Control): boolean =>
    action === wanted;

export class Attention {
  readonly #world: World;
  #over = false;

  constructor(world: World) {
    this.#world = world;
    world.table.watch(landed => this.#landed(landed));
  }

  /** Nobody looks any more. */
  end(): void {
    this.#over = true;
  }

  #landed({ key, commit }: Landed): void {
    const { dice, knobs } = this.#world;
    if (this.#over) return;
    const thread = parseThreadLog(key);
    if (!thread) return this.#inWorkspace(commit.events as readonly WorkspaceEvent[]);
    for (const event of commit.events as readonly ThreadEvent[])
      if (dice.chance(knobs.attention)) this.#noticed(thread, event);
  }

  #noticed(thread: ThreadKey, event: ThreadEvent): void {
    const { dice } = this.#world;
    switch (event.type) {
      case 'approval.requested':
        return this.#request(event);
      case 'round.opened':
        return this.#approve(`card/${event.approval}/`, 1);
      case 'approval.settled':
        if (event.how === 'expired' && dice.chance(0.4)) this.#soon('status/', is(ACTIONS.askAgain), DANA);
        return;
      case 'question.asked':
        return this.#question(thread, event.question, event.to);
      case 'question.refused':
        return this.#question(thread, event.question, [DANA]);
      case 'call.claimed':
        if (dice.chance(0.15)) this.#press(() => true, is(ACTIONS.stop), visitor(this.#world), dice.spread(5_000), 0);
        return;
      default:
        return undefined;
    }
  }

  /** Somebody edits it, or rejects it, or as many as it takes approve it. */
  #request({ approval, terms, why }: EventOf<'approval.requested'>): void {
    const { dice } = this.#world;
    const card = `card/${approval}/`;
    if (terms.edit.length > 0 && dice.chance(why === 'edited' ? 0.2 : 0.6)) {
      this.#soon(card, is(ACTIONS.edit), this.#decider());
      // Some approve it all the same while it is being edited.
      if (dice.chance(0.8)) return;
    }
    if (dice.chance(0.1)) this.#soon(card, is(ACTIONS.reject), this.#decider());
    else this.#approve(card, terms.quorum);
  }

  #approve(card: string, quorum: number): void {
    for (let person = 0; person < quorum; person += 1) this.#soon(card, isApproving, this.#decider());
  }

  #question(thread: ThreadKey, question: string, to: readonly UserId[]): void {
    const { dice, scheduler, people } = this.#world;
    const who = dice.chance(0.85) ? (dice.pick(to) ?? DANA) : LEO;
    if (dice.chance(0.5)) {
      const isOf = (key: string): boolean => key === `question/${question}` || key === `inquiry/${question}`;
      return this.#press(isOf, is(ACTIONS.answer), who, dice.spread(20_000), 0);
    }
    scheduler.after(WORLD, dice.spread(20_000), 'answers in the thread', () => {
      const { key, ts } = people.write(thread.channel, who, dice.pick(ANSWERS), dice.chance(0.3), thread.ts);
      if (dice.chance(0.2)) people.changeMind(key, ts, who);
    });
  }

  /** Mostly somebody who may decide, now and then anybody. */
  #decider(): UserId {
    const { dice } = this.#world;
    if (dice.chance(0.85)) return dice.pick(DECIDERS);
    return dice.chance(0.5) ? OTTO : visitor(this.#world);
  }

  #soon(key: string, wanted: (control: Control) => boolean, user: UserId): void {
    this.#press(other => other.startsWith(key), wanted, user, this.#world.dice.spread(30_000), 0);
  }

  /** Somebody presses a button of a message of this kind, once it stands in Slack. */
  #press(
    isOf: (key: string) => boolean,
    wanted: (control: Control) => boolean,
    user: UserId,
    inMs: number,
    looks: number,
  ): void {
    const { people, scheduler } = this.#world;
    scheduler.after(WORLD, inMs, 'sees it soon', () => {
      if (this.#over) return;
      const message = this.#latest(isOf, wanted);
      const control = message?.controls.find(wanted);
      if (message && control) people.click(user, message, control);
      else if (looks < LOOKS) this.#press(isOf, wanted, user, 5_000, looks + 1);
    });
  }

  #latest(isOf: (key: string) => boolean, wanted: (control: Control) => boolean): Seen | undefined {
    const { messages } = this.#world.slack;
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const message = messages[index];
      if (!message?.bot_id) continue;
      const one = seen(message);
      if (isOf(one.key) && one.controls.some(wanted)) return one;
    }
    return undefined;
  }

  /** Who gave a permission thinks better of it, at times just when it is being used. */
  #inWorkspace(events: readonly WorkspaceEvent[]): void {
    const { dice, scheduler, counters, witness } = this.#world;
    for (const event of events) {
      if ((event.type !== 'grant.given' && event.type !== 'grant.used') || !dice.chance(0.2)) continue;
      const by = at(witness.workspace.grants, event.grant)?.by ?? MIA;
      scheduler.after(WORLD, dice.spread(event.type === 'grant.used' ? 300 : 600_000), 'revokes', () => {
        const process = dice.pick(this.#world.alive().filter(other => !other.isStopping));
        counters.saw('grant revoked');
        process?.worker.inbox.revokeGrant({ user: by, team: TEAM }, event.grant as GrantId).catch(() => undefined);
      });
    }
  }
}
