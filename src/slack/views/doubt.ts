/**
 * Owns what is posted when nobody knows whether a call ran: the reply under its card that rings who can say it, the message
 * to whoever asked, and the card of an allowed call, which had none.
 *
 * 1. Each is posted once per execution and edited when the doubt is settled. 2. No buttons once it is.
 */
import type { ExecutionId } from '../../thread/ids.ts';
import { approvers, at, type Call } from '../../thread/thread.ts';
import type { Content, Message } from '../message.ts';
import * as block from './blocks.ts';
import { cardBlocks, shortCard, statusLines } from './card.ts';
import { cardPlace } from './place.ts';
import { decider, listed, ringing } from './context.ts';
import { doubtEndOf, notRunBy, ranBy } from './doubt-ends.ts';
import { cardKey, doubtKey } from './keys.ts';
import { ROOM } from './limits.ts';
import { joined, nobody, pushText, t, type Line, type Part, type Quiet } from './line.ts';
import { faceOf } from './seen.ts';
import { headerOf } from './room.ts';
import { deciders, scopesOf, what, type Scene } from './scene.ts';

/** The execution whose outcome nobody knows now, or that people or its process have settled. */
function presentExecution(call: Call): ExecutionId | undefined {
  switch (call.state.is) {
    case 'in_doubt':
    case 'settled':
      return call.state.claim.execution;
    case 'ended':
      return call.state.ending.execution;
    case 'proposed':
    case 'allowed':
    case 'waiting':
    case 'approved':
    case 'claimed':
    case 'suspended':
    case 'refused':
    case 'closed':
      return undefined;
  }
}

/** How a doubt was settled; undefined while it lasts. An earlier attempt was settled as not run. */
function settled(scene: Scene, execution: ExecutionId): Line | undefined {
  const { pen, call, clock } = scene;
  const { doubt } = pen.texts;
  const end = doubtEndOf(scene, execution);
  if (end?.as === 'not_run') return notRunBy(pen, clock, end);
  if (end !== undefined && end.by !== null)
    return doubt[end.as === 'ran' ? 'ran' : 'givenUp'](decider(pen, end.by.id, end.by.name), clock.at(end.atMs));
  if (end !== undefined) return ranBy(pen, clock, end);
  const { state } = call;
  if (state.is === 'in_doubt' && state.claim.execution === execution) return undefined;
  // A checkpoint from before it was kept who ended a doubt.
  if (state.is === 'settled' && state.claim.execution === execution)
    return doubt[state.as === 'ran' ? 'ran' : 'givenUp'](decider(pen, state.by, state.name), clock.at(state.atMs));
  return call.saidNotRun.includes(execution) ? doubt.notRunSomebody : doubt.over;
}

/** Executions that are in doubt now, and earlier doubts whose messages stand in Slack. */
function doubted(scene: Scene): ExecutionId[] {
  const { call, thread } = scene;
  const present = call.state.is === 'in_doubt' ? [call.state.claim.execution] : [];
  const known = [...call.spent].filter(
    execution => !present.includes(execution) && at(thread.posts, `doubt-thread/${execution}`) !== undefined,
  );
  return [...known, ...present];
}

/** Who is rung: those who approved, else the scope itself. */
function rung(scene: Scene): Line {
  const { approval, run } = scene;
  const voted = approval === null ? [] : approvers(approval);
  return voted.length > 0
    ? joined(
        voted.slice(0, ROOM.people).map((vote): Line => [{ is: 'person', id: vote.by, first: '' }]),
        ' ',
      )
    : ringing(scopesOf(scene), run.requesters);
}

function ring(scene: Scene, execution: ExecutionId): Message {
  const { pen, approval } = scene;
  const { doubt } = pen.texts;
  const how = settled(scene, execution);
  const people = rung(scene);
  const line = how === undefined ? (people.length === 0 ? doubt.ringNobody : doubt.ring(people)) : doubt.settled(how);
  const place = cardPlace(scene);
  const own = 'channel' in place && place.threadTs !== undefined;
  return {
    key: `doubt-ring/${execution}`,
    rank: 'card',
    place: own || approval === null ? place : { under: cardKey(approval, approval.card) },
    content: { text: pushText([...faceOf(scene).push()]), blocks: [block.ownSection([line])] },
    evidence: false,
  };
}

/** `Mia, Leo or an admin`: names, not mentions; whoever asked is rung, not they. */
function whoSettles(scene: Scene): Line {
  const { pen, approval } = scene;
  const { doubt } = pen.texts;
  const voted = approval === null ? [] : approvers(approval);
  if (voted.length > 0) {
    const names = voted.map((vote): Part => decider(pen, vote.by, vote.name));
    return listed(pen, [...names.map(name => [name]), t`${pen.texts.people.admin}`], 'or', ROOM.people);
  }
  const scopes = deciders(scene);
  return scopes.length === 0 ? doubt.anAdmin : doubt.somebody(scopes);
}

function inThread(scene: Scene, execution: ExecutionId): Message {
  const { pen, thread, run } = scene;
  const { doubt } = pen.texts;
  const how = settled(scene, execution);
  const line =
    how === undefined
      ? t`❓ ${doubt.thread(scene.requester, what(scene), whoSettles(scene))}`
      : t`☑️ ${doubt.threadSettled(what(scene), how)}`;
  const quiet: Quiet = { allBut: run.requesters };
  const content = (whom: Quiet): Content => ({ text: pushText(line), blocks: [block.paragraph(line, whom)] });
  return {
    key: `doubt-thread/${execution}`,
    rank: 'final',
    place: { channel: thread.key.channel, threadTs: thread.key.ts },
    content: content(nobody),
    first: content(quiet),
    evidence: false,
  };
}

/** What the card of an earlier attempt of an allowed call says: that it did not run, and who or what found that. */
function pastLines(scene: Scene, execution: ExecutionId): Line[] {
  const { card, doubt } = scene.pen.texts;
  const end = doubtEndOf(scene, execution);
  const how = end === undefined ? doubt.notRunSomebody : notRunBy(scene.pen, scene.clock, end);
  return [card.notRunBefore(how), ...(scene.outcome.is === 'refused' ? [] : [card.seeNewer])];
}

/** The card of an allowed call; an earlier attempt's card keeps its header and says what became of it. */
function allowedCard(scene: Scene, execution: ExecutionId): Message {
  const { pen, run } = scene;
  const past = presentExecution(scene.call) !== execution;
  const status = past ? pastLines(scene, execution) : statusLines(scene);
  const text = pushText(past ? pen.texts.push.notRun(what(scene)) : faceOf(scene).push());
  const blocks = past
    ? [block.header(headerOf('🚫', scene.summary).text), block.ownSection(status)]
    : cardBlocks(scene, status);
  const call = ringing(scopesOf(scene), run.requesters);
  return {
    key: doubtKey(execution),
    rank: 'card',
    place: cardPlace(scene),
    content: { text, blocks },
    ...(past || scene.outcome.is !== 'in_doubt' || call.length === 0
      ? {}
      : { first: { text, blocks: cardBlocks(scene, [...status, call], new Set(run.requesters)) } }),
    ...(past ? {} : { short: shortCard(scene, status) }),
    evidence: true,
  };
}

/** Every message about the doubts of one call. */
export const doubtMessages = (scene: Scene): Message[] =>
  doubted(scene).flatMap(execution =>
    scene.approval === null
      ? [allowedCard(scene, execution), inThread(scene, execution)]
      : [ring(scene, execution), inThread(scene, execution)],
  );
