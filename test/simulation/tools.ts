/**
 * Owns the tools of a simulated world and what they did to it.
 *
 * 1. A call starts in the moment in which it is handed over. 2. What it does happens at one moment before `endsByMs`, whether
 * the process that asked is paused or not; with the process dies its tool, unless it was just about to act or what it does
 * was on its way already. 3. A tool that is marked idempotent acts once per key. 4. A step acts by itself, once it stands in
 * the log that it has begun.
 */
import type { Facts, Json } from '../../src/thread/events.ts';
import type { CallEvidence } from '../../src/thread/evidence.ts';
import type { CallId, ExecutionId } from '../../src/thread/ids.ts';
import type { Execution, ToolOutcome, Tools } from '../../src/worker/ports.ts';
import type { Counters } from './counters.ts';
import type { Knobs } from './knobs.ts';
import type { Dice } from './random.ts';
import { definitionOf, factsOf, isIdempotent, isRead, TIMEOUT_MS, type Rules } from './rules.ts';
import { WORLD, type Owner, type Scheduler } from './scheduler.ts';
import { nextMove } from './waiting.ts';
import type { Wire } from './wire.ts';

/** Something that a tool did to the world. */
export interface Effect {
  readonly execution: ExecutionId;
  readonly call: CallId;
  readonly tool: string;
  /** The step in which it happened; empty for a tool without steps. */
  readonly step: string;
  readonly atMs: number;
}

/** What the tools' side of the world is now, and what was done to it. */
export class Workshop {
  /** Binding facts by tool. */
  readonly facts: Record<string, number> = {};
  /** Tools that do not take their arguments any more. */
  readonly refusing = new Set<string>();
  readonly effects: Effect[] = [];
  readonly #keys = new Set<CallId>();

  /** True when the effect counts; an idempotent tool acts once per key. */
  act(effect: Effect): boolean {
    if (isIdempotent(effect.tool) && this.#keys.has(effect.call)) return false;
    this.#keys.add(effect.call);
    this.effects.push(effect);
    return true;
  }

  bindOf(tool: string): Facts {
    return isRead(tool) ? {} : { revision: this.facts[tool] ?? 1 };
  }
}

export interface SimToolsParts {
  readonly owner: Owner;
  readonly scheduler: Scheduler;
  readonly wire: Wire;
  readonly dice: Dice;
  readonly knobs: () => Knobs['tools'];
  readonly counters: Counters;
  readonly workshop: Workshop;
  /** What the process read at its start. */
  readonly rules: Rules;
  /** The process's own clock, by which it reckons `endsByMs`. */
  readonly nowMs: () => number;
  readonly started: (execution: Execution) => void;
  readonly acted: (effect: Effect) => void;
  /** A look at the world gave these binding facts. */
  readonly inspected: (tool: string, bind: Facts) => void;
}

/** What becomes of what a tool is about to do when its process dies. */
type LastAct = 'now' | 'on_its_way' | 'never';

interface Running {
  readonly kill: (last: LastAct) => void;
}

/** What is on its way when its process dies has happened so long before the call's time is over. */
const SURELY_BY_MS = 2_000;

export class SimTools implements Tools {
  readonly #parts: SimToolsParts;
  readonly #running = new Set<Running>();

  constructor(parts: SimToolsParts) {
    this.#parts = parts;
  }

  offered(): readonly [] {
    return [];
  }

  facts(name: string): ReturnType<Tools['facts']> {
    return factsOf(this.#parts.rules, name);
  }

  definitions(): ReturnType<Tools['definitions']> {
    return Object.entries(this.#parts.rules.tools).map(([tool, version]) => ({
      tool,
      server: 'builtin',
      digest: definitionOf(tool, version),
      definition: { tool, version },
    }));
  }

