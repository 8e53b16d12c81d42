/**
 * Owns when a drive posts: what differs is posted once per state of the log, the records ride with the next commit, and the
 * lease's release closes the pass.
 */
import type { Command } from '../thread/decide/command.ts';
import { NEVER } from './never.ts';
import type { Posted, Ports } from './ports.ts';
import type { Session } from './session.ts';
import type { WorkspaceLog } from './workspace-log.ts';

export class Posts {
  readonly #ports: Ports;
  readonly #workspace: WorkspaceLog;
  readonly #session: Session;
  #retryAtMs: number | null = null;
  #triedAt = -1;

  constructor(ports: Ports, workspace: WorkspaceLog, session: Session) {
    this.#ports = ports;
    this.#workspace = workspace;
    this.#session = session;
  }

  /** True when something differs from what was posted, and this state of the thread was not tried yet. */
  get due(): boolean {
    return this.#triedAt !== this.#session.revision && this.#behind;
  }

  /** Something has come to an end that may have changed what stands in Slack: that is looked at, also if the log is the same. */
  again(): void {
    this.#triedAt = -1;
  }

  /** How long until what had to wait is tried again; null when nothing waits. */
  get retryInMs(): number | null {
    return this.#retryAtMs === null ? null : Math.max(0, this.#retryAtMs - this.#ports.clock.nowMs());
  }

  get #behind(): boolean {
    return this.#ports.views.behind(this.#session.thread, this.#workspace.known);
  }

  /** One pass; its records ride with the next commit. */
  async post(): Promise<void> {
    const tried = this.#session.revision;
    this.#triedAt = tried;
    const { posted, retryAtMs } = await this.#ports.views.reconcile(this.#session.thread, this.#workspace.known, NEVER);
    this.#retryAtMs = retryAtMs;
    this.#report(posted);
    if (posted.length === 0) return;
    const unchanged = this.#session.revision === tried;
    const command: Command = { type: 'posted', holder: this.#ports.writer, records: posted };
    await this.#session.commit(command, { defer: true });
    // A card that was refused or taken changes what the thread's own message says: then there is one more pass. A copy that
    // could not be closed is no such news.
    if (unchanged && posted.every(record => record.state === 'found')) this.#triedAt = this.#session.revision;
  }

  /** Gives the lease back, together with what is not written yet. */
  async rest(): Promise<void> {
    const { thread } = this.#session;
    if (thread.lease?.holder !== this.#ports.writer) return this.#session.flush();
    await this.#session.commit(() => ({ type: 'release', holder: this.#ports.writer, synced: !this.#behind }));
  }

  #report(posted: readonly Posted[]): void {
    const { operators } = this.#ports;
    for (const record of posted) {
      if (!record.key.startsWith('card/')) continue;
      const cause = `undelivered ${record.channel}`;
      if (record.state === 'failed')
        operators.report(cause, 'undelivered', record.code ?? 'unknown', { channel: record.channel });
      else operators.resolved(cause);
    }
  }
}
