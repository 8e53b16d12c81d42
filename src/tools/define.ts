/**
 * Owns how a tool is written. `defineTool` is the whole of it for an author:
 *
 *     export const closeTicket = defineTool({
 *       name: 'close_ticket',
 *       description: 'Closes a ticket of the help desk.',
 *       parameters: z.object({ ticket: z.string().describe('Its number, such as HD-12.'), note: z.string().optional() }),
 *       effect: 'write',
 *       risk: 'medium',
 *       summary: ({ ticket }, facts) => `Close ${ticket} (now ${JSON.stringify(facts['state'])})`,
 *       inspect: async ({ ticket }, { signal }) => ({ bind: { state: await desk.state(ticket, signal) }, note: {} }),
 *       execute: async ({ ticket, note }, { key, bound, signal }) => desk.close({ ticket, note, key, was: bound, signal }),
 *     });
 *
 * 1. A tool never asks whether it may run, and cannot: the gate is in front of `execute`.
 * 2. `summary` and `impact` are code's own words about the arguments and facts; nothing of the model's goes on a card unquoted.
 * 3. Arguments reach the tool exactly as people were shown them. So parameters only check: no defaults, no coercions, no
 *    transforms (what should hold when something is left out, `execute` knows). Write what may be left out with
 *    `.optional()`; for the model it is required and may be null, because strict schemas refuse optional properties.
 *
 * A tool may wait for people from inside, for weeks and across restarts, and says what must not happen twice:
 *
 *     execute: async ({ route }, { ask, choose, approve, step }) => {
 *       const city = await ask('city', { prompt: 'From which city?', check: city => (known(city) ? null : `I know no ${city}.`) });
 *       const offers = await step('offers', () => airline.offers(city, route));
 *       const seat = await choose('seat', { prompt: 'Which seat?', options: offers.map(({ id, label }) => ({ value: id, label })) });
 *       const paid = await approve('pay', { summary: `Pay for seat ${seat}`, args: { seat } });
 *       return paid.approved ? step('book', () => airline.book(seat)) : `Not booked: ${paid.why}`;
 *     },
 *
 * 4. While it waits nothing of the tool runs or is kept in memory; with the answer, `execute` begins anew from its first line.
 *    So code outside steps runs again at each answer, and must change nothing. A step's result is kept, and the step is not
 *    done again; one that was interrupted or failed keeps nothing, and may have had its effect.
 * 5. Answers and results are found again by their names, never by their order. A name stands for one question: what is asked
 *    under it may not change between attempts. `Waits` in waiting.ts says what each of them takes and gives.
 * 6. What is begun without being awaited should be awaited before a question: the frame is dropped when it waits, and its
 *    `signal` aborts.
 */
import { z } from 'zod';
import { digestOf } from '../thread/digest.ts';
import { factsSchema, type Facts, type Json, type Risk } from '../thread/events.ts';
import type { CallId, Digest, UserId } from '../thread/ids.ts';
import { readArguments } from './arguments.ts';
import { jsonSchema, strict } from './schema.ts';
import type { Waits } from './waiting.ts';
import type { Agent } from '../worker/ports.ts';
import type { Language, Words } from './words.ts';

