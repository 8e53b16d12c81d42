/**
 * Owns what operators are told: one open trouble per cause in the workspace's log, and its message.
 *
 * 1. The same cause again while it is open writes nothing new; over is over, whichever process had opened it. 2. If the log cannot be written, the program's own log has it.
 */
import { parseThreadLog } from '../thread/ids.ts';
import { at } from '../thread/thread.ts';
import type { TroubleAbout, Workspace } from '../thread/workspace.ts';
import { NEVER } from './never.ts';
import type { Operators, Posted, Ports } from './ports.ts';
import type { WorkspaceLog } from './workspace-log.ts';

/** Whether the log has this cause as a trouble that is not over; another process may have opened it. */
const isOpen = (workspace: Workspace, cause: string): boolean => at(workspace.troubles, cause)?.closedAtMs === null;

/** Where the program says what happens to it; structured, without bodies. */
export interface Journal {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Troubles whose detail is a call's summary: a body, which the program's own log does not hold. */
const ABOUT_A_CALL = new Set([
  'in_doubt',
  'approved_not_run',
  'contradiction',
  'no_approvers',
  'quorum_impossible',
  'waits_for_nobody',
  'waits_for_too_few',
]);

export class Troubles implements Operators {
  readonly #open = new Map<string, string>();
  readonly #workspace: WorkspaceLog;
  readonly #views: Pick<Ports['views'], 'announce'>;
  readonly #journal: Journal;
  #work: Promise<void> = Promise.resolve();

  constructor(workspace: WorkspaceLog, views: Pick<Ports['views'], 'announce'>, journal: Journal) {
    this.#workspace = workspace;
    this.#views = views;
    this.#journal = journal;
  }

  /** Causes that are open now, with their codes. */
  get open(): ReadonlyMap<string, string> {
    return this.#open;
  }

  report(cause: string, code: string, detail: string, about = threadIn(cause)): void {
    if (this.#open.get(cause) === code) return;
    this.#open.set(cause, code);
    this.#journal.warn(ABOUT_A_CALL.has(code) ? { cause, code } : { cause, code, detail }, 'trouble');
    const opened = { type: 'trouble.opened', cause, code, body: { detail } } as const;
    this.#later(() => [about === undefined ? opened : { ...opened, about }]);
  }

  resolved(cause: string): void {
    if (!this.#open.delete(cause) && !isOpen(this.#workspace.workspace, cause)) return;
    this.#journal.info({ cause }, 'trouble is over');
    this.#later(workspace => (isOpen(workspace, cause) ? [{ type: 'trouble.closed', cause, body: {} }] : []));
  }

  /** Takes over what is open in the log, so that it can be closed in a later process. */
  adopt(): void {
    for (const trouble of Object.values(this.#workspace.workspace.troubles))
      if (trouble.closedAtMs === null) this.#open.set(trouble.cause, trouble.code);
  }

  /** Resolves when everything reported so far is written and posted, or has failed. */
  settled(): Promise<void> {
    return this.#work;
  }

  #later(events: Parameters<WorkspaceLog['write']>[0]): void {
    this.#work = this.#work
      .then(async () => {
        await this.#workspace.write(events);
        const posted: readonly Posted[] = await this.#views.announce(this.#workspace.workspace, NEVER);
        if (posted.length > 0)
          await this.#workspace.write(() => posted.map(record => ({ ...record, type: 'message.posted' as const })));
      })
      .catch((error: unknown) => this.#journal.error({ error }, 'a trouble could not be told'));
  }
}

/** The thread whose log a cause names. */
function threadIn(cause: string): TroubleAbout | undefined {
  const [key] = cause.split(' ').flatMap(word => parseThreadLog(word) ?? []);
  return key && { channel: key.channel, ts: key.ts };
}
