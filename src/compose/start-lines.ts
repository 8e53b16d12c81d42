/** Owns what the terminal shows at start and stop: plain lines, in the order in which an operator asks. */

export interface Side {
  readonly embedded: boolean;
  /** What it is, in one phrase. */
  readonly what: string;
  /** Which variables make it real; shown only while it is embedded. */
  readonly hint: string;
}

export interface StartFacts {
  readonly version: string;
  readonly node: string;
  readonly slack: Side;
  readonly model: Side;
  readonly table: Side;
  readonly policy: string;
  /** Where cards and operators' messages go; null in the embedded workspace. */
  readonly cards: string | null;
  readonly waiting: { readonly approvals: number; readonly inDoubt: number };
  readonly notes: readonly string[];
  readonly url: string;
}

const LABEL = 8;
const KIND = 11;

function side(label: string, { embedded, what, hint }: Side, realSlack: boolean): string {
  const kind = embedded ? 'embedded' : 'real';
  const line = `  ${label.padEnd(LABEL)}${kind.padEnd(KIND)}${what}`;
  if (!embedded) return line;
  return realSlack ? `${line}  ${hint}` : `${line.padEnd(54)} ${hint}`;
}

/** The lines that `npm start` prints once everything is up; the address stands on a line of its own. */
export function startLines(facts: StartFacts): string[] {
  const realSlack = !facts.slack.embedded;
  const warning =
    realSlack && facts.model.embedded ? { ...facts.model, hint: '← real people will talk to it' } : facts.model;
  const { approvals, inDoubt } = facts.waiting;
  return [
    `Countersign ${facts.version} · node ${facts.node}`,
    '',
    side('Slack', facts.slack, realSlack),
    side('Model', warning, realSlack && facts.model.embedded),
    side('Table', facts.table, false),
    `  ${'Policy'.padEnd(LABEL)}${facts.policy}`,
    ...(facts.cards === null ? [] : [`  ${'Cards'.padEnd(LABEL)}${facts.cards}`]),
    ...(approvals + inDoubt > 0 || realSlack
      ? [`  ${'Waiting'.padEnd(LABEL)}${counted(approvals, 'approval')}, ${inDoubt} in doubt`]
      : []),
    ...facts.notes.map(note => `  ${'Note'.padEnd(LABEL)}${note}`),
    ...(realSlack ? [`Ready. Health: ${facts.url}/health`] : ['', ...invitation(facts.url)]),
  ];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const invitation = (url: string): string[] => [
  'Open',
  url,
  'and write as Dana in #general:',
  '  @Countersign run echo hello',
  '  @Countersign 请执行命令 echo hello',
  '  @Countersign list notes, delete notes/old.txt and write "hi" to hello.txt',
  'then switch to Mia and decide in #approvals.',
  '',
  'Ctrl-C stops; what waits, waits. In the terminal instead: npm run demo',
];

/** The line at a stop, before running tools are waited for. */
export const stoppingLine = (running: number): string =>
  running === 0 ? 'Stopping …' : `Stopping: ${counted(running, 'tool')} running, waiting up to 25 s …`;

/** The line at the end of a stop. */
export const stoppedLine = (approvals: number): string =>
  approvals === 0
    ? 'Done. Nothing waits.'
    : `Done. ${counted(approvals, 'approval')} wait${approvals === 1 ? 's' : ''}; they go on at the next start.`;
