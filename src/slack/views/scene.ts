/** Owns one call as the views see it: what it has come to, who is in it, and the lines that several views share. */
import type { Frozen } from '../../thread/evidence.ts';
import type { Json, Scope } from '../../thread/events.ts';
import { standingEdit } from '../../thread/edited.ts';
import { missingApprovals, outcomeOf, type Outcome } from '../../thread/outcome.ts';
import {
  approvalOf,
  approvers,
  at,
  rootOf,
  type Approval,
  type Call,
  type Change,
  type Run,
  type Thread,
} from '../../thread/thread.ts';
import { shortId, type UserId } from '../../thread/ids.ts';
import { isObject } from '../../thread/json.ts';
import { decider, listed, penOf, requester, scopeNames, type Pen, type RenderContext } from './context.ts';
import { joined, t, words, type Line, type Part } from './line.ts';
import { ROOM } from './limits.ts';
import { shorten } from './text/escape.ts';
import { clockFace, type ClockFace } from './time.ts';

export interface Scene {
  readonly pen: Pen;
  readonly thread: Thread;
  readonly run: Run;
  readonly call: Call;
  readonly approval: Approval | null;
  readonly outcome: Outcome;
  readonly clock: ClockFace;
  readonly frozen: Frozen | null;
  /** What would happen, in code's own words, masked, on one line. */
  readonly summary: string;
  readonly requester: Part;
}

/** A scene with a request put to people. */
export type Approved = Scene & { readonly approval: Approval };
export const hasApproval = (scene: Scene): scene is Approved => scene.approval !== null;

/** The scene of a call; undefined when its run is not in the thread. */
export function sceneOf(pen: Pen, thread: Thread, call: Call, frozen: Frozen | null): Scene | undefined {
  const run = at(thread.runs, call.run);
  if (!run) return undefined;
  const approval = approvalOf(thread, call) ?? null;
  return {
    pen,
    thread,
    run,
    call,
    approval,
    outcome: outcomeOf(thread, call),
    clock: clockFace(approval?.requestedAtMs ?? run.startedAtMs),
    frozen,
    summary: pen.show.line(approval?.summary ?? call.judgement?.summary ?? call.tool),
    requester: requester(pen, thread, rootOf(thread, run)),
  };
}

/** The scene of a request that a form is about. */
export function opened(
  thread: Thread,
  approval: Approval,
  context: RenderContext,
  frozen: Frozen | null = null,
): Approved {
  const call = at(thread.calls, approval.call);
  const scene = call && sceneOf(penOf(context), thread, { ...call, approval: approval.id }, frozen);
  if (!scene) throw new Error('A form was asked for an approval whose call or run is not in its thread.');
  return { ...scene, approval };
}

/** The request around one that a tool makes from inside, as people know it; null where its words would say the same again. */
export function partOf({ pen, thread, call, frozen, summary }: Scene): string | null {
  const around = call.within === null ? undefined : at(thread.calls, call.within.call);
  const outer = around && sceneOf(pen, thread, around, frozen);
  if (!outer || outer.summary === summary) return null;
  const short = outer.approval === null ? null : shortId(outer.approval.id);
  return pen.texts.card.partOf(shorten(outer.summary, ROOM.label * 2), short);
}

/** The summary as a part of a row or push line. */
export const what = (scene: Scene): Part => words(shorten(scene.summary, ROOM.summaryInRow));

/** Who may decide on the request from its beginning; who settles the doubt about a call that no rule asked about. */
export const scopesOf = ({ approval, pen }: Scene): readonly Scope[] =>
  approval === null ? pen.context.defaults.scopes : (approval.terms.ladder[0]?.scopes ?? []);

/** The same by their labels. */
export const deciders = (scene: Scene): Line => scopeNames(scene.pen, scopesOf(scene));

/** `SRE or Leads decide` or `SRE decides`. */
export const areSeveral = (scene: Scene): boolean => scopesOf(scene).length > 1;

