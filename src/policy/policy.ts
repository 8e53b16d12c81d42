/**
 * Owns the judgement of a call by the rules of the policy file. It is a function of the rules and the question alone: what
 * was judged before changes nothing, and no question makes it throw.
 *
 * 1. A rule with `deny` that matches wins, wherever it stands; one whose condition cannot be evaluated matches.
 * 2. Otherwise the first rule that matches decides; one whose condition cannot be evaluated does not match.
 * 3. Where no rule matches, people are asked with the defaults.
 * 4. In a thread that has read what strangers wrote, no rule allows a write: people are asked with the defaults.
 * 5. What only people may decide is never allowed: the first rule that asks decides how they are asked, else the defaults.
 * 6. Tools that only talk to people need no permission, unless a rule names them.
 */
import { ruleDigest, sha256 } from '../thread/digest.ts';
import type { Judged } from '../thread/evidence.ts';
import type { Risk, Terms } from '../thread/events.ts';
import type { Digest } from '../thread/ids.ts';
import type { Agent, Policy, PolicyQuestion } from '../worker/ports.ts';
import { listening } from './listening.ts';
import type { AskTerms, PolicyFile, Rule } from './normal-form.ts';
import { PEOPLE } from './static-verdict.ts';
import { fitsPattern } from '../thread/text/pattern.ts';

/** A rule whose condition could not be evaluated for a call, and why. */
export interface ConditionError {
  readonly rule: string;
  readonly tool: string;
  readonly cause: string;
}

const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

/** So many different causes of one rule are told; more of them are one trouble told often enough. */
const CAUSES_PER_RULE = 20;

/** The policy of a file. `onConditionError` is called once for each rule and cause. */
export function createPolicy(file: PolicyFile, options: { onConditionError: (error: ConditionError) => void }): Policy {
  const report = oncePerCause(options.onConditionError);
  const denying = file.rules.filter(rule => rule.verdict === 'deny');
  const others = file.rules.filter(rule => rule.verdict !== 'deny');
  const isNamed = (tool: string): boolean => file.rules.some(rule => rule.tools.includes(tool));
  const asking = askingRules(file);
  const agents = new Map<string, Agent>(file.agents.map(agent => [agent.name, agent]));
  return {
    judge: question => {
      const matches = (rule: Rule): boolean => applies(rule, question, report);
      const denied = denying.find(matches);
      if (denied) return judged(denied, file.defaults, question);
      const first = others.find(matches);
      if (question.tool.mustAsk === true) {
        const asking =
          first?.verdict === 'allow' ? others.find(rule => rule.verdict === 'ask' && matches(rule)) : first;
        return judged(asking, file.defaults, question);
      }
      if (first || !onlyTalks(question) || isNamed(question.tool.name)) return judged(first, file.defaults, question);
      return { verdict: 'allow', rule: null, why: null };
    },
    stands: rule => asking.has(rule),
    loaded: { digest: sha256(file.text), text: file.text, instructions: instructionsIn(file) },
    defaults: { scopes: file.defaults.ladder[0]?.scopes ?? [], channel: file.channels.approvals },
    admins: file.roles.admins,
    auditors: file.roles.auditors,
    freeze: file.roles.freeze === 'everyone' ? null : file.roles.freeze,
    people: [...file.people.values()],
    limits: file.limits,
    agentFor: place => listening(file.agents, place),
    agent: name => agents.get(name),
  };
}

/** Digests of every rule that asks, and of the defaults, for tools of any risk. */
function askingRules({ rules, defaults }: PolicyFile): ReadonlySet<Digest> {
  const own = rules.flatMap(rule => (rule.verdict === 'ask' ? [{ id: rule.id, terms: rule.terms }] : []));
  const all = [...own, { id: null, terms: defaults }];
  return new Set(
    all.flatMap(({ id, terms }) =>
      RISKS.map(risk => ruleDigest({ id, terms: { ...terms, confirm: confirms(terms, risk) } })),
    ),
  );
}

/** The texts beside the file that agents are told, by agent. */
const instructionsIn = ({ agents }: PolicyFile): Readonly<Record<string, string>> =>
  Object.fromEntries(agents.flatMap(({ name, instructions }) => (instructions === null ? [] : [[name, instructions]])));

/** A tool that does nothing but put something to people. */
const onlyTalks = ({ tool, thread }: PolicyQuestion): boolean =>
  tool.server === PEOPLE && !(thread.tainted && tool.effect === 'write');

function applies(rule: Rule, question: PolicyQuestion, report: (error: ConditionError) => void): boolean {
  if (!rule.tools.some(pattern => fitsPattern(pattern, question.tool.name))) return false;
  if (!rule.condition) return true;
  const answer = rule.condition.answer(question);
  if ('holds' in answer) return answer.holds;
  report({ rule: rule.id, tool: question.tool.name, cause: answer.failed });
  return rule.verdict === 'deny';
}

function judged(rule: Rule | undefined, defaults: AskTerms, question: PolicyQuestion): Judged {
  const exposed = question.thread.tainted && question.tool.effect === 'write';
  if (!rule || (rule.verdict === 'allow' && exposed))
    return { verdict: 'ask', rule: null, why: null, terms: termsFor(defaults, question) };
  if (rule.verdict === 'deny') return { verdict: 'deny', rule: rule.id, why: rule.why };
  if (rule.verdict === 'allow') return { verdict: 'allow', rule: rule.id, why: rule.why };
  return { verdict: 'ask', rule: rule.id, why: rule.why, terms: termsFor(rule.terms, question) };
}

const termsFor = (terms: AskTerms, question: PolicyQuestion): Terms => ({
  ...terms,
  confirm: confirms(terms, question.tool.risk),
});

/** Whether Approve asks once more. */
const confirms = ({ confirm }: AskTerms, risk: Risk): boolean => (confirm === 'by_risk' ? risk === 'high' : confirm);

function oncePerCause(tell: (error: ConditionError) => void): (error: ConditionError) => void {
  const told = new Map<string, Set<string>>();
  return error => {
    const causes = told.get(error.rule) ?? new Set();
    told.set(error.rule, causes);
    if (causes.has(error.cause) || causes.size >= CAUSES_PER_RULE) return;
    causes.add(error.cause);
    tell(error);
  };
}
