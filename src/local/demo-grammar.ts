/** Owns the sentences that the demo model understands, in English and Chinese. Pure: text in, calls out. */
import parseArgsStringToArgv from 'string-argv';
import { QUESTIONS, type DemoQuestion, type Language } from './demo-questions.ts';

export type { Language } from './demo-questions.ts';

/** A call that a clause asks for, in the tools' own arguments. */
export type DemoCall =
  | { readonly tool: 'execute'; readonly args: { readonly argv: readonly string[] } }
  | { readonly tool: 'list_files' | 'read_file' | 'delete_file'; readonly args: { readonly path: string } }
  | { readonly tool: 'write_file'; readonly args: { readonly path: string; readonly content: string } }
  | { readonly tool: 'ask_user' | 'ask_approvers'; readonly args: DemoQuestion }
  | { readonly tool: `ask_${string}`; readonly args: { readonly task: string } }
  | { readonly tool: `hand_off_to_${string}`; readonly args: { readonly draft: string } };

/** What a message asks for: calls for every clause, or the first clause that is none of the sentences; '' where it asks for help. */
export type Understood = { readonly calls: readonly DemoCall[] } | { readonly unclear: string };

const ENGLISH_VERB = /^(?:please\s+)?(?:run|execute|list|read|show|write|delete|book|plan|roll|ask|hand)\b/i;

/** The language of a person's words (see `ownWords`): that of the sentence, whatever stands in its quotes; English where nothing tells. */
export const languageOf = (words: string): Language =>
  !ENGLISH_VERB.test(words) && /\p{Script=Han}/u.test(words) ? 'zh' : 'en';

/** The line with which each user message says who wrote it: a person, or the agent that gave a task. */
const ATTRIBUTION = /^From (?:[^\n]* \([A-Z0-9]{1,30}\)|the agent that gave you this task):\n/;

/** True when another agent gave the words. */
export const isTask = (content: string): boolean => content.startsWith('From the agent that gave you this task:\n');

const MENTIONS = /^(?:\s*(?:<@[A-Z0-9]+(?:\|[^<>\n]*)?>|@[\p{L}\p{N}_.-]+)[\s:：,，]*)+/u;

/** A message that is asked about, quoted below the question. */
const QUOTATION = /(?:\n> [^\n]*)+\s*$/;

/** What a person wrote: without the line that says who, the mention in front, and a message that is quoted below. */
export const ownWords = (content: string): string =>
  content.replace(ATTRIBUTION, '').replace(MENTIONS, '').replace(QUOTATION, '').trim();

const SEPARATOR = /(?:[,，、\n]|(?<=\s)and(?=\s)|和)/iy;
const RUN = /(?:(?:please\s+)?(?:run|execute)\s+|(?:请\s*)?(?:执行命令|运行)\s*[:：]?\s*)(?=\S)/iy;
/** `ask researcher to …`: the rest of the message is the task. */
const ASK = /(?:(?:please\s+)?ask\s+([a-z][a-z0-9_-]*)\s+to\s+|(?:请\s*)?让\s*([a-z][a-z0-9_-]*)\s*)(?=\S)/iy;
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['”', '”'],
  ['‘', '’'],
  ['「', '」'],
]);

