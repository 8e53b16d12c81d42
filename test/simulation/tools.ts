/**
 * Owns the tools of a simulated world and what they did to it.
 *
 * 1. A call starts in the moment in which it is handed over. 2. What it does happens at one moment before `endsByMs`, whether
 * the process that asked is paused or not; with the process dies its tool, unless it was just about to act. 3. A tool that
 * is marked idempotent acts once per key.
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
import { beforeActing, STEP } from './waiting.ts';
import type { Wire } from './wire.ts';

/** Something that a tool did to the world. */
export interface Effect {
  readonly execution: ExecutionId;
  readonly call: CallId;
  readonly tool: string;
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

interface Running {
  readonly kill: (actsNow: boolean) => void;
}

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
    const { started, dice, knobs } = this.#parts;
    started(execution);
    const early = beforeActing(execution);
    if (early) return this.#soon(execution, early);
    const limitMs = Math.max(0, Math.min(TIMEOUT_MS, execution.endsByMs - this.#parts.nowMs()));
    const plan = planOf(dice, knobs(), limitMs);
    if (execution.tool !== 'ask') return new Promise(resolve => this.#run(execution, plan, limitMs, resolve));
    return this.#inStep(execution, plan, limitMs);
  }

  /** What it does is a step: it begins in the log, and is not done again once the log has it. */
  async #inStep(execution: Execution, plan: Plan, limitMs: number): Promise<ToolOutcome> {
    if (STEP in execution.steps) return { how: 'succeeded', effect: 'done', result: 'done before' };
    await execution.beginStep(STEP);
    const outcome = await new Promise<ToolOutcome>(resolve => this.#run(execution, plan, limitMs, resolve));
    if (outcome.how !== 'succeeded') return outcome;
    await execution.stepDone(STEP, 1);
    return beforeActing({ ...execution, steps: { [STEP]: 1 } }) ?? outcome;
  }

  #soon(execution: Execution, outcome: ToolOutcome): Promise<ToolOutcome> {
    const { owner, scheduler, dice } = this.#parts;
    return new Promise(resolve => {
      scheduler.after(owner, dice.spread(50), `${execution.tool} waits`, () => resolve(outcome));
    });
  }

  /** What the process's end means for its tools: they are killed, some while they act. */
  kill(): void {
    for (const running of this.#running) running.kill(this.#parts.dice.chance(0.3));
  }

  #run(execution: Execution, plan: Plan, limitMs: number, resolve: (outcome: ToolOutcome) => void): void {
    const { owner, scheduler, dice } = this.#parts;
    const { tool, signal } = execution;
    let acted = false;
    let over = false;
    const act = (): void => {
      if (acted || over || isRead(tool)) return;
      acted = true;
      this.#act(execution);
    };
    const end = (outcome: ToolOutcome): void => {
      if (over) return;
      over = true;
      for (const stop of timers) stop();
      this.#running.delete(running);
      scheduler.after(owner, dice.spread(20), `${tool} returns`, () => resolve(outcome));
    };
    const killed = (code: string): void =>
      end({ how: 'failed', effect: isRead(tool) ? 'none' : 'possible', code, result: '' });
    const timers = [
      ...(plan.actsInMs === null ? [] : [scheduler.after(WORLD, plan.actsInMs, `${tool} acts`, act)]),
      scheduler.after(owner, Math.floor(plan.endsInMs / 2), `${tool} says how far it is`, () =>
        execution.progress('half done'),
      ),
      scheduler.after(WORLD, plan.endsInMs, `${tool} ends`, () => end(plan.outcome)),
      scheduler.after(WORLD, limitMs, `${tool} is killed`, () => killed('timed_out')),
    ];
    const running: Running = {
      kill: actsNow => {
        if (actsNow && plan.actsInMs !== null) act();
        over = true;
        for (const stop of timers) stop();
        this.#running.delete(running);
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

  #act(execution: Execution): void {
    const { workshop, scheduler, owner, acted } = this.#parts;
    const effect = {
      execution: execution.execution,
      call: execution.call,
      tool: execution.tool,
      atMs: scheduler.nowMs,
    };
    if (!workshop.act(effect)) return;
    scheduler.say(owner, () => `EFFECT of ${execution.tool} ${execution.execution}`);
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
