/**
 * Owns what a tool may wait for from inside, as its author sees it. Every wait stands under a name that the author gives,
 * so that its answer finds it again in another process; the same name in one call is the same wait and has the same answer.
 */
import type { AnswerForm, Review } from '../thread/answer-form.ts';
import type { Facts, Json, Scope } from '../thread/events.ts';
import type { ChannelId, UserId } from '../thread/ids.ts';

/** How long a question stays open unless its author says otherwise. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Forms of a question that is no choice. */
export type QuestionForm = Extract<AnswerForm, { type: 'text' | 'number' | 'yes_no' }>;
type TextForm = Extract<AnswerForm, { type: 'text' }>;

/** What a form is answered with. */
export type Answered<F extends QuestionForm> = F extends { type: 'yes_no' }
  ? boolean
  : F extends { type: 'number' }
    ? number
    : string;

/** A tool's own look at an answer that fits the form, in each attempt anew: a sentence says why it cannot be taken, and the question is open again. */
type Check<T> = (value: T) => string | null | Promise<string | null>;

/** Free text, a number, yes or no; asked of the requester. `form` is text by default, `expiresInMs` a day. */
export interface Question<F extends QuestionForm> {
  readonly prompt: string;
  readonly form?: F;
  readonly check?: Check<Answered<F>>;
  readonly expiresInMs?: number;
}

/** Options, each with the value that is answered (any JSON) and its words. */
export type Options = readonly { readonly value: Json; readonly label: string }[];

/** What a choice is answered with: the value of an option, or a text where `other` is allowed; a list when several may be chosen. */
export type Chosen<L extends Options, S extends boolean, O extends boolean> = S extends true
  ? readonly One<L, O>[]
  : One<L, O>;
type One<L extends Options, O extends boolean> = O extends true ? L[number]['value'] | string : L[number]['value'];

/** One of some options, or several; asked of the requester. */
export interface Choice<L extends Options, S extends boolean, O extends boolean> {
  readonly prompt: string;
  readonly options: L;
  /** Any number of options, also none. Default false. */
  readonly several?: S;
  /** A text that is no option is an answer as well. Default false. */
  readonly other?: O;
  readonly check?: Check<Chosen<L, S, O>>;
  readonly expiresInMs?: number;
}

/** A draft for experts, in `channel` (default: the thread). */
export interface ReviewAsked {
  readonly title: string;
  readonly draft: string;
  readonly reviewers: readonly Scope[];
  readonly channel?: ChannelId | null;
  readonly expiresInMs: number;
}

/** A request of the tool's own, put to those who may decide, on a card of its own. */
export interface ApprovalAsked<V extends string> {
  /** What will happen, in code's own words. */
  readonly summary: string;
  readonly impact?: string;
  /** What stands on the card, whole. */
  readonly args?: Json;
  readonly bind?: Facts;
  /** Ways of doing it, of which the deciders choose one; none: a plain approval. */
  readonly options?: readonly { readonly value: V; readonly label: string }[];
}

/** What came of it. `option` is null for a plain approval; `why` is one sentence. */
export type Approved<V extends string> =
  | { readonly approved: true; readonly option: V | null; readonly by: readonly UserId[] }
  | { readonly approved: false; readonly why: string };

/** Who gave an answer; the name is for display only. */
export interface Answerer {
  readonly by: UserId;
  readonly name: string;
}

/**
 * What a tool can wait for. None of these promises ever settles in a process that has no answer: the tool's frame is
 * dropped, and `execute` begins anew, with the answer, when there is one. Each rejects with a `ToolError` when its time is
 * over without an answer (`not_answered`), with a TypeError for a name that is not `[a-z0-9][a-z0-9_.-]{0,59}`, and inside
 * a step.
 */
export interface Waits {
  /** Asks the requester. */
  readonly ask: <const F extends QuestionForm = TextForm>(name: string, question: Question<F>) => Promise<Answered<F>>;
  /** Lets the requester choose. */
  readonly choose: <const L extends Options, const S extends boolean = false, const O extends boolean = false>(
    name: string,
    choice: Choice<L, S, O>,
  ) => Promise<Chosen<L, S, O>>;
  /** Lets an expert accept, edit or return a draft. */
  readonly review: (name: string, asked: ReviewAsked) => Promise<Review & Answerer>;
  /** Puts a request to those who may decide; what they say is a value, not an exception. */
  readonly approve: <const V extends string = never>(name: string, asked: ApprovalAsked<V>) => Promise<Approved<V>>;
  /** Gives another agent a task; its answer. Rejects with a `ToolError` (`agent_failed`) when it fails. */
  readonly run: (name: string, asked: { readonly agent: string; readonly task: string }) => Promise<string>;
  /** Does something once: its result (JSON of at most 32 KB; nothing counts as null) is kept and given again. */
  readonly step: <T extends Json | void>(name: string, work: () => T | Promise<T>) => Promise<T>;
  /** Who gave the answer to a question, choice or review of this name; null while nobody has. */
  readonly answerer: (name: string) => Answerer | null;
}
