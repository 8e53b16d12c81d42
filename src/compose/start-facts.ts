/** Owns what is told of a start and a stop: each side in a line, and how much waits for people. */
import type { Environment } from '../config/environment.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import type { SlackApp } from '../slack/app.ts';
import type { Log, Ports } from '../worker/ports.ts';
import { whatWaits } from '../worker/what-waits.ts';
import { agentsLine, whereAnswered } from './agents-line.ts';
import { systemClock as clock } from './clock.ts';
import { modelSide } from './model-side.ts';
import { policyWords } from './policy-notes.ts';
import type { Serving } from './serve.ts';
import { cardsLine, slackSide, type SlackPlace } from './slack-side.ts';
import type { StartFacts, Waiting } from './start-lines.ts';
import type { TableSide } from './table-side.ts';

const NO_KEY = 'COUNTERSIGN_KEY is not set: no snapshots are kept in a real table, so that old threads are read whole.';

/** What the start-up lines say. */
export async function factsOf(
  { environment, file }: { readonly environment: Environment; readonly file: PolicyFile },
  parts: {
    readonly version: string;
    /** What it all stands on. */
    readonly ground: {
      readonly serving: Serving;
      readonly table: Pick<TableSide, 'side'>;
      readonly log: Log;
      readonly macKey: Uint8Array | null;
    };
    readonly place: SlackPlace;
    readonly slack: SlackApp;
    readonly tools: Ports['tools'];
  },
): Promise<StartFacts> {
  const { ground, place, slack } = parts;
  const { serving } = ground;
  const policy = policyWords(file, parts.tools);
  const servesPage = serving.workspace !== null;
  return {
    version: parts.version,
    node: process.versions.node,
    slack: slackSide(place, slack, serving),
    model: modelSide(environment, file.agents),
    table: ground.table.side,
    policy: policy.line,
    agents: await agentsLine(place, file.agents),
    cards: servesPage ? null : await cardsLine(place, file.channels),
    waiting: await countWaiting(ground.log, slack.identity.team),
    notes: [...policy.notes, ...(ground.macKey === null ? [NO_KEY] : [])],
    answersIn: whereAnswered(file.agents),
    hasApprovals: file.channels.approvals !== null,
    url: serving.url,
    servesPage,
  };
}

/** How much waits for people in the threads of a team. Throws LogUnavailable. */
export async function countWaiting(log: Log, team: Ports['team']): Promise<Waiting> {
  const entries = await log.due(team, Number.MAX_SAFE_INTEGER);
  const logs = entries.map(entry => entry.key);
  const { items: open } = await whatWaits(log, logs, clock.nowMs());
  const count = (kind: (typeof open)[number]['kind']): number => open.filter(item => item.kind === kind).length;
  return { approvals: count('approval'), questions: count('question'), inDoubt: count('in_doubt') };
}
