/**
 * Owns the work that is measured, one turn: a person writes, a safe tool gives 1,024 bytes, a sensitive call with 300 bytes
 * of arguments waits for an approval and runs, 500 bytes of answer. No text repeats, within a turn or between turns, so that
 * compression gets no more out of it than it does of prose.
 */

const RESULT_BYTES = 1_024;
const ARGUMENT_BYTES = 300;
const ANSWER_BYTES = 500;

export interface Turn {
  readonly question: string;
  readonly order: string;
  /** JSON of exactly 300 bytes, no value longer than a card shows whole. */
  readonly refund: string;
  readonly answer: string;
}

const ONSETS = 'b c d f g h j k l m n p r s t v w z br ch dr fl gr kl pl sh st tr'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');

/** The same words for the same seed (mulberry32). */
function* words(seed: number): Generator<string, never> {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  for (;;) {
    let word = '';
    for (let syllables = 1 + below(3); syllables > 0; syllables -= 1)
      word += `${ONSETS[below(ONSETS.length)] ?? ''}${VOWELS[below(VOWELS.length)] ?? ''}`;
    yield word;
  }
}

/** Text of exactly so many bytes. */
function prose(bytes: number, seed: number): string {
  let text = '';
  for (const word of words(seed)) {
    text += `${word} `;
    if (text.length > bytes) return `${text.slice(0, bytes - 1)}.`;
  }
  return text;
}

const seedOf = (thread: number, index: number, part: number): number => (thread * 1_009 + index) * 8 + part;

/** The number of a turn as the model finds it in the conversation. */
export const tagOf = (text: string): { thread: number; index: number } | undefined => {
  const [, thread, index] = /\(turn (\d+)\.(\d+)\)/.exec(text) ?? [];
  return thread === undefined || index === undefined ? undefined : { thread: Number(thread), index: Number(index) };
};

/** What a message has in it whose turn begins with a question to who wrote it. */
export const ASKS_FIRST = '(which?)';

/** The `index`-th turn of a thread, from 1. */
export function turnOf(thread: number, index: number): Turn {
  const order = `ORD-${String(thread).padStart(4, '0')}-${String(index).padStart(4, '0')}`;
  const empty = JSON.stringify({ note: '', order, reason: '' });
  const reason = prose(110, seedOf(thread, index, 5));
  const note = prose(ARGUMENT_BYTES - empty.length - reason.length, seedOf(thread, index, 2));
  return {
    order,
    question: `Refund ${order}, the customer says ${prose(60, seedOf(thread, index, 1))} (turn ${thread}.${index})`,
    refund: JSON.stringify({ note, order, reason }),
    answer: prose(ANSWER_BYTES, seedOf(thread, index, 3)),
  };
}

/** What the safe tool gives. */
function lookedUp(order: string): string {
  const [, thread = '0', index = '0'] = order.split('-');
  return prose(RESULT_BYTES, seedOf(Number(thread), Number(index), 4));
}

/** A point of time; differences of two count. */
export interface Spent {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export function spent(): Spent {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}

/** What the two tools did; whoever is measured calls them. */
export class Effects {
  lookups = 0;
  refunds = 0;
  /** When the sensitive tool was entered: on the monotonic clock, and in processor time of this process (ms). */
  refundedAt = spent();
  argumentBytes = 0;

  lookup = (order: string): string => {
    this.lookups += 1;
    return lookedUp(order);
  };

  refund = (args: unknown): string => {
    this.refundedAt = spent();
    this.refunds += 1;
    this.argumentBytes = Buffer.byteLength(JSON.stringify(args));
    return `Refunded, receipt RF-${this.refunds}.`;
  };
}

/** A turn that waits for its click. */
export interface Click {
  /** The click; resolves once everything of the turn is written. */
  approve(): Promise<void>;
  /** The answer as it is on record. */
  answer(): Promise<string>;
}

/** Whoever does the work: the software, or the floor beside it. */
export interface Subject {
  readonly name: string;
  /** Brings a turn to where it waits for an approval, in a process object of its own. */
  pause(thread: number, turn: Turn): Promise<void>;
  /** Twenty minutes pass in which nobody decides; what is done meanwhile is not on the turn's path. */
  wait(): Promise<void>;
  /** Another process object, which has started and knows nothing of the thread. */
  open(thread: number, index: number): Promise<Click>;
  /** Half a day passes until the next turn; what was left for later is done. */
  rest(): Promise<void>;
}
