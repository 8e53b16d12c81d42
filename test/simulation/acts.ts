/**
 * Owns what else people do with what they see: choose a way, edit, answer, ask back, stop, allow for a while, and change or
 * take back what they wrote. As with every click, what counts is what stood there when they looked.
 */
import { editConfirmForm } from '../../src/slack/views/forms.ts';
import { ACTIONS, decodeCall, decodeOption, decodeQuestion } from '../../src/slack/views/actions.ts';
import { decodeButton, type ChannelId, type MessageTs, type UserId } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import type { Act, Answer } from '../../src/worker/ports.ts';
import type { SimProcess } from './process.ts';
import { WORLD } from './scheduler.ts';
import { readable, type Control, type Seen } from './slack.ts';
import { contextOf } from './views.ts';
import type { World } from './world.ts';

/** A person in front of a message. */
export interface Looking {
  readonly user: UserId;
  readonly on: Seen;
  /** Tells this act from every other. */
  readonly id: string;
  readonly act: (thread: { channel: ChannelId; ts: MessageTs }, key: string) => Act;
}

export type Give = (process: SimProcess) => Promise<Answer>;

/** What people answer; to a form also nothing. */
export const ANSWERS = ['Berlin', 'Berlin', 'Atlantis', '0'] as const;
const MINUTE = 60_000;

/** What a control means; undefined for one that is not known here. */
export function meant(world: World, looking: Looking, { action, value }: Control): Give | undefined {
  const { user, id, act } = looking;
  const call = action === ACTIONS.stop ? decodeCall(value) : undefined;
  if (call) return process => process.worker.inbox.stop(act(call.thread, `${call.call}.stop.${user}.${id}`), call.call);
  if (action.startsWith(`${ACTIONS.option}_`)) return chosen(world, looking, value);
  if (action === ACTIONS.edit) return edited(world, looking, value);
  const question = decodeQuestion(value);
  if (!question || action !== ACTIONS.answer) return undefined;
  return process => {
    const { question: of, asked, thread } = question;
    world.ledger.answers.push({ by: user, question: of });
    const given = { text: world.dice.chance(0.1) ? '' : world.dice.pick(ANSWERS) };
    return process.worker.inbox.answer(act(thread, `${of}.${user}.${id}`), {
      question: of,
      given,
      asked,
      origin: 'form',
    });
  };
}

/** One of the ways that a request offers. */
function chosen(world: World, { user, on, id, act }: Looking, value: string): Give | undefined {
  const read = decodeOption(value);
  if (!read) return undefined;
  const { channel, ts, approval, round } = read.value;
  const key = `${approval}.${round}.${user}.${id}`;
  return async process => {
    const thread = await process.worker.inbox.read(act({ channel, ts }, key).thread);
    const option = at(thread.approvals, approval)?.options[read.index]?.value;
    if (option === undefined)
      return { refusal: { code: 'not_found' }, thread, workspace: { version: 0, frozen: null } };
    const said = { by: user, approval, round, verdict: 'approve', key, seen: on.text, form: false, option } as const;
    world.ledger.clicks.push({ ...said, atMs: world.nowMs });
    const decision = {
      approval,
      round,
      verdict: 'approve',
      reason: null,
      then: null,
      origin: 'click',
      option,
    } as const;
    return process.worker.inbox.decide(act({ channel, ts }, key), decision);
  };
}

/** Opens the form, changes the number, reads what would run, and submits after a while, at times twice. */
function edited(world: World, { user, id, act }: Looking, value: string): Give | undefined {
  const button = decodeButton(value);
  if (!button) return undefined;
  const { channel, ts, approval, round } = button;
  const { dice, scheduler, knobs } = world;
  const n = dice.between(1, 6);
  return async process => {
    // Each form has its own key.
    const key = `${approval}.${round}.edit.${user}.${id}.${scheduler.steps}`;
    const place = act({ channel, ts }, key);
    const read = await process.worker.inbox.read(place.thread);
    const call = at(read.calls, at(read.approvals, approval)?.call ?? '');
    const changed = { ...(call?.args as object), n };
    const preview = await process.worker.inbox.previewEdit(place, { approval, round, args: changed });
    const request = at(preview.thread.approvals, approval);
    if (preview.refusal !== null || !request)
      return { refusal: preview.refusal, thread: preview.thread, workspace: { version: 0, frozen: null } };
    const seen = readable(editConfirmForm(preview, request, contextOf()));
    await new Promise<void>(resolve => scheduler.after(WORLD, dice.spread(8_000), 'edit is read', resolve));
    const said = { by: user, approval, round: round + 1, verdict: 'approve', key, seen, form: true } as const;
    world.ledger.clicks.push({ ...said, atMs: world.nowMs });
    if (call && dice.chance(knobs.spite)) changesMeanwhile(world, call.tool);
    const submit = (): Promise<Answer> => {
      const there = dice.pick(world.alive().filter(other => !other.isStopping)) ?? process;
      return there.worker.inbox.edit(place, { approval, round, args: preview.args, shown: preview.shown });
    };
    if (dice.chance(knobs.delivery.twice))
      scheduler.after(WORLD, dice.spread(5_000), 'submitted twice', () => void submit().catch(() => undefined));
    return submit();
  };
}

/** The world changes between what somebody reads and what they do about it. */
function changesMeanwhile({ workshop, counters }: World, tool: string): void {
  counters.saw('change while an edit is read');
  workshop.facts[tool] = (workshop.facts[tool] ?? 1) + 1;
}

/** A grant beside an approval, now and then, where the rule offers one. */
export function allowingForAWhile(
  world: World,
  text: string,
): { grant?: { forMs: number; uses: number; sentence: string } } {
  const { dice } = world;
  if (!text.includes('Do gift') || !dice.chance(0.8)) return {};
  return { grant: { forMs: dice.between(2, 20) * MINUTE, uses: dice.between(1, 2), sentence: 'For a while.' } };
}

/** Somebody who may decide asks the requester something about a request that they see. */
export function askBack({ on, act, user, id }: Looking): Give | undefined {
  const button = on.controls.flatMap(({ value }) => decodeButton(value) ?? []).at(0);
  if (!button) return undefined;
  const { channel, ts, approval, round } = button;
  const asking = { approval, round, text: 'Which cluster?' };
  return process => process.worker.inbox.inquire(act({ channel, ts }, `${approval}.ask.${user}.${id}`), asking);
}
