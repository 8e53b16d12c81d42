/**
 * Owns the story in which agents work on one contract: a plan, a draft, the text. Which part an agent plays follows from
 * the tools that it is offered and the words that it is given. Pure.
 *
 * 1. Whoever is given the wish hands on a plan; whoever is given a plan looks into the notes and hands on a draft; whoever is
 * given a draft writes it down, into a file where it can. 2. A draft that an expert returned is changed and handed on again,
 * at most `MOST_ROUNDS` times.
 */
import type { DemoMessage } from './demo-message.ts';
import { ownWords, type DemoCall, type Language } from './demo-grammar.ts';

/** What an agent does next in the story. */
export type Part = { readonly call: DemoCall } | { readonly text: string } | { readonly missing: string };

const MOST_ROUNDS = 3;
const NOTES = 'notes';

const WISH = {
  en: /^(?:please\s+)?write\s+a\s+contract(?:\s+with\s+(\S.*?))?[.!]?$/i,
  zh: /^(?:请\s*)?起草(?:与\s*(\S.*?)\s*的)?合同[。！]?$/,
};
const PLAN = { en: /^Plan: a contract with (.+)\.$/m, zh: /^计划：与 (.+) 的合同。$/m };
const DRAFT = { en: /^Contract with (.+) \(draft\)$/m, zh: /^与 (.+) 的合同（草稿）$/m };
/** How the tool says that an expert wants something changed. */
const RETURNED = /^(?:The draft was not handed over|稿件没有移交)[^“]*“([^]*)”/;

const LANGUAGES = ['en', 'zh'] as const;

interface Found {
  readonly language: Language;
  readonly with: string;
}

function found(words: string, patterns: Readonly<Record<Language, RegExp>>): Found | undefined {
  for (const language of LANGUAGES) {
    const match = patterns[language].exec(words);
    if (match) return { language, with: match[1] ?? 'Acme' };
  }
  return undefined;
}

const planFor = ({ language, with: name }: Found): string =>
  language === 'en'
    ? `Plan: a contract with ${name}.\nLook into ${NOTES} for what was agreed, and say what each clause has to hold.`
    : `计划：与 ${name} 的合同。\n请在 ${NOTES} 中查找已商定的内容，并说明每一条应写什么。`;

const draftFor = ({ language, with: name }: Found, notes: string): string =>
  (language === 'en'
    ? [
        `Contract with ${name} (draft)`,
        `1. ${name} delivers within 30 days.`,
        '2. We pay within 14 days.',
        '3. Notice: 3 months.',
        `Found in ${NOTES}: ${notes}`,
      ]
    : [
        `与 ${name} 的合同（草稿）`,
        `1. ${name} 在 30 天内交货。`,
        '2. 我方在 14 天内付款。',
        '3. 终止须提前 3 个月通知。',
        `${NOTES} 中有：${notes}`,
      ]
  ).join('\n');

const contractFrom = ({ language, with: name }: Found, draft: string): string =>
  [language === 'en' ? `Contract with ${name}` : `与 ${name} 的合同`, '', ...draft.split('\n').slice(1)].join('\n');

const fileFor = ({ with: name }: Found): string =>
  `contract-${
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'draft'
  }.txt`;

/** The way on of whoever has something for one of these agents. */
function handOn(to: readonly string[], text: string, offered: ReadonlySet<string>): Part | undefined {
  for (const agent of to) {
    if (offered.has(`hand_off_to_${agent}`)) return { call: { tool: `hand_off_to_${agent}`, args: { draft: text } } };
    if (offered.has(`ask_${agent}`)) return { call: { tool: `ask_${agent}`, args: { task: text } } };
  }
  return undefined;
}

const draftOn = (about: Found, notes: string, offered: ReadonlySet<string>): Part => {
  const draft = draftFor(about, notes);
  if (!offered.has('hand_off_to_writer')) return { text: draft };
  return { call: { tool: 'hand_off_to_writer', args: { draft } } };
};

/** What the latest words ask for; undefined when they belong to no such story. */
export function contractPart(words: string, offered: ReadonlySet<string>): Part | undefined {
  const draft = found(words, DRAFT);
  if (draft) {
    const content = contractFrom(draft, words.slice(words.search(DRAFT[draft.language])));
    if (!offered.has('write_file')) return { text: content };
    return { call: { tool: 'write_file', args: { path: fileFor(draft), content } } };
  }
  const plan = found(words, PLAN);
  if (plan)
    return offered.has('list_files')
      ? { call: { tool: 'list_files', args: { path: NOTES } } }
      : draftOn(plan, '-', offered);
  const wish = found(words, WISH);
  return wish && (handOn(['researcher', 'writer'], planFor(wish), offered) ?? { missing: 'hand_off_to_researcher' });
}

/** The next step after the results of one call; undefined when there is only to report. */
export function afterContractCall(messages: readonly DemoMessage[], offered: ReadonlySet<string>): Part | undefined {
  const turns = messages.filter(({ role }) => role === 'assistant');
  const [call, ...more] = turns.at(-1)?.calls ?? [];
  const result = messages.at(-1)?.content.trim() ?? '';
  const words = ownWords(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  if (!call || more.length > 0 || result.startsWith('did not run')) return undefined;
  const plan = found(words, PLAN);
  if (plan && call.name === 'list_files') return draftOn(plan, result.split('\n').join(', '), offered);
  const wish = found(words, WISH);
  if (wish && call.name === 'ask_researcher' && found(result, DRAFT)) return handOn(['writer'], result, offered);
  const why = RETURNED.exec(result)?.[1];
  const rounds = turns.filter(turn => turn.calls.some(({ name }) => name === call.name)).length;
  const draft = call.name.startsWith('hand_off_to_') && (plan ?? wish) ? draftIn(call.args) : undefined;
  if (why === undefined || draft === undefined || rounds > MOST_ROUNDS) return undefined;
  const changed = (plan ?? wish)?.language === 'zh' ? `按要求修改：${why}` : `Changed as asked: ${why}`;
  return handOn([call.name.slice('hand_off_to_'.length)], `${draft}\n${changed}`, offered);
}

function draftIn(args: string): string | undefined {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && 'draft' in value && typeof value.draft === 'string'
      ? value.draft
      : undefined;
  } catch {
    return undefined;
  }
}
