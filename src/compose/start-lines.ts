/** Owns what the terminal shows at start and stop: plain lines, in the order in which an operator asks. */

/** One of the parts that are embedded or real. */
export interface Side {
  readonly embedded: boolean;
  /** What it is, in one phrase. */
  readonly what: string;
  /** Which variables make it real; shown only while it is embedded. */
  readonly hint: string;
}

/** What waits for people. */
export interface Waiting {
  readonly approvals: number;
  readonly questions: number;
  readonly inDoubt: number;
}

export interface StartFacts {
  readonly version: string;
  readonly node: string;
  readonly slack: Side;
  readonly model: Side;
  readonly table: Side;
  readonly policy: string;
  /** Who answers where; null where there is only one agent. */
  readonly agents: string | null;
  /** Where cards and operators' messages go; null in the embedded workspace of this process. */
  readonly cards: string | null;
  readonly waiting: Waiting;
  /** What somebody might not expect, one sentence each. */
  readonly notes: readonly string[];
  /** Where this process listens: the page of its embedded workspace, or only `/health`. */
  readonly url: string;
  readonly servesPage: boolean;
  /** Where Dana of the embedded workspace is answered; null where no agent listens to her. */
  readonly answersIn: string | null;
  /** False where cards go into the threads of those who asked. */
  readonly hasApprovals: boolean;
}

const LABEL = 8;
const KIND = 11;
/** Hints stand below each other unless a line is longer. */
const HINTS = 53;

/** `3 approvals`, `1 approval`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const labelled = (label: string, text: string): string => `  ${label.padEnd(LABEL)}${text}`;

function sideLine(label: string, { embedded, what, hint }: Side): string {
  const line = labelled(label, `${(embedded ? 'embedded' : 'real').padEnd(KIND)}${what}`);
  return embedded ? `${line.padEnd(HINTS)}  ${hint}` : line;
}

/** Real people and a model of rules: that has to be seen. */
function modelLine(model: Side, slack: Side): string {
  if (!model.embedded || slack.embedded) return sideLine('Model', model);
  return `${labelled('Model', `${'embedded'.padEnd(KIND)}${model.what}`)}  ← real people will talk to it`;
}

/** The lines that `npm start` prints once everything is up; the page's address stands on a line of its own. */
export function startLines(facts: StartFacts): string[] {
  const { approvals, questions, inDoubt } = facts.waiting;
  const waits = `${counted(approvals, 'approval')}, ${counted(questions, 'question')}, ${inDoubt} in doubt`;
  const isBusy = approvals + questions + inDoubt > 0;
  return [
    `Countersign ${facts.version} · node ${facts.node}`,
    '',
    sideLine('Slack', facts.slack),
    modelLine(facts.model, facts.slack),
    sideLine('Table', facts.table),
    labelled('Policy', facts.policy),
    ...(facts.agents === null ? [] : [labelled('Agents', facts.agents)]),
    ...(facts.cards === null ? [] : [labelled('Cards', facts.cards)]),
    ...(isBusy || !facts.servesPage ? [labelled('Waiting', waits)] : []),
    ...facts.notes.map(note => labelled('Note', note)),
    ...(facts.servesPage ? ['', ...invitation(facts)] : [`Ready. Health: ${facts.url}/health`]),
  ];
}

const DEMO_SENTENCES = [
  '  @Countersign run echo hello',
  '  @Countersign 请执行命令 echo hello',
  '  @Countersign list notes, delete notes/old.txt and write "hi" to hello.txt',
];

/** What to try; the sentences are those of the demo model, for one agent that has every tool. */
const invitation = ({ url, model, agents, answersIn, hasApprovals }: StartFacts): string[] => [
  'Open',
  url,
  ...(answersIn === null
    ? ['No agent listens to Dana in this workspace; give one a channel of hers (agents, listen).']
    : [
        ...(model.embedded && agents === null
          ? [`and write as Dana in ${answersIn}:`, ...DEMO_SENTENCES]
          : [`and write to @Countersign as Dana in ${answersIn},`]),
        `then switch to ${hasApprovals ? 'Mia and decide in #approvals' : 'somebody who may decide, in the same thread'}.`,
      ]),
  '',
  'Ctrl-C stops; what waits, waits. In the terminal instead: npm run demo',
];

/** How the line at a stop begins, before running tools are waited for; `stopped` ends it. */
export const stopping = (running: number, drainMs: number): string =>
  running === 0
    ? 'Stopping …'
    : `Stopping: ${counted(running, 'tool')} running, waiting up to ${Math.round(drainMs / 1000)} s …`;

/** How it ends; null when what waits could not be read. */
export function stopped(waiting: Waiting | null): string {
  if (waiting === null) return ' done. What waits, waits; it goes on at the next start.';
  const { approvals, questions, inDoubt } = waiting;
  const parts = [
    ...(approvals > 0 ? [`${counted(approvals, 'approval')} ${approvals === 1 ? 'waits' : 'wait'}`] : []),
    ...(questions > 0 ? [`${counted(questions, 'question')} ${questions === 1 ? 'waits' : 'wait'}`] : []),
    ...(inDoubt > 0 ? [`${counted(inDoubt, 'call')} ${inDoubt === 1 ? 'is' : 'are'} in doubt`] : []),
  ];
  if (parts.length === 0) return ' done. Nothing waits.';
  return ` done. ${parts.join(', ')}; ${approvals + questions + inDoubt === 1 ? 'it goes' : 'they go'} on at the next start.`;
}
