/**
 * Owns what the demo model answers to a conversation: calls for the latest messages, or words for the latest results. Pure.
 *
 * 1. After results it only reports; it never calls again, least of all after "did not run".
 * 2. It acts on every message since its last word, and on none of which it understands only a part.
 */
import { languageOf, ownWords, understand, type DemoCall, type Language } from './demo-grammar.ts';
import { EXAMPLES, WORDS } from './demo-words.ts';

export interface DemoMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly toolCallId: string | null;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
}

export type DemoAnswer = { readonly text: string } | { readonly calls: readonly DemoCall[] };

const MAX_LINE = 600;
/** Advice to the model behind the reason of a call that did not run. */
const ADVICE = /\.? ?(?:This call is final|Final;)[^"”]*$/;

/** The answer to a conversation; `offered` names the tools of the request. */
export function demoAnswer(messages: readonly DemoMessage[], offered: ReadonlySet<string>): DemoAnswer {
  const words = messages.filter(({ role }) => role === 'user').map(({ content }) => ownWords(content));
  const language = languageOf(words.at(-1) ?? '');
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool');
  const asked = messages.slice(last + 1).filter(({ role }) => role === 'user');
  if (asked.length > 0) return answerTo(words.slice(-asked.length), language, offered);
  if (results.length > 0) return { text: report(messages[last]?.calls ?? [], results, language) };
  return { text: help(language) };
}

function answerTo(messages: readonly string[], language: Language, offered: ReadonlySet<string>): DemoAnswer {
  const understood = messages.map(understand);
  const calls = understood.flatMap(one => ('calls' in one ? one.calls : []));
  if (calls.length === 0) {
    const latest = understood.at(-1);
    return { text: help(language, latest && 'unclear' in latest ? latest.unclear : '') };
  }
  const missing = new Set(calls.map(call => call.tool).filter(tool => !offered.has(tool)));
  return missing.size > 0 ? { text: WORDS[language].notOffered([...missing].join(', ')) } : { calls };
}

function help(language: Language, unclear = ''): string {
  const words = WORDS[language];
  const other: Language = language === 'en' ? 'zh' : 'en';
  return [
    ...(unclear === '' ? [] : [words.unclear(shortened(unclear, 80, language))]),
    words.intro,
    ...EXAMPLES[language].map(example => `• ${example}`),
    words.joined,
    `${words.other}${EXAMPLES[other].join(' · ')}`,
  ].join('\n');
}

function report(calls: DemoMessage['calls'], results: readonly DemoMessage[], language: Language): string {
  const words = WORDS[language];
  let stopped = false;
  const lines = results.map(({ toolCallId, content }) => {
    const call = calls.find(({ id }) => id === toolCallId);
    const what = call ? described(call, language) : '?';
    const reason = /^did not run\b:?\s*([^]*)$/i.exec(content.trim())?.[1];
    if (reason === undefined) return `${what}${words.colon}${oneLine(content, language) || words.noOutput}`;
    stopped = true;
    return words.didNotRun(what, oneLine(reason.replace(ADVICE, ''), language));
  });
  return [...lines, ...(stopped ? [words.stop] : [])].join('\n');
}

function described(call: { readonly name: string; readonly args: string }, language: Language): string {
  const verb = WORDS[language].verbs[call.name] ?? call.name;
  const object = objectOf(call.args);
  return object === '' ? verb : `${verb} ${shortened(object, 120, language)}`;
}

function objectOf(args: string): string {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value !== 'object' || value === null) return '';
    if ('argv' in value && Array.isArray(value.argv)) return value.argv.map(String).join(' ');
    return 'path' in value && typeof value.path === 'string' ? value.path : '';
  } catch {
    return '';
  }
}

const oneLine = (text: string, language: Language): string =>
  shortened(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
      .join(' / '),
    MAX_LINE,
    language,
  );

function shortened(text: string, most: number, language: Language): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, most).join('')}${WORDS[language].cut(characters.length - most)}`;
}