/** What `inspect` is given beside the arguments. */
interface InspectContext {
  readonly requester: UserId;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What `execute` is given beside the arguments; the waits among it may be taken out of it. */
export interface ExecuteContext extends Waits {
  /** The call's id: the same for every attempt, so that a system behind the tool can tell a repeat. */
  readonly key: CallId;
  readonly requester: UserId;
  /** The agent that made the call. */
  readonly agent: string;
  /** The binding facts that were approved; where the effect can be made conditional on them, make it so. */
  readonly bound: Facts;
  /** Aborted on cancel, freeze, stop and at the end of the call's time, and when the tool waits. Stop then, and throw. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left, counted from the start of `execute`. */
  readonly timeLeftMs: number;
  /** Says how far the work is, in one line; the last one is kept for a call that ends badly. */
  readonly progress: (line: string) => void;
}

/** What `inspect` found: `bind` must be equal again when the call runs, `note` is shown with its time and may change. */
export interface World {
  readonly bind: Facts;
  readonly note: Facts;
}

/** Answer to "did the call with this key happen?" */
type Checked = 'ran' | 'not_run' | 'unknown';

/**
 * Which agents a tool is offered to, and may be called by. `listed`: those whose patterns name it, and those that have no
 * patterns; `always`: all. A function decides by itself.
 */
type Offer = 'listed' | 'always' | ((agent: Agent) => boolean);

/** A tool as its author writes it; the head of this file has an example. */
export interface ToolDefinition<S extends z.core.$ZodLooseShape> {
  /** `[A-Za-z][A-Za-z0-9_-]{0,63}`, unique. */
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly parameters: z.ZodObject<S>;
  /** Where it comes from, as rules and records name it. Default `builtin`. */
  readonly server?: string;
  /** What else is part of the definition that was approved, as JSON; in its digest. */
  readonly covers?: Json;
  /** Which agents it is offered to. Default `listed`. */
  readonly offer?: Offer;
  /** `read`: changes nothing anywhere and may be run again at will. Anything else is `write`. */
  readonly effect: 'read' | 'write';
  readonly risk: Risk;
  /** Set for a write tool whose repeats with one key have one effect: it may then be attempted again after a crash. Default: false (read tools: true). */
  readonly idempotent?: boolean;
  /** How long `execute` may take; then it is aborted, and its result is dropped soon after. Default 30,000. */
  readonly timeoutMs?: number;
  /** True when `execute` itself makes its effect depend on `bound`. A write tool without it stands in the list of accepted gaps. Default false. */
  readonly conditional?: boolean;
  /** One line that says what will happen, e.g. `Close HD-12`. `facts` holds notes and binding facts. */
  readonly summary: (args: z.output<z.ZodObject<S>>, facts: Facts) => string;
  /** How bad it can get, in one or two sentences; null when there is nothing to say. */
  readonly impact?: (args: z.output<z.ZodObject<S>>, facts: Facts) => string | null;
  /** Reads the world and changes nothing. Throw a `ToolError` when the call makes no sense in it: then nobody is asked. */
  readonly inspect?: (args: z.output<z.ZodObject<S>>, context: InspectContext) => Promise<World>;
  /** After a crash: whether the call with this key happened. */
  readonly check?: (key: CallId, signal: AbortSignal) => Promise<Checked>;
  /** Does it; the text is the call's result for the model and the card. Throw a `ToolError` to say how it failed. */
  readonly execute: (args: z.output<z.ZodObject<S>>, context: ExecuteContext) => Promise<string>;
}

/** A call whose arguments fit: the tool's functions with the arguments put in. */
export interface FittingCall {
  readonly args: Json;
  summary(facts: Facts): string;
  impact(facts: Facts): string | null;
  inspect(context: InspectContext): Promise<World>;
  execute(context: ExecuteContext): Promise<string>;
}

/** Whether arguments fit a tool; `detail` is one sentence. */
type Fitting = { readonly ok: true; readonly call: FittingCall } | { readonly ok: false; readonly detail: string };

/** A defined tool, whatever its parameters. Made by `defineTool` only. */
export interface Tool {
  readonly name: string;
  readonly server: string;
  readonly offer: Offer;
  readonly description: string;
  readonly effect: 'read' | 'write';
  readonly risk: Risk;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  readonly conditional: boolean;
  /** The strict schema that the model gets. */
  readonly parameters: Json;
  /** Name, server, effect, risk and full schema; its digest stands in every call's digest. */
  readonly definition: Json;
  readonly digest: Digest;
  readonly check: ((key: CallId, signal: AbortSignal) => Promise<Checked>) | null;
  fit(args: Json, language: Language, say: Words): Fitting;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Tools of this process, as opposed to those of foreign servers. */
const SERVER = 'builtin';

/**
 * Makes a tool. Throws a TypeError for a name that cannot be used, and zod's error for parameters that JSON Schema cannot
 * express (transforms, dates): both at start, never while somebody waits.
 */
export function defineTool<S extends z.core.$ZodLooseShape>(definition: ToolDefinition<S>): Tool {
  const { name, effect, risk } = definition;
  if (!NAME.test(name)) throw new TypeError(`A tool's name is letters, digits, _ and -, at most 64, not "${name}".`);
  const schema = jsonSchema(definition.parameters);
  const { server = SERVER, covers } = definition;
  const whole = { name, server, effect, risk, schema, ...(covers === undefined ? {} : { covers }) };
  return {
    name,
    server,
    offer: definition.offer ?? 'listed',
    description: definition.description,
    effect,
    risk,
    idempotent: definition.idempotent ?? effect === 'read',
    timeoutMs: definition.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    conditional: definition.conditional ?? false,
    parameters: strict(schema),
    definition: whole,
    digest: digestOf(whole),
    check: definition.check ?? null,
    fit(args, language, say) {
      const read = readArguments({ parameters: definition.parameters, schema }, args, language, say);
      return read.ok ? { ok: true, call: withArguments(definition, read.args, read.given) } : read;
    },
  };
}

const worldSchema = z.object({ bind: factsSchema, note: factsSchema });

function withArguments<S extends z.core.$ZodLooseShape>(
  definition: ToolDefinition<S>,
  args: z.output<z.ZodObject<S>>,
  given: Json,
): FittingCall {
  return {
    args: given,
    summary: facts => definition.summary(args, facts),
    impact: facts => definition.impact?.(args, facts) ?? null,
    // Facts are digested and stored: what is not JSON is the tool's mistake, and is found here.
    inspect: async context =>
      definition.inspect ? worldSchema.parse(await definition.inspect(args, context)) : { bind: {}, note: {} },
    execute: context => definition.execute(args, context),
  };
}