interface Quoted {
  readonly value: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** A quoted text that begins at `at`; a backslash keeps a quote or a backslash in it. */
function quotedAt(text: string, at: number): Quoted | null {
  const closing = CLOSING.get(text.charAt(at));
  if (closing === undefined || (at > 0 && /[\w./-]/.test(text.charAt(at - 1)))) return null;
  let value = '';
  for (let i = at + 1; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (char === closing) return { value, end: i + 1 };
    const next = text.charAt(i + 1);
    const isEscape = char === '\\' && (next === closing || next === '\\');
    value += isEscape ? next : char;
    if (isEscape) i += 1;
  }
  return null;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** The clauses of a message; one that runs a command or asks an agent takes the rest. Quoted text is never split. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  const close = (end: number): void => {
    const clause = text.slice(start, end).trim();
    if (clause !== '') clauses.push(clause);
  };
  for (let at = 0; at < text.length;) {
    if (text.slice(start, at).trim() === '' && (lengthAt(RUN, text, at) > 0 || lengthAt(ASK, text, at) > 0)) {
      clauses.push(text.slice(at));
      return clauses;
    }
    const separator = lengthAt(SEPARATOR, text, at);
    if (separator > 0) {
      close(at);
      start = at + separator;
    }
    at = separator > 0 ? start : (quotedAt(text, at)?.end ?? at + 1);
  }
  close(text.length);
  return clauses;
}

/** A path as written, or what stands in quotes; null when there is none or more behind it. */
function pathIn(text: string): string | null {
  const quoted = quotedAt(text, 0);
  if (quoted) return text.slice(quoted.end).trim() === '' ? quoted.value : null;
  const path = text.replace(/(?:[。！!]|(?<=[\p{L}\p{N}_/])\.)$/u, '').trim();
  return path === '' ? null : path;
}

const PATH_VERBS = [
  [/^(?:please\s+)?list\s+|^(?:请\s*)?列出\s*/i, 'list_files'],
  [/^(?:please\s+)?(?:read|show)\s+|^(?:请\s*)?读取\s*/i, 'read_file'],
  [/^(?:please\s+)?delete\s+|^(?:请\s*)?删除\s*/i, 'delete_file'],
] as const;

function writeIn(clause: string): DemoCall | null {
  const verb = /^(?:please\s+)?write\s+|^(?:请\s*)?把\s*/i.exec(clause);
  const quoted = verb && quotedAt(clause, verb[0].length);
  if (!quoted) return null;
  const isChinese = clause.charAt(verb[0].trimEnd().length - 1) === '把';
  const to = (isChinese ? /^\s*写入\s*/ : /^\s+to\s+/i).exec(clause.slice(quoted.end));
  const path = to && pathIn(clause.slice(quoted.end + to[0].length));
  return path ? { tool: 'write_file', args: { path, content: quoted.value } } : null;
}

/** `hand "…" to writer`. */
function handOffIn(clause: string): DemoCall | null {
  const verb = /^(?:please\s+)?hand\s+|^(?:请\s*)?把\s*/i.exec(clause);
  const quoted = verb && quotedAt(clause, verb[0].length);
  const to = quoted && /^(?:\s+to\s+|\s*交给\s*)([a-z][a-z0-9_-]*)[.。]?$/i.exec(clause.slice(quoted.end));
  const agent = to?.[1]?.toLowerCase();
  return quoted && agent ? { tool: `hand_off_to_${agent}`, args: { draft: quoted.value } } : null;
}

function taskIn(clause: string): DemoCall | null {
  ASK.lastIndex = 0;
  const match = ASK.exec(clause);
  const agent = (match?.[1] ?? match?.[2])?.toLowerCase();
  return match && agent ? { tool: `ask_${agent}`, args: { task: clause.slice(match[0].length).trim() } } : null;
}

function questionsIn(clause: string): readonly DemoCall[] | null {
  for (const { sentence, calls } of QUESTIONS) {
    const match = sentence.exec(clause.replace(/[.。！!]$/, ''));
    if (match) return calls(match[1] ?? '');
  }
  return null;
}

function fileCallIn(clause: string): DemoCall | null {
  const run = lengthAt(RUN, clause, 0);
  if (run > 0) {
    const argv = parseArgsStringToArgv(clause.slice(run));
    return argv.length > 0 ? { tool: 'execute', args: { argv } } : null;
  }
  for (const [verb, tool] of PATH_VERBS) {
    const match = verb.exec(clause);
    const path = match && pathIn(clause.slice(match[0].length));
    if (path) return { tool, args: { path } };
  }
  return writeIn(clause);
}

function callsIn(clause: string): readonly DemoCall[] | null {
  const questions = questionsIn(clause);
  if (questions) return questions;
  const call = taskIn(clause) ?? fileCallIn(clause) ?? handOffIn(clause);
  return call && [call];
}

/** "What can you do, and what needs an approval?" is a prompt that the app itself suggests. */
const ASKS_FOR_HELP = /^(?:what can you do|help\b|你能做什么|帮助)/i;

/** What a person's words (see `ownWords`) ask for. */
export function understand(words: string): Understood {
  if (ASKS_FOR_HELP.test(words.trim())) return { unclear: '' };
  const calls: DemoCall[] = [];
  for (const clause of clausesOf(words)) {
    const found = callsIn(clause);
    if (!found) return { unclear: clause };
    calls.push(...found);
  }
  return calls.length > 0 ? { calls } : { unclear: words };
}
