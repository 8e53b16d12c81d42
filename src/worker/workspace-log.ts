/**
 * Owns the workspace's log in this process: freeze, policy and tool texts by content, troubles.
 *
 * 1. What could not be read is `unknown`, and nothing is claimed on it.
 */
import type { WorkspaceEvent } from '../thread/events.ts';
import type { WorkspaceEvidence } from '../thread/evidence.ts';
import { workspaceLog, type LogKey } from '../thread/ids.ts';
import { emptyWorkspace, evidenceOf, foldWorkspace, type Workspace } from '../thread/workspace.ts';
import { wellFormed } from '../thread/well-formed.ts';
import { OneByOne } from './one-by-one.ts';
import { LogUnavailable, type Ports } from './ports.ts';

export class WorkspaceLog {
  readonly #ports: Pick<Ports, 'log' | 'clock' | 'team'>;
  readonly #key: LogKey;
  readonly #youngMs: number;
  #workspace: Workspace = emptyWorkspace();
  #readAtMs = Number.NEGATIVE_INFINITY;
  readonly #order = new OneByOne();

  /** `youngMs`: evidence younger than this is given without reading again. */
  constructor(ports: Pick<Ports, 'log' | 'clock' | 'team'>, youngMs: number) {
    this.#ports = ports;
    this.#key = workspaceLog(ports.team);
    this.#youngMs = youngMs;
  }

  /** As last read. */
  get workspace(): Workspace {
    return this.#workspace;
  }

  /** For rendering: as last read, without I/O. */
  get known(): WorkspaceEvidence {
    return evidenceOf(this.#workspace);
  }

  /** For judging: at most `youngMs` old; `unknown` when it could not be read. */
  async recent(): Promise<WorkspaceEvidence> {
    const young = this.#ports.clock.monotonicMs() - this.#readAtMs < this.#youngMs;
    return young ? this.known : this.tail();
  }

  /** For the moment before an execution: the log's tail, strongly consistent; `unknown` when it could not be read. */
  async tail(): Promise<WorkspaceEvidence> {
    try {
      await this.#order.run(() => this.#read());
      return this.known;
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      // What was read before is no longer young: the next to ask must learn that nobody knows.
      this.#readAtMs = Number.NEGATIVE_INFINITY;
      return { version: this.#workspace.head.number, frozen: 'unknown' };
    }
  }

  /** Appends what `events` makes of the workspace as it is now; nothing when that is an empty list. */
  async write(events: (workspace: Workspace) => readonly WorkspaceEvent[]): Promise<void> {
    await this.#order.run(async () => {
      for (let race = 0; race < 30; race += 1) {
        const wanted = wellFormed(events(this.#workspace));
        if (wanted.length > 0) {
          const result = await this.#ports.log.append(this.#key, this.#workspace.head, wanted);
          if ('won' in result) {
            foldWorkspace(this.#workspace, result.won);
            return;
          }
        } else if (race > 0) return;
        await this.#read();
      }
      throw new LogUnavailable('Other writers of the workspace log were faster every time.');
    });
  }

  async #read(): Promise<void> {
    const startedMs = this.#ports.clock.monotonicMs();
    const { commits } = await this.#ports.log.load(this.#key, this.#workspace.head);
    for (const commit of commits) foldWorkspace(this.#workspace, commit);
    this.#readAtMs = startedMs;
  }
}
