/** Owns what rendering needs beside the thread, and the tools made of it: texts, shown text, names, clock. */
import { at, type Run, type Thread } from '../../thread/thread.ts';
import type { Json, Scope } from '../../thread/events.ts';
import type { ChannelId, UserId } from '../../thread/ids.ts';
import { joined, person, t, words, type Line, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import { characters, shorten } from './text/escape.ts';
import { showWith, type Show } from './text/show.ts';
import { texts, type Language, type Texts } from './texts/texts.ts';

/** What a form needs to know of one argument of a tool. */
export interface ArgumentShape {
  readonly kind: 'text' | 'number' | 'yes_no' | 'lines' | 'json';
  /** The only values that it takes; null when it takes others. */
  readonly choices: readonly Json[] | null;
  readonly required: boolean;
  /** Between which a number has to be; null on a side without a limit. */
  readonly range: { readonly least: number | null; readonly most: number | null };
  /** True when an empty text or list is a value of it. */
  readonly mayBeEmpty: boolean;
}

export interface RenderContext {
  readonly language: Language;
  /** Shown at the foot of every card. */
  readonly environment: string;
  /** Where cards go unless a rule names a channel; null: into the requester's thread. */
  readonly approvals: ChannelId | null;
  readonly operators: ChannelId | null;
  /** Its mention is left out where people's messages are quoted. */
  readonly botUser: UserId;
  /** Who settles the doubt about an allowed call, and where. */
  readonly defaults: { readonly scopes: readonly Scope[]; readonly channel: ChannelId | null };
  /** Key of the fingerprints of masked secrets. */
  readonly secretsKey: string | Uint8Array;
  /** A tool's argument names in the order of its schema; empty when the tool is not known. */
  readonly argumentOrder: (tool: string) => readonly string[];
  /** What the tool's schema says of an argument; undefined when it says nothing, and its value alone tells its kind. */
  readonly argumentShape?: (tool: string, name: string) => ArgumentShape | undefined;
  /** True for channels that not everybody in the workspace can read (direct messages are known by themselves). */
  readonly isPrivate: (channel: ChannelId) => boolean;
}

/** What every view is written with. */
export interface Pen {
  readonly context: RenderContext;
  readonly texts: Texts;
  readonly show: Show;
}

/** The pen of one configuration: its language, and how secrets are masked. */
export const penOf = (context: RenderContext): Pen => {
  const table = texts[context.language];
  return { context, texts: table, show: showWith(context.secretsKey, table.mask) };
};

/** A first name for places without mentions: at most 12 ordinary characters, else the fallback. */
export function firstName(name: string, fallback: string): string {
  const first = name.trim().split(/\s+/u)[0] ?? '';
  const ordinary = /^[\p{L}\p{M}\p{N}.'’-]+$/u.test(first) && !/\p{Default_Ignorable_Code_Point}/u.test(first);
  return ordinary && characters(first) <= ROOM.firstName ? first : fallback;
}

/** The name that a person had when they last wrote in one of the run's messages. */
function nameIn(thread: Thread, run: Run | undefined, user: UserId): string {
  const message = run?.messages.map(ts => at(thread.messages, ts)).find(found => found?.author === user);
  return message?.name ?? '';
}

/** The person who asked. */
export function requester(pen: Pen, thread: Thread, run: Run): Part {
  const [first] = run.requesters;
  const name = first === undefined ? '' : nameIn(thread, run, first);
  return first === undefined
    ? words(pen.texts.people.requester)
    : person(first, firstName(name, pen.texts.people.requester));
}

/** Somebody whose name may be known from the run's messages. */
export const somebody = (pen: Pen, thread: Thread, run: Run | undefined, user: UserId): Part =>
  person(user, firstName(nameIn(thread, run, user), pen.texts.people.requester));

/** Somebody who decided, with the name from then. */
export const decider = (pen: Pen, id: UserId, name: string): Part =>
  person(id, firstName(name, pen.texts.people.decider));

/** `a, b and c`; more than `most` are counted. */
export function listed(pen: Pen, items: readonly Line[], word: 'and' | 'or' | 'comma', most: number): Line {
  const { list } = pen.texts;
  const shown = items.length > most ? [...items.slice(0, most), t`${list.more(items.length - most)}`] : items;
  if (shown.length < 2 || word === 'comma') return joined(shown, list.comma);
  return joined([joined(shown.slice(0, -1), list.comma), shown.at(-1) ?? []], list[word]);
}

/** `SRE or Leads`: the labels of scopes, never mentions. */
export const scopeNames = (pen: Pen, scopes: readonly Scope[]): Line =>
  listed(
    pen,
    [...new Set(scopes.map(scope => shorten(pen.show.line(scope.label), ROOM.label)))].map(label => t`${label}`),
    'or',
    ROOM.labels,
  );

/** The mentions that ring a scope, without the people who asked. */
export const ringing = (scopes: readonly Scope[], not: readonly UserId[]): Line =>
  joined(
    scopes
      .flatMap((scope): Part[] => [
        ...scope.groups.map((id): Part => ({ is: 'group', id })),
        ...scope.users.filter(user => !not.includes(user)).map(user => person(user, '')),
      ])
      .slice(0, ROOM.people)
      .map(part => [part]),
    ' ',
  );
