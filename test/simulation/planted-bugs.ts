/** Owns the bugs that `npm run test:mutants` plants: each a change of the product's text that breaks one invariant. */
import type { Invariant } from './counters.ts';

export interface PlantedBug {
  readonly says: string;
  readonly file: string;
  /** Every text must be found exactly as it stands, or the run fails. */
  readonly changes: readonly (readonly [text: string, instead: string])[];
  /** Any of these being broken counts as caught. */
  readonly breaks: readonly Invariant[];
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    says: 'anybody may approve',
    file: 'src/thread/decide/rights.ts',
    changes: [["  return inside ? 'ok' : 'not_approver';", "  return inside ? 'ok' : 'ok';"]],
    breaks: ['entitled'],
  },
  {
    says: 'a write whose process died is tried again',
    file: 'src/worker/effects.ts',
    changes: [['again: neverStarted || harmless', 'again: true']],
    breaks: ['once', 'doubt'],
  },
  {
    says: 'what runs is not what was shown',
    file: 'src/worker/gate.ts',
    changes: [['    args: call.args,', "    args: JSON.parse(JSON.stringify(call.args).replace(/\\d/, '8')),"]],
    breaks: ['same'],
  },
  {
    says: 'a message that is delivered twice is taken in twice',
    file: 'src/thread/decide/intake.ts',
    changes: [['at(thread.messages, message.ts) || ', '']],
    breaks: ['single'],
  },
  {
    says: 'a lease is given back as if every message were in line',
    file: 'src/worker/posts.ts',
    changes: [['synced: !this.#behind', 'synced: true']],
    breaks: ['settles'],
  },
  {
    says: 'a message that was not written is acknowledged',
    file: 'src/worker/inbox.ts',
    changes: [
      [
        'for (const { fail } of [...batch, ...(this.#waiting.get(session) ?? [])]) fail(error);',
        'for (const { settle } of [...batch, ...(this.#waiting.get(session) ?? [])]) settle(error !== null);',
      ],
    ],
    breaks: ['inputs'],
  },
  {
    says: 'a claim that lands late starts its tool',
    file: 'src/worker/gate.ts',
    changes: [
      [
        "return age >= START_WITHIN_MS ? 'too_late' : undefined;",
        "return age >= START_WITHIN_MS * 1e9 ? 'too_late' : undefined;",
      ],
    ],
    breaks: ['late', 'entitled', 'once'],
  },
  {
    says: 'nobody finds a message that was posted without an answer',
    file: 'src/slack/posting.ts',
    changes: [['      if (mark) marks.push(mark);', '      if (mark && marks.length < 0) marks.push(mark);']],
    breaks: ['budget'],
  },
  {
    says: 'the model is asked while calls have no result',
    file: 'src/thread/next.ts',
    changes: [['  if (waits) return effects;\n', '  if (waits && effects.length > 0) return effects;\n']],
    breaks: ['paired'],
  },
];
