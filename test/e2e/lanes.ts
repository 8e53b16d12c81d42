/**
 * Several towns at once, each with one process and one story at a time: a story mostly waits (posts to a channel are a second
 * apart), and the next one need not wait with it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPROVALS, DANA, MIA, until, type People, type Shown } from './people.ts';
import type { Changes } from './point.ts';
import { openTown, type Ended, type Process, type Town, type TownOptions } from './stage.ts';

/** One town and the process that answers in it. */
export class Lane {
  readonly town: Town;
  readonly people: People;
  readonly #changes: Changes | undefined;
  readonly #asked: { readonly channel: string; readonly ts: string }[] = [];
  #running: Process & { readonly url: string };

  private constructor(town: Town, changes: Changes | undefined, running: Process & { readonly url: string }) {
    this.town = town;
    this.people = town.people;
    this.#changes = changes;
    this.#running = running;
  }

  static async open(options: TownOptions, changes?: Changes): Promise<Lane> {
    const town = await openTown(options);
    try {
      return new Lane(town, changes, await town.start('one', changes));
    } catch (error) {
      await town.close();
      throw error;
    }
  }

  get running(): Process & { readonly url: string } {
    return this.#running;
  }

  /** Starts a process on the same folder, if the one before is over. */
  async start(): Promise<void> {
    if (this.#running.over) this.#running = await this.town.start('one', this.#changes);
  }

  /** Waits for the process to end, starts the next one on its folder, and says how it ended. */
  async next(): Promise<Ended> {
    const how = await this.#running.end();
    await this.start();
    return how;
  }

  /** What `GET /health` of the process says. */
  async health(): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = await fetch(`${this.#running.url}/health`);
    return { status: answer.status, body: await answer.json() };
  }

  /** Where a file of the project is. */
  file(name: string): string {
    return join(this.town.project, name);
  }

  /** Dana asks for a command that leaves a line in the file `name` each time it runs; returns the thread. */
  async ask(channel: string, name: string, then = ''): Promise<string> {
    const text = `<@U0BOT0001> run sh -c "echo ran >> ${name}; echo said-${name}${then}"`;
    const ts = await this.people.say(DANA, channel, text);
    this.#asked.push({ channel, ts });
    return ts;
  }

  /** Waits until the process has nothing more to do in the threads that were asked in. */
  async rest(): Promise<void> {
    for (const { channel, ts } of this.#asked.splice(0))
      await until(
        'the thread to rest',
        async () => (await this.town.thread(channel, ts)).thread.lease === null || undefined,
      );
  }

  /** How often that command has run. */
  timesRun(name: string): number {
    const path = this.file(name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
  }

  /** Somebody presses Approve on the card about `name`, once it is there. */
  async approve(name: string, who = MIA): Promise<Shown> {
    const card = await this.people.card(name, 'approve');
    await this.people.click(who, APPROVALS, card, 'approve');
    return card;
  }
}

/** Some lanes, for the tests of one file that run at the same time. */
export class Lanes {
  readonly #all: Lane[];
  readonly #free: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];

  private constructor(lanes: readonly Lane[]) {
    this.#all = [...lanes];
    this.#free = [...lanes];
  }

  /** Opens `count` towns with a process each. */
  static async open(count: number, options: TownOptions, changes?: Changes): Promise<Lanes> {
    return new Lanes(await Promise.all(Array.from({ length: count }, () => Lane.open(options, changes))));
  }

  /** Plays a story on the next lane that is free, with a process that runs. */
  async play<T>(story: (lane: Lane) => Promise<T>): Promise<T> {
    const lane = this.#free.shift() ?? (await new Promise<Lane>(resolve => this.#waiting.push(resolve)));
    try {
      await lane.start();
      const outcome = await story(lane);
      await lane.rest();
      return outcome;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#free.push(lane);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(lane => lane.town.close()));
  }
}
