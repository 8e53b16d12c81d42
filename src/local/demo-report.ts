/** Owns how the demo model tells the results of its calls: one line per call, from the result. Pure. */
import { z } from 'zod';
import type { Language } from './demo-grammar.ts';
import type { DemoMessage } from './demo-message.ts';
import { WORDS } from './demo-words.ts';

type Call = DemoMessage['calls'][number];

const MAX_LINE = 600;
/** Advice to the model behind the reason of a call that did not run. */
const ADVICE = /\.? ?(?:This call is final|Final;)[^"”]*$/;

/** The lines of a turn's results, in the order of the results; behind one that did not run, that it stops here. */
export function report(calls: readonly Call[], results: readonly DemoMessage[], language: Language): string {
  const words = WORDS[language];
  let stopped = false;
  const lines = results.map(({ toolCallId, content }) => {
    const call = calls.find(({ id }) => id === toolCallId);
    const what = call ? described(call, language) : '?';
    const reason = /^did not run\b:?\s*([^]*)$/i.exec(content.trim())?.[1];
    if (reason === undefined) return told(call, content, language) ?? plain(what, content, language);
    stopped = true;
    return words.didNotRun(what, oneLine(reason.replace(ADVICE, ''), language));
  });
  return [...lines, ...(stopped ? [words.stop] : [])].join('\n');
}

function plain(what: string, content: string, language: Language): string {
  const words = WORDS[language];
  return `${what}${words.colon}${oneLine(content, language) || words.noOutput}`;
}

const answerSchema = z.object({ answer: z.json(), answered_by: z.object({ name: z.string() }) });
const choiceSchema = z.union([
  z.object({ approved: z.literal(true), label: z.string() }),
  z.object({ approved: z.literal(false), why: z.string() }),
]);

/** What people said, behind the question; null for any other call, and for a result that is no answer. */
function told(call: Call | undefined, content: string, language: Language): string | null {
  if (call?.name !== 'ask_user' && call?.name !== 'ask_approvers') return null;
  const question = textIn(call.args, 'question');
  const value = jsonOf(content);
  const answer = answerSchema.safeParse(value);
  if (answer.success) {
    const given = answer.data.answer;
    return `${question} ${typeof given === 'string' ? given : JSON.stringify(given)} (${answer.data.answered_by.name})`;
  }
  const choice = choiceSchema.safeParse(value);
  if (!choice.success) return null;
  return choice.data.approved
    ? `${question} ${choice.data.label}`
    : WORDS[language].nothingChosen(question, oneLine(choice.data.why, language));
}

function described({ name, args }: Call, language: Language): string {
  const words = WORDS[language];
  const agent = /^(ask|hand_off_to)_(?!user$|approvers$)(.+)$/.exec(name);
  if (agent) return agent[1] === 'ask' ? words.askAgent(agent[2] ?? '') : words.handOff(agent[2] ?? '');
  const verb = words.verbs[name] ?? name;
  const object = objectOf(args);
  return object === '' ? verb : `${verb} ${shortened(object, 120, language)}`;
}

function objectOf(args: string): string {
  const value = jsonOf(args);
  if (typeof value !== 'object' || value === null) return '';
  if ('argv' in value && Array.isArray(value.argv)) return value.argv.map(String).join(' ');
  return textIn(args, 'path') || textIn(args, 'question');
}

/** A text among arguments; '' where there is none. */
function textIn(args: string, key: string): string {
  const value = z.record(z.string(), z.unknown()).safeParse(jsonOf(args));
  const text = value.success && Object.hasOwn(value.data, key) ? value.data[key] : '';
  return typeof text === 'string' ? text : '';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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

/** At most so many characters (code points) of a text, and how many more there are. */
export function shortened(text: string, most: number, language: Language): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, most).join('')}${WORDS[language].cut(characters.length - most)}`;
}
