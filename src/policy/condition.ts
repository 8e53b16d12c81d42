/**
 * Owns CEL: a condition is read once, every mistake in it is found then, and afterwards it answers yes, no, or why it
 * could not be evaluated. It never throws.
 *
 * 1. Only `true` is a yes. Anything that is neither true nor false is a failure, and the rule decides what that means.
 * 2. Patterns of `matches` are RE2: their time grows with the text, whatever the pattern.
 */
import { celEnv, celFunc, CelScalar, isCelError, parse, plan, run } from '@bufbuild/cel';
import { z } from 'zod';
import type { PolicyQuestion } from '../worker/ports.ts';
import { type ConditionProblem, unknownNames } from './condition-names.ts';
import { celValue, textOf } from './condition-values.ts';

export type { ConditionProblem } from './condition-names.ts';

/** What a condition says about one call. `cause` is one line. */
type Answer = { readonly holds: boolean } | { readonly failed: string };

/** A condition that has been read. */
export interface Condition {
  readonly source: string;
  readonly answer: (question: PolicyQuestion) => Answer;
}

type Parsed = ReturnType<typeof parse>;
type Expr = Parsed['expr'];

const environment = celEnv({
  funcs: [celFunc('text', [CelScalar.DYN], CelScalar.STRING, value => textOf(value))],
});

/** Reads a condition; every problem that can be seen without a call comes back at once. */
export function readCondition(source: string): { ok: Condition } | { problems: ConditionProblem[] } {
  try {
    const parsed = parse(source);
    const problems = eachOnce([...unknownNames(parsed), ...badPatterns(parsed)]);
    if (problems.length > 0) return { problems };
    const evaluate = plan(environment, parsed);
    return { ok: { source, answer: question => answer(() => evaluate(bindings(question))) } };
  } catch (error) {
    return { problems: [syntaxProblem(error, source)] };
  }
}

/** A mistake that is made at several places is told once, at the first of them. */
function eachOnce(problems: readonly ConditionProblem[]): ConditionProblem[] {
  const sorted = problems.toSorted((a, b) => a.offset - b.offset);
  return [...Map.groupBy(sorted, ({ text }) => text).values()].flatMap(same => same.slice(0, 1));
}

function answer(evaluate: () => unknown): Answer {
  try {
    const value = evaluate();
    if (typeof value === 'boolean') return { holds: value };
    if (isCelError(value)) return { failed: oneLine(value.message) };
    return { failed: 'it is neither true nor false' };
  } catch (error) {
    return { failed: oneLine(error instanceof Error ? error.message : String(error)) };
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);

const bindings = ({ tool, args, facts, requester, channel, thread }: PolicyQuestion) => ({
  tool: celValue({ name: tool.name, source: tool.server, effect: tool.effect, risk: tool.risk }),
  args: celValue(args),
  facts: celValue(facts),
  // Groups that could not be learnt are absent, so that a condition that reads them fails.
  requester: celValue(
    requester.groups === 'unknown' ? { id: requester.id } : { id: requester.id, groups: [...requester.groups] },
  ),
  channel,
  thread: celValue({ tainted: thread.tainted }),
});

const syntaxError = z.object({
  rawMessage: z.string(),
  found: z.exactOptional(z.string()),
  location: z.object({ start: z.object({ offset: z.number() }) }),
});

function syntaxProblem(error: unknown, source: string): ConditionProblem {
  const known = syntaxError.safeParse(error);
  if (!known.success) return { offset: 0, text: 'this is not a condition' };
  const { found, rawMessage, location } = known.data;
  const { offset } = location.start;
  if (found === undefined) return { offset, text: oneLine(rawMessage) };
  if (source.trim() === '') return { offset: 0, text: 'the condition is empty' };
  return { offset, text: found === '' ? 'the condition ends too early' : 'cannot be read from here on' };
}

/** Patterns of `matches` that stand in the condition as text and that RE2 does not take. */
function badPatterns(parsed: Parsed): ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  const positions = parsed.sourceInfo?.positions ?? {};
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isMatches(value)) {
      const pattern = value.args.at(-1);
      const written = pattern?.exprKind.case === 'constExpr' ? pattern.exprKind.value.constantKind : undefined;
      if (pattern && written?.case === 'stringValue') {
        const tried = run('"".matches(pattern)', { pattern: written.value });
        if (isCelError(tried))
          problems.push({ offset: positions[String(pattern.id)] ?? 0, text: oneLine(tried.message) });
      }
    }
    Object.values(value).forEach(visit);
  };
  visit(parsed.expr);
  return problems;
}

const isMatches = (value: object): value is { function: string; args: Expr[] } =>
  'function' in value && value.function === 'matches' && 'args' in value && Array.isArray(value.args);
