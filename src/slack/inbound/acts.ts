/**
 * Owns what becomes of a click or a form after its acknowledgement: the worker is asked, and whoever acted is told privately
 * if it was not carried out. A card changes only by the reconciler, from the log.
 *
 * 1. No act is ever turned into another one. 2. What the log could not take is not counted, and the person is told. 3. Who
 * may do what is answered by the worker alone, whatever way an act came (S-39).
 */
import type { WorkspaceEvidence } from '../../thread/evidence.ts';
import type { TeamId, ThreadKey, UserId } from '../../thread/ids.ts';
import type { Thread } from '../../thread/thread.ts';
import { LogDamaged, type Answer, type Inbox } from '../../worker/ports.ts';
import type { SlackApi } from '../api.ts';
import type { Content } from '../message.ts';
import { paragraph } from '../views/blocks.ts';
import { penOf, type Pen, type RenderContext } from '../views/context.ts';
import { pushText, type Line } from '../views/line.ts';
import { noticeForm } from '../views/modal.ts';
import { refusalContent, refusalLine, type Answer as Sentence } from '../views/refusals.ts';
import { tell, type Listener } from './privately.ts';

export interface ActOptions {
  readonly team: TeamId;
  readonly api: SlackApi;
  readonly inbox: Inbox;
  readonly context: RenderContext;
  readonly note: (message: string) => void;
}

export class Acts {
  readonly #options: ActOptions;

  constructor(options: ActOptions) {
    this.#options = options;
  }

  /** The thread that a button names; the team is always ours. */
  thread(place: Omit<ThreadKey, 'team'>): ThreadKey {
    return { team: this.#options.team, channel: place.channel, ts: place.ts };
  }

  isOurs(installed: string | null): boolean {
    return installed === null || installed === this.#options.team;
  }

  /** Asks the worker, and tells the person if it refuses or cannot be asked; the refusal, if there was one. */
  async perform(to: Listener, act: () => Promise<Answer>): Promise<Answer['refusal']> {
    try {
      const { refusal, thread, workspace } = await act();
      if (refusal !== null) await this.refuse(to, refusal, thread, workspace);
      return refusal;
    } catch (error) {
      await this.failed(to, error);
      return null;
    }
  }

  /** Says that an act came to nothing, and not by the person's doing. */
  async lost(to: Listener, how: keyof Pen['texts']['lost']): Promise<void> {
    await this.say(to, penOf(this.#options.context).texts.lost[how]);
  }

  async refuse(
    to: Listener,
    refusal: Sentence,
    thread: Thread | null,
    workspace: WorkspaceEvidence | null = null,
  ): Promise<void> {
    const { context } = this.#options;
    await this.#tell(
      to,
      refusalContent(refusal, thread, context, workspace),
      refusalLine(refusal, thread, context, workspace),
    );
  }

  /** Tells one person a sentence of ours. */
  async say(to: Listener, line: Line): Promise<void> {
    await this.#tell(to, { text: pushText(line, 'everybody', 3_000), blocks: [paragraph(line)] }, line);
  }

  /** Tells one person something longer; false when no way led to them. */
  async send(to: Listener, content: Content): Promise<boolean> {
    return tell(this.#options.api, to, content);
  }

  /** What is said to a person when the worker could not be asked. */
  failure(user: UserId, error: unknown): Line {
    const { context, note } = this.#options;
    note(`An act of ${user} was not counted: ${error instanceof Error ? error.name : 'error'}.`);
    if (error instanceof LogDamaged) return refusalLine({ code: 'thread_damaged' }, null, context);
    return penOf(context).texts.lost.notCounted;
  }

  /** Tells the person that the worker could not be asked. */
  async failed(to: Listener, error: unknown): Promise<void> {
    await this.say(to, this.failure(to.user, error));
  }

  /** In the conversation, else as a form: on Home there is no conversation, and some are closed to the person. */
  async #tell(to: Listener, content: Content, line: Line): Promise<void> {
    const { api, context, note } = this.#options;
    if (await tell(api, to, content)) return;
    const view = noticeForm(line, context);
    if (to.trigger !== null && (await api('views.open', { trigger_id: to.trigger, view })).is === 'ok') return;
    note(`A private answer did not reach ${to.user}${to.channel === null ? '' : ` in ${to.channel}`}.`);
  }
}
