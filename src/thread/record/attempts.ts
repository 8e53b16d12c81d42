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

/** The doubt that stands, what the tool itself said of it, and how people settled it. */
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
  return doubts;
}
