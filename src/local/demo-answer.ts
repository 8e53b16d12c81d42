/**
 * Owns what the demo model answers to a conversation: calls for the latest messages, or words for the latest results. Pure.
 *
 * 1. After results it only reports; it never calls again, least of all after "did not run". The one exception is the story
 * of the contract, in which work goes on from agent to agent.
 * 2. It acts on every message since its last word, and on none of which it understands only a part.
 */
import { afterContractCall, contractPart, type Part } from './demo-contract.ts';
import { isTask, languageOf, ownWords, understand, type DemoCall, type Language } from './demo-grammar.ts';
import type { DemoMessage } from './demo-message.ts';
import { report, shortened } from './demo-report.ts';
import { ASK_AGENT, CONTRACT, EXAMPLES, WORDS } from './demo-words.ts';

export type DemoAnswer = { readonly text: string } | { readonly calls: readonly DemoCall[] };

/** The answer to a conversation; `offered` names the tools of the request. */
export function demoAnswer(messages: readonly DemoMessage[], offered: ReadonlySet<string>): DemoAnswer {
  const words = messages.filter(({ role }) => role === 'user').map(({ content }) => ownWords(content));
  const language = languageOf(words.at(-1) ?? '');
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = messages.slice(last + 1).filter(({ role }) => role === 'tool');
  const asked = messages.slice(last + 1).filter(({ role }) => role === 'user');
  if (asked.length > 0) return answerTo(asked, language, offered);
  if (results.length === 0) return { text: help(language, offered) };
  const part = afterContractCall(messages, offered);
  return part ? asAnswer(part, language) : { text: report(messages[last]?.calls ?? [], results, language) };
}

function answerTo(asked: readonly DemoMessage[], language: Language, offered: ReadonlySet<string>): DemoAnswer {
  const messages = asked.map(({ content }) => ownWords(content));
  const part = contractPart(messages.at(-1) ?? '', offered);
  if (part) return asAnswer(part, language);
  const draft = draftIn(asked.at(-1)?.content ?? '', offered);
  if (draft) return draft;
  const understood = messages.map(understand);
  const calls = understood.flatMap(one => ('calls' in one ? one.calls : []));
  if (calls.length === 0) {
    const latest = understood.at(-1);
    return { text: help(language, offered, latest && 'unclear' in latest ? latest.unclear : '') };
  }
  const missing = new Set(calls.map(call => call.tool).filter(tool => !offered.has(tool)));
  return missing.size > 0 ? { text: WORDS[language].notOffered([...missing].join(', ')) } : { calls };
}

/** A task of several lines that is none of the sentences is a draft, as an expert left it. */
function draftIn(content: string, offered: ReadonlySet<string>): DemoAnswer | undefined {
  const words = ownWords(content);
  const isDraft = isTask(content) && words.includes('\n') && 'unclear' in understand(words);
  if (!isDraft || !offered.has('write_file')) return undefined;
  return { calls: [{ tool: 'write_file', args: { path: 'draft.txt', content: words } }] };
}

function asAnswer(part: Part, language: Language): DemoAnswer {
  if ('call' in part) return { calls: [part.call] };
  return { text: 'text' in part ? part.text : WORDS[language].notOffered(part.missing) };
}

function help(language: Language, offered: ReadonlySet<string>, unclear = ''): string {
  const words = WORDS[language];
  const other: Language = language === 'en' ? 'zh' : 'en';
  const examples = (of: Language): readonly string[] => [...EXAMPLES[of], ...agentExamples(of, offered)];
  return [
    ...(unclear === '' ? [] : [words.unclear(shortened(unclear, 80, language))]),
    words.intro,
    ...examples(language).map(example => `• ${example}`),
    words.joined,
    `${words.other}${examples(other).join(' · ')}`,
  ].join('\n');
}

/** Sentences for other agents, where there are some. */
function agentExamples(language: Language, offered: ReadonlySet<string>): readonly string[] {
  const named = [...offered].flatMap(tool => /^ask_(?!user$|approvers$)(.+)$/.exec(tool)?.[1] ?? []);
  const handsOn = named.length > 0 || [...offered].some(tool => tool.startsWith('hand_off_to_'));
  return [...(handsOn ? [CONTRACT[language]] : []), ...named.slice(0, 1).map(ASK_AGENT[language])];
}
