/**
 * Owns a running Countersign for the browser: the whole product on a folder of its own, quick timers, and a few hands on
 * what a person cannot reach from the page (the model's pace, the project's files, a stop and a start).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config/environment.ts';
import { start, type Running } from '../../src/compose/start.ts';
import type { Ports } from '../../src/worker/ports.ts';

/**
 * Two rules before the shipped ones: what is over after three seconds, and what two people must approve. Their cards go to
 * #ops, because Slack takes one message a second in a channel, and so does Countersign's queue.
 */
const MORE_RULES = `rules:
  - id: soon-over
    ask: [execute]
    when: 'args.argv[0] == "date"'
    why: It is only worth something now.
    expires: 3s
    channel: C0OPS0001

  - id: two-people
    ask: [execute]
    when: 'args.argv[0] == "pwd"'
    why: Two people look at this one.
    approvers: [sre, leads]
    quorum: 2
    channel: C0OPS0001
`;

/** A running Countersign. */
export class House {
  readonly folder: string;
  readonly #policy: string;
  readonly #faults: object[] = [];
  #running: Running | undefined;
  #port = 0;
  #gate: Promise<void> = Promise.resolve();

  constructor(folder: string, policy: string) {
    this.folder = folder;
    this.#policy = policy;
  }

  /** The address of the page. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Faults that the program wrote into its own log. */
  get faults(): readonly object[] {
    return this.#faults;
  }

  /** Where a file of the project is. */
  project(path: string): string {
    return join(this.folder, 'project', path);
  }

  /** Starts it; again on the same address after a stop. */
  async start(): Promise<void> {
    const read = readEnvironment({
      PORT: String(this.#port),
      COUNTERSIGN_DATA: this.folder,
      COUNTERSIGN_CONFIG: this.#policy,
    });
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    this.#running = await start(read.ok, '1.0.0', {
      settings: { tickMs: 250 },
      journal: { info: () => {}, warn: () => {}, error: facts => this.#faults.push(facts) },
      ports: ports => this.#paced(ports),
    });
    this.#port = Number(new URL(this.#running.serving.url).port);
  }

  /** Ends it as SIGTERM does. */
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** Closes its connection to the workspace, which goes on alone. */
  async leaveSlack(): Promise<void> {
    await this.#running?.slack.stop();
  }

  /** Holds the model's next answers until the returned function is called. */
  holdModel(): () => void {
    const held = Promise.withResolvers<void>();
    this.#gate = held.promise;
    return () => held.resolve();
  }

  #paced(ports: Ports): Ports {
    return {
      ...ports,
      model: {
        reply: async request => {
          await this.#gate;
          return ports.model.reply(request);
        },
      },
    };
  }

  /** Ends it and removes its folder. */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts Countersign on a fresh folder and any free port: with the policy file of `policy`, or with the shipped one and two
 * more rules.
 */
export async function openHouse(policy?: string): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-browser-'));
  const own = join(folder, 'countersign.yaml');
  const shipped = await readFile(new URL('../../countersign.yaml', import.meta.url), 'utf8');
  await writeFile(own, shipped.replace(/^rules:\n/m, MORE_RULES));
  const house = new House(folder, policy ?? own);
  await house.start();
  return house;
}
