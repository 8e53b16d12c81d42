/** Owns what people do on cards, forms and threads: each act is looked up, decided and written before it is answered. */
import type { Cancel, Decide, Settle } from '../thread/decide/command.ts';
import { executionId, type CallId, type MessageTs, type RunId, type ThreadKey } from '../thread/ids.ts';
import { approvalOf, at, currentRun, type Approval } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { callEvidence, scopesOf } from './evidence.ts';
import { NEVER } from './never.ts';
import { countPeople } from './people.ts';
import type { Act, Answer, Inbox, Person } from './ports.ts';
import type { Session } from './session.ts';

type Arguments<M extends keyof Inbox> = Parameters<Inbox[M]>[1];

/** Each act is what `Inbox` says of it. */
export class Acts {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  async decide(act: Act, decision: Arguments<'decide'>): Promise<Answer> {
    const acting = this.#acting;
    const [session, workspace] = await Promise.all([acting.fresh(act.thread), acting.parts.workspace.recent()]);
    const approval = at(session.thread.approvals, decision.approval);
    const actor = await acting.actor(act.actor, scopesOf(approval));
    const card = await acting.card(session, act, { approval: decision.approval });
    const eligible = approval ? await this.#eligible(approval, decision.verdict) : {};
    const command: Decide = { type: 'decide', ...decision, ...eligible, key: act.key, actor, card, workspace };
    const answer = await acting.commit(session, () => ({ ...command, ...acting.take(session) }));
    if (answer.refusal?.code === 'quorum_impossible') this.#sayTooFew(session, decision.approval);
    return answer;
  }

  /** What one person was answered stands on the card as well, and operators are told. */
  #sayTooFew(session: Session, approval: Approval['id']): void {
    const { ports, background, signal } = this.#acting.parts;
    background.run('count people', async () => {
      if ((await countPeople(ports, session, approval)) === 'news') signal(session.key);
    });
  }

  /** Who could decide now, where it takes several: whether there are still enough of them is told at once. */
  async #eligible({ terms, requesters }: Approval, verdict: Decide['verdict']): Promise<Pick<Decide, 'eligible'>> {
    if (terms.quorum === 1 || verdict === 'reject') return {};
    const people = await this.#acting.parts.ports.directory.deciders(scopesOf({ terms }));
    if (people === undefined) return { eligible: 'unknown' };
    return {
      eligible: terms.selfApproval === 'with_reason' ? people : people.filter(each => !requesters.includes(each)),
    };
  }

  async answer(act: Act, { question: id, ...answer }: Arguments<'answer'>): Promise<Answer> {
    const acting = this.#acting;
    const [session, workspace] = await Promise.all([acting.fresh(act.thread), acting.parts.workspace.recent()]);
    const actor = await acting.actor(act.actor, at(session.thread.questions, id)?.scopes ?? []);
    return acting.commit(session, () => ({
      type: 'answer',
      question: id,
      ...answer,
      key: act.key,
      actor,
      workspace,
      ...acting.take(session),
    }));
  }

  /** An approver asks the requester something about a request. */
  async inquire(act: Act, inquiry: Arguments<'inquire'>): Promise<Answer> {
    const acting = this.#acting;
    const session = await acting.fresh(act.thread);
    const actor = await acting.actor(act.actor, scopesOf(at(session.thread.approvals, inquiry.approval)));
    const card = await acting.card(session, act, { approval: inquiry.approval });
    return acting.commit(session, { type: 'inquire', ...inquiry, key: act.key, actor, card });
  }

  async settle(act: Act, doubt: Arguments<'settle'>): Promise<Answer> {
    const acting = this.#acting;
    const session = await acting.fresh(act.thread);
    const { thread } = session;
    const call = at(thread.calls, doubt.call);
    const run = call && at(thread.runs, call.run);
    const approval = call && approvalOf(thread, call);
    const defaults = acting.parts.ports.policy.defaults.scopes;
    const actor = await acting.actor(act.actor, approval ? scopesOf(approval) : defaults);
    const of = approval ? { approval: approval.id } : { execution: executionId(doubt.call, doubt.attempt) };
    const card = await acting.card(session, act, of);
    const looks = doubt.as === 'not_run' && call && run;
    const evidence = looks ? await callEvidence(acting.parts, thread, run, call, NEVER) : null;
    const workspace = await acting.parts.workspace.recent();
    const command: Settle = { type: 'settle', ...doubt, key: act.key, actor, card, workspace, defaults, evidence };
    return acting.commit(session, command);
  }

  /** Stops a call that runs. */
  async stop(act: Act, id: CallId): Promise<Answer> {
    const acting = this.#acting;
    const session = await acting.fresh(act.thread);
    const call = at(session.thread.calls, id);
    const approval = call && approvalOf(session.thread, call);
    const defaults = acting.parts.ports.policy.defaults.scopes;
    const actor = await acting.actor(act.actor, approval ? scopesOf(approval) : defaults);
    return acting.commit(session, { type: 'stop', call: id, actor, defaults, key: act.key });
  }

  cancel(act: Act, run: RunId, source: Cancel['source'] = 'button'): Promise<Answer> {
    return this.#cancel(act, run, source);
  }

  /** Cancels the run in progress, as Slack's own Stop. */
  async stopThread(thread: ThreadKey, actor: Person, key: string): Promise<Answer> {
    const session = await this.#acting.fresh(thread);
    const run = currentRun(session.thread);
    if (run) return this.#cancel({ thread, actor, key }, run.id, 'stop');
    return this.#acting.answer(session, { refusal: { code: 'nothing_to_do', actor: actor.user } });
  }

  /** Cancels the run during which the message arrived; the message starts the next one. */
  async useInstead(act: Act, message: MessageTs): Promise<Answer> {
    const session = await this.#acting.fresh(act.thread);
    const run = at(session.thread.messages, message)?.meanwhile;
    if (run) return this.#cancel(act, run, 'instead');
    return this.#acting.answer(session, { refusal: { code: 'not_found', actor: act.actor.user } });
  }

  async keepWaiting(act: Act, message: MessageTs): Promise<Answer> {
    const session = await this.#acting.fresh(act.thread);
    const actor = await this.#acting.actor(act.actor, []);
    return this.#acting.commit(session, { type: 'keep', message, actor });
  }

  async askAgain(act: Act, call: CallId): Promise<Answer> {
    const session = await this.#acting.fresh(act.thread);
    const actor = await this.#acting.actor(act.actor, []);
    const agent = at(session.thread.runs, at(session.thread.calls, call)?.run ?? '')?.agent ?? '';
    return this.#acting.commit(session, { type: 'askAgain', call, actor, agent });
  }

  async #cancel(act: Omit<Act, 'place'>, run: RunId, source: Cancel['source']): Promise<Answer> {
    const session = await this.#acting.fresh(act.thread);
    const actor = await this.#acting.actor(act.actor, []);
    return this.#acting.commit(session, { type: 'cancel', run, actor, key: act.key, source });
  }
}
