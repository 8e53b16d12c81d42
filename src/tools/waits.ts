/**
 * Owns the waits of one attempt: what was answered is read back exactly as it was given (0, false, "" and an empty list are
 * answers), and what was not is asked.
 */
import { isDeepStrictEqual } from 'node:util';
import { reviewSchema, type AnswerForm, type Review } from '../thread/answer-form.ts';
import type { Asking } from '../thread/decide/command.ts';
import type { Json, Option } from '../thread/events.ts';
import type { Told } from '../worker/ports.ts';
import { ToolError } from './error.ts';
import type { Frame } from './frame.ts';
import { DAY_MS, type Answerer, type ApprovalAsked, type Approved, type Choice, type Question } from './waiting.ts';
import type { Answered, Chosen, Options, QuestionForm, ReviewAsked, Waits } from './waiting.ts';
import type { Words } from './words.ts';

type Answer = Extract<Told, { is: 'answered' }>;
/** Reads an answer; undefined when it is none of this question's. */
type Read<T> = (value: Json) => T | undefined;

/** The most ways among which deciders choose. */
const MOST_WAYS = 10;

/** The waits of a frame. */
export function waitsOf(frame: Frame, say: Words): Waits {
  const lost = (sentence: string, code: string): ToolError =>
    new ToolError(sentence, { code, effect: frame.hasSteps ? 'possible' : 'none' });
  const misused = (name: string): ToolError => lost(say.askedOtherwise(name), 'asked_otherwise');

  /** The answer to a question, or the question. */
  async function answer(name: string, asking: Asking): Promise<Answer> {
    const told = frame.told(name);
    if (told === undefined) return frame.leave({ how: 'suspended', name, asking });
    if (told.is === 'over') throw lost(told.why, 'not_answered');
    if (told.is !== 'answered') throw misused(name);
    return told;
  }

  async function checked<T>(
    name: string,
    asking: Extract<Asking, { on: 'question' }>,
    read: Read<T>,
    check: ((value: T) => string | null | Promise<string | null>) | undefined,
  ): Promise<T> {
    const { question, value } = await answer(name, asking);
    const fits = read(value);
    if (fits === undefined) throw misused(name);
    const why = (await check?.(fits)) ?? null;
    return why === null ? fits : frame.leave({ how: 'answer_refused', question, why });
  }

  return {
    ask: <F extends QuestionForm>(name: string, { prompt, form, check, expiresInMs = DAY_MS }: Question<F>) =>
      checked(
        name,
        { ...asked('question', prompt, expiresInMs), form: form ?? { type: 'text' } },
        answerReader(form),
        check,
      ),
    choose: <L extends Options, S extends boolean, O extends boolean>(name: string, choice: Choice<L, S, O>) => {
      const { prompt, options, several = false, other = false, check, expiresInMs = DAY_MS } = choice;
      const form: AnswerForm = several
        ? { type: 'choices', options: [...options], min: 0, other }
        : { type: 'choice', options: [...options], other };
      return checked(name, { ...asked('choice', prompt, expiresInMs), form }, choiceReader(choice), check);
    },
    review: (name, review) => reviewed(name, review, answer, misused),
    approve: async <V extends string>(name: string, request: ApprovalAsked<V>) => {
      const told = frame.told(name);
      const asking = requestOf(request);
      if (told === undefined) return frame.leave({ how: 'suspended', name, asking });
      return decided(told, request.options ?? []) ?? Promise.reject(misused(name));
    },
    run: async (name, { agent, task }) => {
      const told = frame.told(name);
      if (told === undefined) return frame.leave({ how: 'suspended', name, asking: { on: 'run', agent, task } });
      if (told.is === 'done') return told.text;
      throw told.is === 'over' ? lost(told.why, 'agent_failed') : misused(name);
    },
    // What an earlier attempt kept is what this step returned then.
    step: async <T extends Json | void>(name: string, work: () => T | Promise<T>) =>
      (await frame.step(name, work)) as T,
    answerer: name => {
      const told = frame.known(name);
      return told?.is === 'answered' ? { by: told.by, name: told.name } : null;
    },
  };
}

const asked = <K extends 'question' | 'choice'>(kind: K, prompt: string, expiresInMs: number) => ({
  on: 'question' as const,
  kind,
  prompt,
  scopes: [],
  channel: null,
  expiresInMs,
});

/** Reads an answer of a form. The log has let through only what fits; another form since then is found here. */
function answerReader<F extends QuestionForm>(form: F | undefined): Read<Answered<F>> {
  const type = { text: 'string', number: 'number', yes_no: 'boolean' }[form?.type ?? 'text'];
  return value => (typeof value === type ? (value as Answered<F>) : undefined);
}

/** Reads options back as their author wrote them; a text that is none where `other` is allowed. */
function choiceReader<L extends Options, S extends boolean, O extends boolean>({
  options,
  several,
  other,
}: Choice<L, S, O>): Read<Chosen<L, S, O>> {
  const one = (value: Json): Json | undefined => {
    const option = options.find(each => isDeepStrictEqual(each.value, value));
    if (option) return option.value;
    return other === true && typeof value === 'string' ? value : undefined;
  };
  if (several !== true) return value => one(value) as Chosen<L, S, O> | undefined;
  return value => {
    if (!Array.isArray(value)) return undefined;
    const each = value.map(one);
    return each.includes(undefined) ? undefined : (each as Chosen<L, S, O>);
  };
}

async function reviewed(
  name: string,
  { title, draft, reviewers, channel = null, expiresInMs }: ReviewAsked,
  answer: (name: string, asking: Asking) => Promise<Answer>,
  misused: (name: string) => ToolError,
): Promise<Review & Answerer> {
  if (reviewers.length === 0) throw new TypeError(`The review "${name}" names nobody who may review.`);
  const form = { type: 'review', title, draft } as const;
  const asking: Asking = {
    on: 'question',
    kind: 'review',
    prompt: title,
    form,
    scopes: reviewers,
    channel,
    expiresInMs,
  };
  const told = await answer(name, asking);
  const review = reviewSchema.safeParse(told.value);
  if (!review.success) throw misused(name);
  return { ...review.data, by: told.by, name: told.name };
}

function requestOf({ summary, impact, args, bind, options = [] }: ApprovalAsked<string>): Asking {
  if (summary.trim() === '') throw new TypeError('A request needs a summary.');
  if (options.length > MOST_WAYS) throw new TypeError(`A request has at most ${MOST_WAYS} options.`);
  if (new Set(options.map(option => option.value)).size < options.length)
    throw new TypeError('Two options of a request have one value.');
  const labels = options.map(({ label }) => label.trim().toLowerCase());
  if (labels.includes('') || new Set(labels).size < labels.length)
    throw new TypeError('Each option of a request needs words of its own, which no other has.');
  return {
    on: 'call',
    summary,
    impact: impact ?? null,
    args: args ?? {},
    bind: bind ?? {},
    options: options.map(({ value, label }): Option => ({ value, label })),
  };
}

/** Undefined when it was told something that is no decision on these options. */
function decided<V extends string>(told: Told, options: readonly { readonly value: V }[]): Approved<V> | undefined {
  if (told.is === 'not_approved' || told.is === 'over') return { approved: false, why: told.why };
  if (told.is !== 'approved') return undefined;
  const { option, by } = told;
  if (option === null) return options.length === 0 ? { approved: true, option, by } : undefined;
  const way = options.find(each => each.value === option);
  return way && { approved: true, option: way.value, by };
}