export interface VoteLine {
  readonly names: Line;
  readonly withTimes: Line;
  readonly count: number;
}

/** The approvals that count: `Mia and Leo`, and `Mia 14:03, Leo 14:05`. */
export function votes(
  scene: Scene,
  of: readonly { by: Parameters<typeof decider>[1]; name: string; atMs: number }[] = scene.approval === null
    ? []
    : approvers(scene.approval),
): VoteLine {
  const { pen, clock } = scene;
  const people = of.map(vote => decider(pen, vote.by, vote.name));
  return {
    count: of.length,
    names: listed(
      pen,
      people.map(part => [part]),
      'and',
      ROOM.people,
    ),
    withTimes: listed(
      pen,
      of.map((vote, index) => t`${people[index] ?? ''} ${clock.at(vote.atMs)}`),
      'comma',
      ROOM.people,
    ),
  };
}

/** How many more people have to approve; of a choice, how many for the way that most have chosen. */
export const missing = ({ approval }: Scene): number => (approval === null ? 0 : missingApprovals(approval));

const plainName = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/;
const plainValue = /^[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/;

/** A value that is safe and short enough to stand among our own words; undefined otherwise. */
function word(pen: Pen, value: Json): string | undefined {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? '' : String(value);
  return plainValue.test(text) && pen.show.line(text) === text ? text : undefined;
}

type ChangeWords = 'changedFromTo' | 'wasIs';

function change(pen: Pen, { fact, was, is }: Change, how: ChangeWords): Line {
  const { card } = pen.texts;
  if (fact === 'rule') return card.ruleChanged;
  if (fact === 'tool definition') return card.toolChanged;
  if (!plainName.test(fact) || pen.show.line(fact) !== fact) return card.somethingChanged;
  const [before, after] = [word(pen, was), word(pen, is)];
  return before === undefined || after === undefined ? card.changed(fact) : card[how](fact, before, after);
}

/** `replicas changed from 6 to 8`: names and values only where they are plain words. */
export function changesLine(pen: Pen, changes: readonly Change[], how: ChangeWords = 'changedFromTo'): Line {
  const lines = changes.slice(0, 3).map(one => change(pen, one, how));
  const seen = new Set<string>();
  const distinct = lines.filter(line => {
    const key = JSON.stringify(line);
    return seen.has(key) ? false : seen.add(key);
  });
  return distinct.length === 0 ? pen.texts.card.somethingChanged : joined(distinct, pen.texts.list.comma);
}

/** Who changed the call before it was approved, all of them, and what the agent had asked for; null where nothing differs. */
export function editOf({ pen, approval, call }: Scene): { people: UserId[]; by: Line; was: Json } | null {
  const edit = standingEdit(approval, call);
  if (edit === null) return null;
  const people = [...(edit.before ?? []), edit];
  const names = people.map(({ by, name }) => [decider(pen, by, name)]);
  return { people: people.map(({ by }) => by), by: listed(pen, names, 'and', ROOM.people), was: edit.was };
}

/** `replicas 2 → 4`: what a person changed in the arguments; names and values only where they are plain words. */
export function editedLine(pen: Pen, was: Json, is: Json): Line {
  const { row, card, list } = pen.texts;
  if (!isObject(was) || !isObject(is)) return card.somethingChanged;
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    name => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  );
  const lines = names.slice(0, 3).map(name => {
    const [before, after] = [word(pen, was[name] ?? null), word(pen, is[name] ?? null)];
    const plainly = plainName.test(name) && pen.show.line(name) === name;
    if (!plainly) return t`${words(pen.show.line(name).slice(0, 40))}`;
    return before === undefined || after === undefined ? t`${name}` : t`${row.fromTo(name, before, after)}`;
  });
  return lines.length === 0 ? card.somethingChanged : joined(lines, list.comma);
}
