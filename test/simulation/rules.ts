/** Owns the policy and the tools of a simulated world; a process reads both when it starts, as the real one does. */
import { digestOf } from '../../src/thread/digest.ts';
import type { Terms } from '../../src/thread/events.ts';
import type { Judged, ToolFacts } from '../../src/thread/evidence.ts';
import type { ChannelId, Digest } from '../../src/thread/ids.ts';
import type { Agent } from '../../src/worker/ports.ts';
import { LEADS, SRE } from './cast.ts';
import type { Dice } from './random.ts';

export const APPROVALS = 'C0APPROV1' as ChannelId;
export const OPERATORS = 'C0OPSALRT' as ChannelId;

const MINUTE = 60_000;

const terms = (more: Partial<Terms>): Terms => ({
  ladder: [{ afterMs: 0, scopes: [SRE] }],
  quorum: 1,
  expiresInMs: 10 * MINUTE,
  remindMs: [],
  notify: null,
  confirm: false,
  edit: [],
  onReject: 'replan',
  selfApproval: 'never',
  channel: null,
  ...more,
});

export interface Rule {
  readonly id: string;
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly terms: Terms;
}

/** Everything that configuration says, at one version. */
export interface Rules {
  readonly version: number;
  readonly rules: Readonly<Record<string, Rule>>;
  /** Version of each tool's definition; absent tools are gone. */
  readonly tools: Readonly<Record<string, number>>;
}

/** Tools that the model may ask for. `nothing` does not exist. */
export const TOOLS = [
  'run',
  'drop',
  'mail',
  'self',
  'late',
  'poke',
  'look',
  'again',
  'never',
  'gift',
  'pair',
  'ask',
  'plan',
  'way',
  'task',
  'nothing',
] as const;

const rule = (id: string, verdict: Rule['verdict'], more: Partial<Terms> = {}): Rule => ({
  id,
  verdict,
  terms: terms(more),
});

export const firstRules = (): Rules => ({
  version: 1,
  rules: {
    run: rule('run-a-command', 'ask', { edit: ['n'], remindMs: [MINUTE, 4 * MINUTE] }),
    drop: rule('two-people', 'ask', { quorum: 2, ladder: [{ afterMs: 0, scopes: [SRE, LEADS] }], confirm: true }),
    mail: rule('stop-if-rejected', 'ask', { onReject: 'stop', expiresInMs: 3 * MINUTE }),
    self: rule('alone', 'ask', { selfApproval: 'with_reason', onReject: 'requester' }),
    late: rule('leads-later', 'ask', {
      ladder: [
        { afterMs: 0, scopes: [SRE] },
        { afterMs: 2 * MINUTE, scopes: [LEADS] },
      ],
      onReject: 'read_only',
    }),
    again: rule('safe-to-repeat', 'ask'),
    gift: rule('like-it-for-a-while', 'ask', {
      grants: { maxMs: 20 * MINUTE, uses: 2, scope: 'thread', where: ['n'] },
      edit: ['n'],
    }),
    pair: rule('two-may-change-it', 'ask', {
      quorum: 2,
      ladder: [{ afterMs: 0, scopes: [SRE, LEADS] }],
      edit: ['n'],
      remindMs: [2 * MINUTE],
    }),
    ask: rule('ask', 'allow'),
    plan: rule('plan', 'allow'),
    way: rule('way', 'ask'),
    task: rule('task', 'allow'),
    poke: rule('poke', 'allow'),
    look: rule('look', 'allow'),
    never: rule('never', 'deny'),
  },
  tools: {
    run: 1,
    drop: 1,
    mail: 1,
    self: 1,
    late: 1,
    again: 1,
    poke: 1,
    look: 1,
    never: 1,
    gift: 1,
    pair: 1,
    ask: 1,
    plan: 1,
    way: 1,
    task: 1,
  },
});

/** A change that somebody makes to the configuration; it is in force for processes that start afterwards. */
export function changedRules(dice: Dice, from: Rules, name: string): Rules {
  const before = from.rules[name] ?? rule(name, 'ask');
  const version = from.version + 1;
  const withRule = (after: Rule): Rules => ({ ...from, version, rules: { ...from.rules, [name]: after } });
  const change = dice.weighed({ terms: 4, quorum: 2, verdict: 2, definition: 4, gone: 1 });
  switch (change) {
    case 'terms':
      return withRule({ ...before, terms: { ...before.terms, expiresInMs: dice.between(2, 12) * MINUTE } });
    case 'quorum':
      return withRule({ ...before, terms: { ...before.terms, quorum: 3 - Math.min(2, before.terms.quorum) } });
    case 'verdict':
      return withRule({ ...before, verdict: dice.pick(['allow', 'ask', 'deny'] as const) });
    case 'definition':
      return { ...from, version, tools: { ...from.tools, [name]: (from.tools[name] ?? 0) + 1 } };
    case 'gone': {
      const { [name]: _, ...others } = from.tools;
      return { ...from, version, tools: others };
    }
  }
}

/** `mustAsk`: what only people may decide is asked under the rule's terms, or those of everything that no rule knows. */
export const judgedBy = (rules: Rules, tool: string, mustAsk = false): Judged => {
  const known = rules.rules[tool];
  if (mustAsk && known?.verdict === 'allow') return { verdict: 'ask', rule: known.id, why: null, terms: known.terms };
  if (!known) return { verdict: 'ask', rule: null, why: null, terms: terms({}) };
  if (known.verdict === 'deny') return { verdict: 'deny', rule: known.id, why: 'Not here.' };
  if (known.verdict === 'allow') return { verdict: 'allow', rule: known.id, why: null };
  return { verdict: 'ask', rule: known.id, why: null, terms: known.terms };
};

/** The agents: one that answers people, and one that it may give tasks to. */
export const agentNamed = (name: string): Agent => ({
  name,
  requesters: null,
  followUps: 'requester',
  model: null,
  instructions: null,
  tools: null,
  handOffs: [],
});

export const definitionOf = (tool: string, version: number): Digest => digestOf({ tool, version });

export const isIdempotent = (tool: string): boolean => tool === 'again';
export const isRead = (tool: string): boolean => tool === 'look' || tool === 'task';
/** Tools that can say whether a call of theirs happened. */
const canCheck = (tool: string): boolean => tool === 'mail' || tool === 'poke';
/** How long a tool may run. */
export const TIMEOUT_MS = 40_000;

export function factsOf(rules: Rules, tool: string): ToolFacts | undefined {
  const version = rules.tools[tool];
  if (version === undefined) return undefined;
  return {
    name: tool,
    server: 'builtin',
    digest: definitionOf(tool, version),
    effect: isRead(tool) ? 'read' : 'write',
    risk: 'medium',
    idempotent: isIdempotent(tool),
    timeoutMs: TIMEOUT_MS,
    checks: canCheck(tool),
  };
}
