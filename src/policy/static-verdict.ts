/** Owns what can be said about a tool without a call: for the line at the start and for the list of tools. */
import { nearest } from './nearest.ts';
import type { PolicyFile } from './normal-form.ts';
import { fitsPattern } from '../thread/text/pattern.ts';

/** The server of tools that only put something to people; no rule has to allow that. */
export const PEOPLE = 'people';

/** A tool by its name and where it comes from. */
interface NamedTool {
  readonly name: string;
  readonly server: string;
}

/** The verdict where no condition holds, the rule it comes from, and how many conditions could change it. */
export interface StaticVerdict {
  readonly verdict: 'deny' | 'ask' | 'allow';
  readonly rule: string | null;
  readonly conditions: number;
}

/** The first rule without a condition that names the tool (a `deny` before all others), or the defaults. */
export function staticVerdict(file: PolicyFile, { name, server }: NamedTool): StaticVerdict {
  const naming = file.rules.filter(rule => rule.tools.some(pattern => fitsPattern(pattern, name)));
  const denying = naming.filter(rule => rule.verdict === 'deny');
  const denied = denying.find(rule => !rule.condition);
  if (denied) return { verdict: 'deny', rule: denied.id, conditions: 0 };
  const others = naming.filter(rule => rule.verdict !== 'deny');
  const decides = others.findIndex(rule => !rule.condition);
  const earlier = decides < 0 ? others.length : decides;
  const rule = others[decides];
  const otherwise = server === PEOPLE && !naming.some(each => each.tools.includes(name)) ? 'allow' : 'ask';
  return { verdict: rule?.verdict ?? otherwise, rule: rule?.id ?? null, conditions: denying.length + earlier };
}

/** `+1 condition`, or nothing. */
export const conditionsText = ({ conditions }: StaticVerdict): string =>
  conditions === 0 ? '' : `+${conditions} condition${conditions === 1 ? '' : 's'}`;

/** The start's line: `countersign.yaml: 6 rules · 5 tools: 2 allowed, 3 ask`; what only talks to people is not counted. */
export function policyLine(file: PolicyFile, all: readonly NamedTool[]): string {
  const tools = all.filter(({ server }) => server !== PEOPLE);
  const verdicts = tools.map(tool => staticVerdict(file, tool).verdict);
  const amount = (verdict: string): number => verdicts.filter(each => each === verdict).length;
  const counts = [`${amount('allow')} allowed`, `${amount('ask')} ask`];
  if (amount('deny') > 0) counts.push(`${amount('deny')} denied`);
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  return `${file.fileName}: ${plural(file.rules.length, 'rule')} · ${plural(tools.length, 'tool')}: ${counts.join(', ')}`;
}

/**
 * Problems of rules that deny a tool by a name that no tool has: a slip that would let through what nobody wanted. Patterns
 * with `*` may be written for tools to come.
 */
export const idleDenials = ({ rules }: Pick<PolicyFile, 'rules'>, tools: readonly NamedTool[]): string[] =>
  rules
    .filter(({ verdict }) => verdict === 'deny')
    .flatMap(({ id, tools: patterns }) =>
      patterns
        .filter(pattern => !pattern.includes('*') && !tools.some(({ name }) => name === pattern))
        .map(pattern => {
          const meant = nearest(
            pattern,
            tools.map(({ name }) => name),
          );
          return `rule "${id}": deny names "${pattern}", and no tool has that name${meant}`;
        }),
    );

/** Sentences about patterns that name no tool there is: most likely a slip. */
export const idlePatterns = ({ rules, agents }: PolicyFile, tools: readonly NamedTool[]): string[] =>
  [
    ...rules.map(rule => ({ who: `Rule ${rule.id}`, patterns: rule.tools })),
    ...agents.map(agent => ({ who: `Agent ${agent.name}`, patterns: agent.tools ?? [] })),
  ].flatMap(({ who, patterns }) =>
    patterns
      .filter(pattern => !tools.some(({ name }) => fitsPattern(pattern, name)))
      .map(pattern => `${who}: "${pattern}" names no tool that is here.`),
  );
