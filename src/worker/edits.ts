/**
 * Owns the two views of an edit: what would run, and the word that lets it run.
 *
 * 1. Nothing changes before the second. 2. Both are judged by the same evidence, looked up anew for each.
 */
import { editPreview, type Editing } from '../thread/decide/edit.ts';
import type { CallEvidence } from '../thread/evidence.ts';
import type { Json } from '../thread/events.ts';
import type { ApprovalId, Digest } from '../thread/ids.ts';
import { at, requestOf } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { callEvidence, scopesOf, withArgs } from './evidence.ts';
import { NEVER } from './never.ts';
import type { Act, Answer, EditPreview } from './ports.ts';
import type { Session } from './session.ts';

/** Changed arguments of a request. */
interface Change {
  readonly approval: ApprovalId;
  readonly round: number;
  readonly args: Json;
}

export class Edits {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** What would run if the arguments were these; nothing changes. */
  async preview(act: Act, change: Change): Promise<EditPreview> {
    const session = await this.#acting.fresh(act.thread);
    const { thread } = session;
    const editing = await this.#editing(session, act, change);
    if (editing === null) return { refusal: { code: 'not_found', actor: act.actor.user }, thread };
    const preview = editPreview(thread, editing, this.#acting.parts.ports.clock.nowMs());
    return preview.refusal === null
      ? { ...preview, thread, evidence: editing.evidence }
      : { refusal: preview.refusal, thread };
  }

  /** Puts the edited call to people, as the second view showed it (`shown`); or refuses with a code. */
  async edit(act: Act, { shown, ...change }: Change & { readonly shown: Digest }): Promise<Answer> {
    const acting = this.#acting;
    const session = await acting.fresh(act.thread);
    const editing = await this.#editing(session, act, change);
    if (editing === null) return acting.answer(session, { refusal: { code: 'not_found', actor: act.actor.user } });
    return acting.commit(session, () => ({ type: 'edit', ...editing, key: act.key, shown, ...acting.take(session) }));
  }

  /** What both views are judged by; null when there is no such request. */
  async #editing(session: Session, act: Act, change: Change): Promise<Editing | null> {
    const acting = this.#acting;
    const evidence = await this.#evidence(session, change);
    if (evidence === null) return null;
    // Where both rules know a scope by the same word, the one in force says who is in it.
    const now = evidence.judged.verdict === 'ask' ? scopesOf(evidence.judged) : [];
    const asked = scopesOf(at(session.thread.approvals, change.approval));
    const was = asked.filter(scope => now.every(({ name }) => name !== scope.name));
    const actor = await acting.actor(act.actor, [...now, ...was]);
    const card = await acting.card(session, act, { approval: change.approval });
    const workspace = await acting.parts.workspace.recent();
    const { approval, round, args } = change;
    return { approval, round, args, actor, card, workspace, evidence };
  }

  /** The edited call as the world is now; null when there is no such request. */
  async #evidence({ thread }: Session, { approval: id, args }: Change): Promise<CallEvidence | null> {
    const found = requestOf(thread, id);
    if (!found) return null;
    return callEvidence(this.#acting.parts, thread, found.run, withArgs(found.call, args), NEVER);
  }
}
