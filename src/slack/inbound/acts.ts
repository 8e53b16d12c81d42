/**
 * Owns what becomes of a click or a form after its acknowledgement: the worker is asked, and whoever acted is told privately
 * if it was not carried out. A card changes only by the reconciler, from the log.
 *
 * 1. No act is ever turned into another one. 2. What the log could not take is not counted, and the person is told.
 */
import type { TeamId, ThreadKey } from '../../thread/ids.ts';
import type { Thread } from '../../thread/thread.ts';
import { LogDamaged, type Answer, type Inbox } from '../../worker/ports.ts';
import type { SlackApi } from '../api.ts';
import type { Content } from '../message.ts';
import { paragraph } from '../views/blocks.ts';
import { penOf, type Pen, type RenderContext } from '../views/context.ts';
import { plain } from '../views/line.ts';
import { refusalContent, type Answer as Sentence } from '../views/refusals.ts';
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

  /** Asks the worker, and tells the person if it refuses or cannot be asked. */
  async perform(to: Listener, act: () => Promise<Answer>): Promise<void> {
    try {
      const { refusal, thread } = await act();
      if (refusal !== null) await this.refuse(to, refusal, thread);
    } catch (error) {
      await this.#failed(to, error);
    }
  }

  /** Says that an act came to nothing, and not by the person's doing. */
  async lost(to: Listener, how: keyof Pen['texts']['lost']): Promise<void> {
    const line = penOf(this.#options.context).texts.lost[how];
    await this.#say(to, { text: plain(line), blocks: [paragraph(line)] });
  }

  async refuse(to: Listener, refusal: Sentence, thread: Thread | null): Promise<void> {
    await this.#say(to, refusalContent(refusal, thread, this.#options.context));
  }

  async #say(to: Listener, content: Content): Promise<void> {
    if (!(await tell(this.#options.api, to, content)))
      this.#options.note(`A private answer did not reach ${to.user} in ${to.channel}.`);
  }

  async #failed(to: Listener, error: unknown): Promise<void> {
    this.#options.note(`An act of ${to.user} was not counted: ${error instanceof Error ? error.name : 'error'}.`);
    if (error instanceof LogDamaged) await this.refuse(to, { code: 'thread_damaged' }, null);
    else await this.lost(to, 'notCounted');
  }
}
