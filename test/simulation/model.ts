/** Owns the model of a simulated world: it asks for a few calls, then answers; sometimes it is slow, away, or refuses. */
import type { CallId } from '../../src/thread/ids.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../src/worker/ports.ts';
import type { Counters } from './counters.ts';
import type { Knobs } from './knobs.ts';
import type { Dice } from './random.ts';
import { TOOLS } from './rules.ts';
import type { Scheduler, Owner } from './scheduler.ts';

export interface SimModelParts {
  readonly owner: Owner;
  readonly scheduler: Scheduler;
  readonly dice: Dice;
  readonly knobs: () => Knobs['model'];
  readonly counters: Counters;
}

/** Longest time that a model takes; the lease is longer. */
const MOST_MS = 280_000;

const ASKED = ['run', 'drop', 'mail', 'self', 'late', 'poke', 'gift', 'ask', 'way', 'task'] as const;
/** What an agent that works for another asks for. */
const HELPER = ['run', 'poke', 'ask', 'gift', 'way'] as const;
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
    const tookMs = dice.spread(dice.chance(knobs().slow) ? MOST_MS : 3_000);
    const answer = this.#answer(request);
    return new Promise(resolve => {
      const aborted = (): void => {
        stop();
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

  #answer(request: ModelRequest): ModelAnswer {
    const { dice, knobs } = this.#parts;
    if (dice.chance(knobs().away)) return { away: 'model_away' };
    if (dice.chance(knobs().refuses)) return { refused: 'model_refused', detail: 'No.' };
    const said = request.conversation.findLastIndex(turn => turn.kind === 'message');
    const turns = request.conversation.slice(said + 1).filter(turn => turn.kind === 'reply').length;
    const done = turns >= 4 || (turns > 0 && dice.chance(0.5)) || dice.chance(0.05);
    const calls = done
      ? []
      : Array.from({ length: dice.pick([1, 1, 1, 2, 2, 3]) }, () => this.#call(request.agent === 'helper'));
    return {
      reply: {
        model: 'simulated',
        text: done ? `Done ${turns}.` : 'I will.',
        calls,
        usage: { input: 100, output: 10 },
      },
    };
  }

  #call(isHelper: boolean): { tool: string; args: string } {
    const { dice } = this.#parts;
    const tool = dice.pick(isHelper ? HELPER : dice.chance(0.7) ? ASKED : TOOLS);
    if (dice.chance(0.03)) return { tool, args: '{not json' };
    const text = tool === 'drop' ? { text: LONG } : {};
    return { tool, args: JSON.stringify({ n: dice.between(1, 4), ...text }) };
  }
}

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
