/** Owns the bugs that are planted to see the simulator catch them: for every invariant at least one. */
import { mutant, type Mutant } from './mutant.ts';
import { OF_WAITS } from './planted-waits.ts';

const OF_THE_MAIN_JOB: readonly Mutant[] = [
  mutant(
    'a requester approves their own request',
    ['entitled'],
    'src/thread/decide/rights.ts',
    `  if (approval.requesters.includes(actor.user) && approval.terms.selfApproval !== 'with_reason') return 'requester';\n`,
    '',
  ),
  mutant(
    'anybody of the organisation approves',
    ['entitled'],
    'src/thread/decide/rights.ts',
    `  return inside ? 'ok' : 'not_approver';\n`,
    `  return 'ok';\n`,
  ),
  mutant(
    'one person makes a quorum',
    ['entitled'],
    'src/thread/decide/decision.ts',
    'if (by.length >= approval.terms.quorum)',
    'if (by.length >= Math.min(1, approval.terms.quorum))',
  ),
  mutant(
    'votes of people who have lost their rights still count at the claim',
    ['entitled'],
    'src/thread/decide/claim.ts',
    'if (fallen.length > 0) return',
    'if (fallen.length > 99) return',
  ),
  mutant(
    'a click counts for the round that nobody has shown',
    ['entitled', 'same'],
    'src/thread/decide/decision.ts',
    'return round === approval.round ? undefined',
    'return round <= approval.round ? undefined',
  ),
  mutant(
    'the freeze is not looked at after the claim',
    ['entitled'],
    'src/worker/gate.ts',
    'await gate.workspace.tail();',
    'await gate.workspace.recent();',
  ),
  mutant(
    'a claim starts after its request has expired',
    ['entitled'],
    'src/worker/gate.ts',
    `  if (age >= deadlines.expiresInMs) return 'expired';\n`,
    `  if (age >= deadlines.expiresInMs + 1e9) return 'expired';\n`,
  ),
  mutant(
    'a lost claim is run again, whatever the tool',
    ['once', 'doubt'],
    'src/worker/effects.ts',
    'again: neverStarted || harmless,',
    'again: true,',
  ),
  {
    name: 'changed facts do not ask again',
    breaks: ['same'],
    edits: [
      {
        file: 'src/thread/decide/reask.ts',
        text: '  if (changes.length === 0) return undefined;\n',
        instead: '  if (changes.length < 99) return undefined;\n',
      },
      {
        file: 'src/thread/decide/claim.ts',
        text: 'if (now !== approval.digest) return',
        instead: 'if (now === approval.digest.toUpperCase()) return',
      },
    ],
  },
  mutant(
    'an outcome is recorded as often as it is reported',
    ['single', 'fold', 'chain', 'settles'],
    'src/worker/session.ts',
    '    this.#events = [];\n    this.#deferred = [];\n    this.#readAtMs',
    '    this.#readAtMs',
  ),
  mutant(
    'a second decision is recorded beside the first',
    ['single', 'entitled'],
    'src/thread/decide/decision.ts',
    `    case 'approved':\n      return { code: 'already_decided'`,
    `    case 'approved':\n      if (approval.votes.length < 2) return undefined;\n      return { code: 'already_decided'`,
  ),
  mutant(
    'a commit relies on an entry of the index that may be gone',
    ['settles'],
    'src/thread/wake.ts',
    'Math.max(neededMs - EARLY_MS, nowMs + LANDS_WITHIN_MS)',
    'neededMs - EARLY_MS - 0 * nowMs * LANDS_WITHIN_MS',
  ),
  mutant(
    'an update that Slack refused is not tried again',
    ['settles'],
    'src/slack/desired.ts',
    '    return again ? ',
    '    return again && failed === null ? ',
  ),
  {
    name: 'a lease that lapsed is taken over by nobody',
    breaks: ['settles'],
    edits: [
      {
        file: 'src/worker/leases.ts',
        text: `nowMs - seen.sinceMs >= lease.lengthMs) return 'free';`,
        instead: `nowMs - seen.sinceMs >= lease.lengthMs) return 'others';`,
      },
      {
        file: 'src/worker/leases.ts',
        text: `LAPSE_GRACE_MS ? 'free' : 'others';`,
        instead: `LAPSE_GRACE_MS * 1e9 ? 'free' : 'others';`,
      },
    ],
  },
  {
    name: 'a call in doubt is recovered like a lost claim',
    breaks: ['doubt', 'once', 'single'],
    edits: [
      {
        file: 'src/thread/next.ts',
        text: `    case 'in_doubt':\n`,
        instead: `      return [];\n    case 'in_doubt':\n      return [{ do: 'recover', key: 'again.' + call.id, call: call.id, execution: state.claim.execution }];\n`,
      },
      {
        file: 'src/worker/effects.ts',
        text: `if (call?.state.is !== 'claimed') return false;`,
        instead: `if (call?.state.is !== 'claimed' && call?.state.is !== 'in_doubt') return false;`,
      },
      {
        file: 'src/worker/effects.ts',
        text: 'again: neverStarted || harmless,',
        instead: `again: neverStarted || harmless || call.state.is === 'in_doubt',`,
      },
      {
        file: 'src/thread/decide/ending.ts',
        text: `if (!call || call.state.is !== 'claimed' || call.state.claim`,
        instead: `if (!call || (call.state.is !== 'claimed' && call.state.is !== 'in_doubt') || call.state.claim`,
      },
    ],
  },
  mutant(
    'a message is acknowledged although it could not be written',
    ['inputs'],
    'src/worker/intake.ts',
    'for (const { fail } of [...batch, ...(this.#waiting.get(session) ?? [])]) fail(error);',
    'for (const { settle } of [...batch, ...(this.#waiting.get(session) ?? [])]) settle(error !== undefined);',
  ),
  mutant(
    'of messages that wait together the last is forgotten',
    ['inputs', 'settles'],
    'src/thread/fold-run.ts',
    '  thread.queue = thread.queue.filter(ts => !taken.has(ts));',
    '  thread.queue = messages.length > 1 ? [] : thread.queue.filter(ts => !taken.has(ts));',
  ),
  mutant(
    'a claim that took too long still starts',
    ['late'],
    'src/worker/gate.ts',
    `  return age >= START_WITHIN_MS ? 'too_late' : undefined;`,
    `  return age >= 1e9 * START_WITHIN_MS ? 'too_late' : undefined;`,
  ),
  mutant(
    'a message is posted without a look for what may stand already',
    ['budget', 'settles'],
    'src/slack/pass.ts',
    'if (onlyIfThere || !this.#memory.isNew(message.key) || this.#memory.unsure.has(message.key)) {',
    'if (onlyIfThere) {',
  ),
  mutant(
    'a copy that was found is left as it is',
    ['budget'],
    'src/slack/copies.ts',
    `if (ts === except || at(this.#records.posts, copy)?.state === 'closed') continue;`,
    `if (ts === except || at(this.#records.posts, copy)?.state !== 'posted') continue;`,
  ),
  mutant(
    'nobody looks for what the process before had on its way',
    ['budget', 'settles'],
    'src/slack/reconciler.ts',
    'if (loose === null || loose.writer',
    'if (loose === null || loose.writer !== loose.writer.trim() || loose.writer.length > 0 || loose.writer',
  ),
  mutant(
    'a text that grew and that no answer took is left',
    ['budget', 'settles'],
    'src/slack/strays.ts',
    '  for (const stray of streams.strays({ ...thread, posts }, wanted)) againMs.push(...(await clear(parts, stray, job)));\n',
    '  streams.strays({ ...thread, posts }, wanted);\n',
  ),
  mutant(
    'a text that another process had let grow is left',
    ['budget'],
    'src/slack/reconciler.ts',
    '    memory.noteLeftStreams({ untilMs, looked: false });\n',
    '',
  ),
  mutant(
    'what was decided before it was written keeps its own time',
    ['fold'],
    'src/worker/session.ts',
    '    this.#backToLogged();\n    this.#foldCommits([result.won]);',
    '    this.#logged = undefined;\n    foldEvents(this.thread, events, result.won);\n    this.thread.head = { number: result.won.number, hash: result.won.hash, atMs: result.won.atMs };\n    this.#foldCommits([]);\n    this.#written = { number: result.won.number, hash: result.won.hash };',
  ),
  mutant(
    'the model is asked while calls of its turn are open',
    ['paired'],
    'src/thread/next.ts',
    '  if (waits) return [];\n',
    '  if (waits && situation.frozen) return [];\n',
  ),
  mutant(
    'the model is not told of calls that came to nothing',
    ['paired'],
    'src/worker/transcript.ts',
    '      for (const call of calls)\n',
    `      for (const call of calls.filter(one => one.state.is !== 'closed'))\n`,
  ),
  mutant(
    'a commit does not name the one before it',
    ['chain'],
    'src/worker/session.ts',
    'append(this.log, this.#written, all, wake)',
    `append(this.log, all.length > 5 ? { ...this.#written, hash: 'x' } : this.#written, all, wake)`,
  ),
  mutant(
    'a stop does not wait for the tools',
    ['stopped'],
    'src/worker/worker.ts',
    '    await this.idle();\n    late.abort();',
    '    late.abort();',
  ),
];

/** Every planted bug. */
export const MUTANTS: readonly Mutant[] = [...OF_THE_MAIN_JOB, ...OF_WAITS];
