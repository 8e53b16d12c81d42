/** Owns the join of the pure views with one configuration: what the reconciler renders with. */
import type { Workspace } from '../thread/workspace.ts';
import { activeRuns, at, currentRun, needsPeople, type Call, type Thread } from '../thread/thread.ts';
import type { Deciding } from '../worker/ports.ts';
import type { Message } from './message.ts';
import type { Rendering } from './rendering.ts';
import { cardKey, doubtKey } from './views/keys.ts';
import { growingAnswer } from './views/growing.ts';
import { penOf, type Pen, type RenderContext } from './views/context.ts';
import { troubleContent, troubleKey } from './views/operators.ts';
import { refusalContent } from './views/refusals.ts';
import { render } from './views/render.ts';
import { room } from './views/room.ts';
import { shorten } from './views/text/escape.ts';
import { isHeld } from './working.ts';

/** How much of a summary stands in Slack's own line. */
const STATUS_LENGTH = 60;

/** One message per cause of trouble, where operators have a channel. */
function troubles(workspace: Workspace, context: RenderContext): Message[] {
  const { operators: channel } = context;
  if (channel === null) return [];
  return Object.values(workspace.troubles)
    .map(trouble => ({ trouble, key: troubleKey(trouble.cause) }))
    .filter(({ trouble, key }) => trouble.closedAtMs === null || at(workspace.posts, key)?.ts)
    .map(({ trouble: { cause, code, detail, about, closedAtMs }, key }) => ({
      key,
      rank: 'final',
      place: { channel },
      content: troubleContent({ cause, code, detail, about, over: closedAtMs !== null }, context),
      evidence: false,
    }));
}

function cardsOf(thread: Thread, of: Deciding): string[] {
  const call = 'execution' in of ? at(thread.calls, of.execution.split('.')[0] ?? '') : undefined;
  const id = 'approval' in of ? of.approval : call?.approval;
  const approval = id ? at(thread.approvals, id) : undefined;
  const cards = approval ? Array.from({ length: approval.card }, (_, index) => cardKey(approval, index + 1)) : [];
  return 'execution' in of ? [...cards, doubtKey(of.execution)] : cards;
}

/** What a tool asks people from inside waits for them as a request does; what it puts to approvers is a call of its own. */
const waitsForPeople = (call: Call): boolean =>
  needsPeople(call) || (call.state.is === 'suspended' && call.state.wait.on !== 'run');

/** What Slack shows while nobody has to do anything: what runs now without a message that says so, or that the agent thinks. */
function statusOf(thread: Thread, pen: Pen): string {
  const run = currentRun(thread);
  if (!run || run.away !== null) return '';
  const calls = activeRuns(thread, run).flatMap(one => one.turnCalls.flatMap(id => at(thread.calls, id) ?? []));
  const running = calls.filter(call => call.state.is === 'claimed');
  const unsaid = running.find(call => call.approval === null);
  if (unsaid) {
    const summary = pen.show.line(unsaid.judgement?.summary ?? unsaid.tool);
    return pen.texts.working.runs(shorten(summary, STATUS_LENGTH));
  }
  const waits = calls.some(call => waitsForPeople(call) || isHeld(thread, call));
  return running.length > 0 || waits ? '' : pen.texts.working.thinking;
}

/** The views under one configuration. */
export function renderingOf(context: RenderContext): Rendering {
  const pen = penOf(context);
  const closed = `🔁 ${pen.texts.card.copy}`;
  return {
    thread: (thread, workspace) => render(thread, workspace, context),
    operators: workspace => troubles(workspace, context),
    room: (call, evidence) => room(call, evidence, context),
    cards: cardsOf,
    damaged: refusalContent({ code: 'thread_damaged' }, null, context),
    copyNotice: { text: closed, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: closed } }] },
    growing: (thread, id, text) => {
      const run = at(thread.runs, id);
      return run && run.end === null && run.cancelled === null ? growingAnswer(pen, thread, run, text) : undefined;
    },
    status: thread => statusOf(thread, pen),
  };
}
