/** Owns what a record says of attempts and doubts where only the folded call is known. Pure. */
import type { Call, Claim, Ending } from '../call.ts';
import { attemptOf } from '../ids.ts';
import type { Doubt, Ran } from './doc.ts';

/** An attempt of which no more is known than its claim. */
export const claimedAs = (
  call: Call,
  claim: Pick<Claim, 'execution' | 'attempt' | 'holder' | 'atMs'>,
  how: Ran['how'],
): Ran => ({
  execution: claim.execution,
  attempt: claim.attempt,
  key: call.id,
  holder: claim.holder,
  claimedAtMs: claim.atMs,
  startedAtMs: null,
  endedAtMs: null,
  how,
  code: null,
  effect: null,
  result: null,
  text: null,
  late: false,
});

const endedAs = (call: Call, ending: Ending, late: boolean): Ran => ({
  execution: ending.execution,
  attempt: attemptOf(ending.execution),
  key: call.id,
  holder: null,
  claimedAtMs: null,
  startedAtMs: ending.startedAtMs,
  endedAtMs: ending.endedAtMs,
  how: ending.how,
  code: ending.code,
  effect: ending.effect,
  result: ending.blob && { digest: ending.blob.digest, bytes: ending.blob.bytes, blob: ending.blob.id },
  text: ending.result,
  late,
});

/** The attempts that the call's state tells of. */
export function ranOf(call: Call): Ran[] {
  const { state, contradiction } = call;
  const late = contradiction === null ? [] : [endedAs(call, contradiction, true)];
  switch (state.is) {
    case 'claimed':
      return [claimedAs(call, state.claim, 'open'), ...late];
    case 'suspended':
      return [claimedAs(call, state.claim, 'suspended'), ...late];
    case 'in_doubt':
    case 'settled':
      return [claimedAs(call, state.claim, 'in_doubt'), ...late];
    case 'ended':
      return state.ending.execution === contradiction?.execution ? late : [endedAs(call, state.ending, false), ...late];
    default:
      return late;
  }
}

/** Late reports of processes that ended a doubt. */
export const reportedOf = ({ doubtEnds = [] }: Call): Doubt[] =>
  doubtEnds.flatMap(({ how, as, execution, atMs }): Doubt[] =>
    how === 'reported' && as !== 'abandoned' ? [{ is: 'reported', execution, atMs, as }] : [],
  );

/** What people said of earlier attempts. */
const saidOf = ({ doubtEnds = [], state }: Call): Doubt[] =>
  doubtEnds.flatMap(({ by, as, execution, atMs }): Doubt[] =>
    by === null || (state.is === 'settled' && state.claim.execution === execution)
      ? []
      : [{ is: 'said', execution, atMs, as, by }],
  );

/** The doubt that stands, what the tool itself said of it, and who or what ended each. */
export function doubtsOf(call: Call): Doubt[] {
  const { state, checked } = call;
  const doubts: Doubt[] = [];
  if (state.is === 'in_doubt')
    doubts.push({ is: 'in_doubt', execution: state.claim.execution, atMs: state.sinceMs, lastSign: state.lastSign });
  if (checked) doubts.push({ is: 'checked', ...checked });
  if (state.is === 'settled') {
    const { as, by, name, atMs, claim } = state;
    doubts.push({ is: 'said', execution: claim.execution, atMs, as, by: { id: by, name } });
  }
  return [...saidOf(call), ...reportedOf(call), ...doubts];
}
