/**
 * Owns the check that a condition uses only names that exist. The CEL library looks names up when it evaluates, which
 * would be too late: a misspelt name would quietly make a rule never match. So the parsed expression is walked once.
 */
import type { parse } from '@bufbuild/cel';
import { nearest } from './nearest.ts';

type Parsed = ReturnType<typeof parse>;
type Expr = Parsed['expr'];

/** What is wrong with a condition; `offset` counts UTF-16 units from its beginning. */
export interface ConditionProblem {
  readonly offset: number;
  readonly text: string;
}

/** What conditions see. Where the form is fixed, its keys; null where the call decides them. */
const VARIABLES: Readonly<Record<string, readonly string[] | null>> = {
  tool: ['name', 'source', 'effect', 'risk'],
  args: null,
  facts: null,
  requester: ['id', 'groups'],
  channel: [],
  thread: ['tainted'],
};

/** Names of types, which CEL allows where a value can stand. */
const TYPES = ['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'type', 'uint'];

/** Functions and methods that conditions may call; operators have names with signs and need no entry. */
const FUNCTIONS = [
  'text size matches contains startsWith endsWith type dyn bool bytes double int string uint duration',
  'timestamp getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds',
  'getMinutes getMonth getSeconds',
].flatMap(line => line.split(' '));

/** Written like functions, but the reader replaces them; one that is left over was not used in its form. */
const MACROS = ['has', 'all', 'exists', 'exists_one', 'map', 'filter'];

const isOperator = (name: string): boolean => /^[^A-Za-z]/.test(name);

/** Every unknown variable, key and function of a parsed condition, in the order of the text. */
export function unknownNames(parsed: Parsed): ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  const positions = parsed.sourceInfo?.positions ?? {};
  const report = (expr: Expr, text: string) => problems.push({ offset: positions[String(expr.id)] ?? 0, text });
  walk(parsed.expr, new Set(), report);
  return problems.sort((a, b) => a.offset - b.offset);
}

type Report = (expr: Expr, text: string) => void;

function walk(expr: Expr | undefined, bound: ReadonlySet<string>, report: Report): void {
  const kind = expr?.exprKind;
  if (!expr || !kind) return;
  switch (kind.case) {
    case 'identExpr':
      checkVariable(expr, kind.value.name, bound, report);
      return;
    case 'selectExpr':
      checkKey(expr, kind.value.operand, kind.value.field, bound, report);
      walk(kind.value.operand, bound, report);
      return;
    case 'callExpr':
      checkFunction(expr, kind.value.function, report);
      for (const part of [kind.value.target, ...kind.value.args]) walk(part, bound, report);
      return;
    case 'listExpr':
      for (const element of kind.value.elements) walk(element, bound, report);
      return;
    case 'structExpr':
      if (kind.value.messageName) report(expr, `no such type "${kind.value.messageName}"`);
      for (const entry of kind.value.entries) {
        if (entry.keyKind.case === 'mapKey') walk(entry.keyKind.value, bound, report);
        walk(entry.value, bound, report);
      }
      return;
    case 'comprehensionExpr': {
      const { iterRange, accuInit, accuVar, iterVar, iterVar2, loopCondition, loopStep, result } = kind.value;
      for (const part of [iterRange, accuInit]) walk(part, bound, report);
      const inside = new Set([...bound, accuVar, iterVar, iterVar2]);
      for (const part of [loopCondition, loopStep]) walk(part, inside, report);
      walk(result, new Set([...bound, accuVar]), report);
      return;
    }
    default:
  }
}

function checkVariable(expr: Expr, written: string, bound: ReadonlySet<string>, report: Report): void {
  const name = written.replace(/^\./, '');
  if (bound.has(written) || Object.hasOwn(VARIABLES, name) || TYPES.includes(name)) return;
  report(expr, `no such variable "${name}"${nearest(name, [...Object.keys(VARIABLES), ...bound])}`);
}

function checkKey(
  expr: Expr,
  operand: Expr | undefined,
  field: string,
  bound: ReadonlySet<string>,
  report: Report,
): void {
  if (operand?.exprKind.case !== 'identExpr') return;
  const variable = operand.exprKind.value.name;
  const keys = bound.has(variable) ? null : Object.hasOwn(VARIABLES, variable) ? VARIABLES[variable] : null;
  if (!keys || keys.includes(field)) return;
  const has = keys.length > 0 ? `${variable} has ${keys.join(', ')}` : `${variable} is a text`;
  report(expr, `${variable} has no "${field}"${nearest(field, keys) || `; ${has}`}`);
}

function checkFunction(expr: Expr, name: string, report: Report): void {
  if (isOperator(name) || FUNCTIONS.includes(name)) return;
  if (MACROS.includes(name)) report(expr, `${name} is not used in its form`);
  else report(expr, `no such function "${name}"${nearest(name, [...FUNCTIONS, ...MACROS])}`);
}