  inspect(name: string, args: Json): Promise<CallEvidence['inspection']> {
    const { wire, dice, knobs, workshop, nowMs, inspected } = this.#parts;
    const mostMs = dice.chance(knobs().slow) ? 4_000 : 20;
    const fails = dice.chance(knobs().uninspected);
    return wire.send(`inspect ${name}`, { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) }, () => {
      if (fails) return { ok: false, code: 'inspect_failed', detail: 'The world did not answer.' } as const;
      if (workshop.refusing.has(name))
        return { ok: false, code: 'invalid_arguments', detail: 'Not any more.' } as const;
      inspected(name, workshop.bindOf(name));
      return {
        ok: true,
        args,
        summary: `Do ${name} ${JSON.stringify(args)}`,
        impact: null,
        bind: workshop.bindOf(name),
        note: { at: nowMs() },
        atMs: nowMs(),
      } as const;
    });
  }

  /** What the call did to the world is plain to see, or it is not. */
  check(name: string, key: CallId): ReturnType<Tools['check']> {
    const { wire, dice, knobs, workshop } = this.#parts;
    const mostMs = dice.chance(knobs().slow) ? 4_000 : 20;
    const unknown = dice.chance(0.3);
    return wire.send(`check ${name}`, { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) }, () =>
      unknown ? 'unknown' : workshop.effects.some(effect => effect.call === key) ? 'ran' : 'not_run',
    );
  }

  /** Starts at once; resolves with the outcome while the process lives. */
  execute(execution: Execution): Promise<ToolOutcome> {
    this.#parts.started(execution);
    // A step of a call that is over goes no further, and with it its tool; what it did until then it did.
    return this.#moves(execution).catch(() => ({ how: 'failed', effect: 'possible', code: 'tool_error', result: '' }));
  }

  async #moves(execution: Execution): Promise<ToolOutcome> {
    let steps = execution.steps;
    for (;;) {
      const move = nextMove({ ...execution, steps });
      if (move.do === 'end') return this.#soon(execution, move.outcome);
      if (move.do === 'act') return this.#act(execution, '');
      await execution.beginStep(move.name);
      const outcome = await this.#act(execution, move.name);
      if (outcome.how !== 'succeeded') return outcome;
      await execution.stepDone(move.name, 1);
      steps = { ...steps, [move.name]: 1 };
    }
  }

  #act(execution: Execution, step: string): Promise<ToolOutcome> {
    const { dice, knobs, nowMs } = this.#parts;
    const limitMs = Math.max(0, Math.min(TIMEOUT_MS, execution.endsByMs - nowMs()));
    const plan = planOf(dice, knobs(), limitMs);
    return new Promise(resolve => this.#run(execution, step, plan, limitMs, resolve));
  }

  #soon(execution: Execution, outcome: ToolOutcome): Promise<ToolOutcome> {
    const { owner, scheduler, dice } = this.#parts;
    return new Promise(resolve => {
      scheduler.after(owner, dice.spread(50), `${execution.tool} waits`, () => resolve(outcome));
    });
  }

  /** What the process's end means for its tools: they are killed, some while they act, some when they have asked others to. */
  kill(): void {
    const { dice } = this.#parts;
    for (const running of this.#running) running.kill(dice.weighed({ now: 3, on_its_way: 3, never: 4 }));
  }

  #run(execution: Execution, step: string, plan: Plan, limitMs: number, resolve: (outcome: ToolOutcome) => void): void {
    const { owner, scheduler, dice } = this.#parts;
    const { tool, signal } = execution;
    let acted = false;
    let over = false;
    const act = (): void => {
      if (acted || over || isRead(tool)) return;
      acted = true;
      this.#acts(execution, step);
    };
    const end = (outcome: ToolOutcome): void => {
      if (over) return;
      over = true;
      stopActing();
      for (const stop of timers) stop();
      this.#running.delete(running);
      scheduler.after(owner, dice.spread(20), `${tool} returns`, () => resolve(outcome));
    };
    const killed = (code: string): void =>
      end({ how: 'failed', effect: isRead(tool) ? 'none' : 'possible', code, result: '' });
    const stopActing =
      plan.actsInMs === null ? () => undefined : scheduler.after(WORLD, plan.actsInMs, `${tool} acts`, act);
    const timers = [
      scheduler.after(owner, Math.floor(plan.endsInMs / 2), `${tool} says how far it is`, () =>
        execution.progress('half done'),
      ),
      scheduler.after(WORLD, plan.endsInMs, `${tool} ends`, () => end(plan.outcome)),
      scheduler.after(WORLD, limitMs, `${tool} is killed`, () => killed('timed_out')),
    ];
    const running: Running = {
      kill: last => {
        for (const stop of timers) stop();
        this.#running.delete(running);
        if (last === 'on_its_way' && plan.actsInMs !== null && plan.actsInMs < limitMs - SURELY_BY_MS) return;
        if (last === 'now' && plan.actsInMs !== null) act();
        over = true;
        stopActing();
      },
    };
    this.#running.add(running);
    const abort = (): void => {
      if (dice.chance(0.3) && plan.actsInMs !== null) act();
      killed('aborted');
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }

  #acts({ execution, call, tool }: Execution, step: string): void {
    const { workshop, scheduler, owner, acted } = this.#parts;
    const effect = { execution, call, tool, step, atMs: scheduler.nowMs };
    if (!workshop.act(effect)) return;
    scheduler.say(owner, () => `EFFECT of ${tool} ${step} ${execution}`);
    acted(effect);
  }
}

interface Plan {
  readonly actsInMs: number | null;
  readonly endsInMs: number;
  readonly outcome: ToolOutcome;
}

/** What a tool will do, unless it is stopped. */
function planOf(dice: Dice, knobs: Knobs['tools'], limitMs: number): Plan {
  const endsInMs = dice.spread(dice.chance(knobs.slow) ? limitMs * 1.5 : 2_000);
  const actsInMs = dice.between(0, endsInMs);
  if (!dice.chance(knobs.fails))
    return { actsInMs, endsInMs, outcome: { how: 'succeeded', effect: 'done', result: 'done' } };
  if (dice.chance(0.5))
    return { actsInMs: null, endsInMs, outcome: { how: 'failed', effect: 'none', code: 'tool_error', result: 'No.' } };
  const outcome: ToolOutcome = { how: 'failed', effect: 'possible', code: 'exit_code', result: 'Half.' };
  return { actsInMs: dice.chance(0.5) ? actsInMs : null, endsInMs, outcome };
}
