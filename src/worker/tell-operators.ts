/**
 * Owns what of a thread operators must know: doubts, approved calls that do not run, spent budgets, requests that nobody may
 * decide, outcomes that contradict what people said. Each is one trouble per cause, over when the cause is.
 */
import { isCopyKey, shortId, type ThreadKey } from '../thread/ids.ts';
import type { TroubleAbout } from '../thread/workspace.ts';
import { approvalOf, at, liveRuns, type Call, type Run, type Thread } from '../thread/thread.ts';
import type { Operators, Ports } from './ports.ts';
import type { WorkerSettings } from './settings.ts';

interface Teller {
  readonly gate: { readonly ports: Pick<Ports, 'operators' | 'clock'> };
  readonly settings: Pick<WorkerSettings, 'approvedNotRunMs'>;
}

/** Reports what is so in the thread's live runs, and takes back what is over. */
export function tellOperators({ gate: { ports }, settings }: Teller, thread: Thread): void {
  for (const run of liveRuns(thread)) {
    ofRun(ports.operators, run, thread.key);
    for (const call of run.calls.flatMap(id => at(thread.calls, id) ?? [])) {
      ofCall(ports.operators, thread, call);
      overdue(ports, settings, thread, call);
    }
  }
}

function ofRun(operators: Operators, run: Run, { channel, ts }: ThreadKey): void {
  const cause = `budget ${run.agent}`;
  if (run.end?.how === 'exhausted') operators.report(cause, 'budget', run.end.code ?? '', { channel, ts });
  if (run.end?.how === 'succeeded') operators.resolved(cause);
}

/** What a request that waits lacks, as the trouble that it is. */
const LACKS = [
  ['no_approvers', 'waits_for_nobody'],
  ['quorum_impossible', 'waits_for_too_few'],
] as const;

const NOBODY = ['no_approvers', 'quorum_impossible'] as const;

/** The card of a call, else its thread; with the id by which people call it. */
function placeOf(thread: Thread, call: Call): TroubleAbout {
  const id = call.approval ?? call.id;
  const cards = Object.values(thread.posts).filter(
    ({ key, ts }) => ts !== null && !isCopyKey(key) && isCardOf(key, call),
  );
  const { channel, ts } = cards.at(-1) ?? thread.key;
  return { channel, ...(ts === null ? {} : { ts }), short: shortId(id) };
}

const isCardOf = (key: string, { id, approval }: Call): boolean =>
  key.startsWith(`doubt/${id}.`) || (approval !== null && key.startsWith(`card/${approval}/`));

function ofCall(operators: Operators, thread: Thread, call: Call): void {
  const { state } = call;
  const summary = call.judgement?.summary ?? call.tool;
  const report = (cause: string, code: string): void => operators.report(cause, code, summary, placeOf(thread, call));
  const doubt = `in_doubt ${call.id}`;
  if (state.is === 'in_doubt') report(doubt, 'in_doubt');
  else operators.resolved(doubt);
  if (call.contradiction !== null) report(`contradiction ${call.id}`, 'contradiction');
  const lack = state.is === 'waiting' ? approvalOf(thread, call)?.lack : undefined;
  for (const [code, trouble] of LACKS) {
    if (lack?.fromMs === null && lack.code === code) report(`${trouble} ${call.id}`, trouble);
    else operators.resolved(`${trouble} ${call.id}`);
  }
  for (const code of NOBODY) {
    const cause = `${code} ${call.judgement?.rule ?? 'defaults'}`;
    if (state.is === 'refused' && state.code === code) report(cause, code);
    if (state.is === 'waiting') operators.resolved(cause);
  }
}

function overdue(
  { operators, clock }: Pick<Ports, 'operators' | 'clock'>,
  settings: Teller['settings'],
  thread: Thread,
  call: Call,
): void {
  const approval = approvalOf(thread, call);
  if (!approval) return;
  const cause = `approved_not_run ${approval.id}`;
  const sinceMs = approval.state.is === 'approved' && call.state.is === 'approved' ? approval.state.atMs : null;
  if (sinceMs !== null && clock.nowMs() - sinceMs >= settings.approvedNotRunMs)
    operators.report(cause, 'approved_not_run', approval.summary, placeOf(thread, call));
  else operators.resolved(cause);
}
