/**
 * Owns the model of a simulated world: it asks for a few calls, at times for the like of one before, then answers; sometimes it
 * is slow, away, or refuses. What it writes can be read while it grows; now and then that breaks off or turns out otherwise.
 */
import type { CallId } from '../../src/thread/ids.ts';
import type { Model, ModelAnswer, ModelReply, ModelRequest } from '../../src/worker/ports.ts';
import type { Counters } from './counters.ts';
import type { Knobs, Theme } from './knobs.ts';
import type { Dice } from './random.ts';
import { TOOLS } from './rules.ts';
import type { Scheduler, Owner } from './scheduler.ts';

export interface SimModelParts {
  readonly owner: Owner;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly theme: Theme;
  readonly knobs: () => Knobs['model'];
  readonly counters: Counters;
}

/** Longest time that a model takes; the lease is longer. */
const MOST_MS = 280_000;

/** A text that takes this long can be read while it grows. */
const WRITES_FROM_MS = 1_500;
/** What a model writes that has to begin anew, or that thinks better of it. */
const OTHERWISE = 'Let me see, this will take a while, and there is more to it than one would think. ';

/** What is asked for most, by what a world is about. */
const ASKED: Readonly<Record<Theme, readonly string[]>> = {
  mixed: ['run', 'drop', 'mail', 'self', 'late', 'poke', 'gift', 'pair', 'ask', 'plan', 'way', 'task'],
  edits: ['run', 'pair', 'pair', 'gift'],
  grants: ['gift'],
  questions: ['ask', 'plan', 'way'],
  agents: ['task'],
  doubts: ['mail', 'poke', 'poke', 'again', 'run'],
};
/** What an agent that works for another asks for. */
const HELPER = ['run', 'poke', 'ask', 'plan', 'gift', 'way', 'poke', 'ask', 'task'] as const;
/** Too long for a card, so that a form is needed. */
const LONG = 'word '.repeat(500).trim();

export class SimModel implements Model {
  readonly #parts: SimModelParts;

  constructor(parts: SimModelParts) {
    this.#parts = parts;
  }

  reply(request: ModelRequest): Promise<ModelAnswer> {
    const { scheduler, owner, dice, knobs, counters } = this.#parts;
    checkRequest(request, counters);
    const isSlow = dice.chance(knobs().slow);
    const tookMs = dice.chance(0.2) ? dice.between(1_500, 9_000) : dice.spread(isSlow ? MOST_MS : 3_000);
    const answer = this.#answer(request);
    const stopWriting = this.#write(request, answer, tookMs);
    return new Promise(resolve => {
      const aborted = (): void => {
        stop();
        stopWriting();
        scheduler.after(owner, dice.spread(50), 'model aborted', () => resolve({ away: 'aborted' }));
      };
      const stop = scheduler.after(owner, tookMs, 'model answers', () => {
        request.signal.removeEventListener('abort', aborted);
        resolve(answer);
      });
      if (request.signal.aborted) aborted();
      else request.signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Lets the answer be read while it grows; returns how to break that off. */
  #write({ onText }: ModelRequest, answer: ModelAnswer, tookMs: number): () => void {
    const { scheduler, owner, dice, counters } = this.#parts;
    if (!onText || tookMs < WRITES_FROM_MS) return () => undefined;
    const other = !('reply' in answer) || dice.chance(0.2);
    const text = other ? OTHERWISE : answer.reply.text;
    counters.saw(other ? 'a text that grew otherwise than its answer' : 'a text that grew');
    const stops = [0.2, 0.4, 0.6, 0.8, 0.95].map(part =>
      scheduler.after(owner, Math.floor(tookMs * part), 'model writes', () =>
        onText(text.slice(0, Math.ceil(text.length * part))),
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  #answer(request: ModelRequest): ModelAnswer {
    const { dice, knobs, theme } = this.#parts;
    if (dice.chance(knobs().away)) return { away: 'model_away' };
    if (dice.chance(knobs().refuses)) return { refused: 'model_refused', detail: 'No.' };
    const said = request.conversation.findLastIndex(turn => turn.kind === 'message');
    const since = request.conversation.slice(said + 1);
    const turns = since.filter(turn => turn.kind === 'reply').length;
    const isLong = theme === 'grants' && knobs().done < 0.9;
    const done = turns >= (isLong ? 5 : 4) || dice.chance(turns === 0 ? 0.05 : isLong ? 0.1 : knobs().done);
    const before = since.flatMap(turn => (turn.kind === 'reply' ? turn.calls : []));
    const calls = done
      ? []
      : Array.from({ length: theme === 'grants' ? dice.pick([1, 2, 2]) : dice.pick([1, 1, 1, 2, 2, 3]) }, () =>
          this.#call(request.agent === 'helper', before),
        );
    return {
      reply: {
        model: 'simulated',
        text: done ? `Done ${turns}: ${'this is what came of it, '.repeat(4)}and no more.` : 'I will look into it now.',
        calls,
        usage: { input: 100, output: 10 },
      },
    };
  }

  #call(isHelper: boolean, before: readonly Asked[]): Asked {
    const { dice, theme } = this.#parts;
    const again = dice.chance(theme === 'grants' ? 0.75 : 0.15) ? dice.pick(before) : undefined;
    if (again) return { tool: again.tool, args: again.args };
    const tool = isHelper
      ? dice.pick(HELPER)
      : (dice.pick(dice.chance(0.75) ? ASKED[theme] : dice.chance(0.6) ? ASKED.mixed : TOOLS) ?? 'run');
    if (dice.chance(0.03)) return { tool, args: '{not json' };
    const text = tool === 'drop' ? { text: LONG } : {};
    const n = dice.between(1, tool === 'gift' ? 2 : 4);
    return { tool, args: JSON.stringify({ n, ...text }) };
  }
}

type Asked = ModelReply['calls'][number];

/** Invariant 11: each call that the model asked for has exactly one result, right behind it; those of its last turn are final. */
function checkRequest({ conversation }: ModelRequest, counters: Counters): void {
  let open: CallId[] = [];
  const answered = new Set<CallId>();
  const last = conversation.findLastIndex(turn => turn.kind === 'reply');
  const goesOn = last >= 0 && !conversation.slice(last).some(turn => turn.kind === 'message');
  for (const [index, turn] of conversation.entries()) {
    if (turn.kind !== 'result') {
      const missing = open;
      counters.holds('paired', missing.length === 0, () => `no result for ${missing.join(', ')}`);
      open = turn.kind === 'reply' ? turn.calls.map(call => call.id) : [];
      continue;
    }
    const { call, outcome } = turn;
    counters.holds('paired', open.includes(call) && !answered.has(call), () => `a second result for ${call}`);
    const undecided = ['waiting', 'starting', 'running', 'suspended', 'in_doubt'].includes(outcome.is);
    if (goesOn && index > last) counters.holds('paired', !undecided, () => `${call} is ${outcome.is}`);
    answered.add(call);
    open = open.filter(other => other !== call);
  }
  counters.holds('paired', open.length === 0, () => `no result for ${open.join(', ')}`);
}
