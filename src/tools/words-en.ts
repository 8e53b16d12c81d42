/** Owns the tools' sentences in English. Paths and commands come in quoted where they need it. */

/** A problem in arguments: `path` is '' for the arguments as a whole. */
interface Problem {
  readonly path: string;
  readonly says: string;
}

const n = (value: number): string => value.toLocaleString('en-US');
const count = (value: number, one: string, many: string): string => `${n(value)} ${value === 1 ? one : many}`;

export const en = {
  // Any tool
  noSuchTool: (name: string) => `There is no tool ${name}.`,
  wrongArguments: (problems: readonly Problem[], more: number) =>
    `The arguments do not fit: ${problems.map(p => (p.path ? `${p.path}: ${p.says}` : p.says)).join('; ')}` +
    `${more > 0 ? `; and ${count(more, 'more problem', 'more problems')}` : ''}.`,
  brokenText: (path: string) => `The arguments hold text that is not valid Unicode${path ? `, at ${path}` : ''}.`,
  unknownArgument: (path: string) => `The arguments hold something that this tool does not take as it stands: ${path}.`,
  inspectFailed: (detail: string) => `The world could not be checked for this call: ${detail}`,
  inspectTooSlow: (seconds: number) => `Checking the world for this call took longer than ${n(seconds)} s.`,
  inspectStopped: 'Checking the world for this call was stopped.',
  noSummary: 'The tool did not say in words what it would do.',
  toolFailed: (tool: string, detail: string) => `${tool} ended with an error: ${detail}`,
  timedOut: (tool: string, seconds: number) => `${tool} was stopped after ${n(seconds)} s, its limit.`,
  aborted: (tool: string) => `${tool} was stopped.`,
  abortedBefore: (tool: string) => `${tool} was stopped before it began.`,
  askedOtherwise: (name: string) =>
    `What was answered under "${name}" does not fit what is asked there now; the tool has changed meanwhile.`,
  tooLateToBegin: (tool: string) => `${tool} was not begun: its time was over.`,
  lastSign: (sign: string) => `Last sign: ${sign}`,
  leftOut: (bytes: number) => `[… ${count(bytes, 'byte', 'bytes')} left out …]`,
  binaryOutput: (bytes: number) => `[binary output, ${count(bytes, 'byte', 'bytes')}, not shown]`,

  notOffered: (tool: string, agent: string) => `${tool} is none of the tools of the agent ${agent}.`,

  // ask_user, ask_approvers
  askUser: (question: string) => `Ask: ${question}`,
  askApprovers: (question: string) => `Choose: ${question}`,
  optionsWithChoices: 'goes with choice and choices, and with nothing else',
  optionsAlike: 'no two options may be alike',

  // ask_<agent>, hand_off_to_<agent>
  askAgent: (agent: string, task: string) => `Ask ${agent}: ${task}`,
  handOff: (agent: string, draft: string) => `Hand over to ${agent}: ${draft}`,
  noHandOff: (from: string, to: string) => `The agent ${from} does not hand its work to ${to}.`,
  draftReturned: (name: string, why: string) =>
    `The draft was not handed over: ${name} returned it, and says what to change: “${why}” You may change it and hand it over again.`,
  draftAccepted: (name: string) => `${name} accepted the draft. It was handed over, and this came back:`,
  draftEdited: (name: string) => `${name} changed the draft. The changed one was handed over, and this came back:`,

  // execute
  run: (command: string, folder: string | null) => `Run ${command}${folder === null ? '' : ` (in ${folder})`}`,
  runImpact: "It runs with Countersign's own rights and can change whatever they reach.",
  noProgram: (name: string) => `There is no program ${name} here. Nothing was run.`,
  notExecutable: (name: string) => `${name} is not a program that may be run. Nothing was run.`,
  notStarted: (name: string, code: string) => `${name} could not be started (${code}). Nothing was run.`,
  nulInArgument: 'a NUL character cannot be passed to a program',
  emptyProgram: 'the program has no name',
  filesChanged: 'What this command would run or read changed after the last look. Nothing was run.',
  exitCode: (code: number) => `exit code ${code}`,
  endedBySignal: (signal: string) => `ended by ${signal}`,
  commandTimedOut: (seconds: number) => `stopped after ${n(seconds)} s, its time limit`,
  commandAborted: 'stopped while it ran',
  commandLost: (detail: string) =>
    `the process that watches over the command ended early${detail ? `: ${detail}` : ''}`,
  noOutput: '(no output)',
  leftBehind: '(Processes that it had left behind were ended.)',

  // Paths
  pathEmpty: 'The path is empty.',
  pathNul: (path: string) => `The path ${path} holds a NUL character.`,
  pathAbsolute: (path: string) =>
    `The path ${path} is absolute. Paths start at the project folder, such as notes/old.txt.`,
  pathParent: (path: string) => `The path ${path} holds "..". Paths start at the project folder and only lead down.`,
  pathForm: (path: string, plain: string) => `Write the path ${path} in its plain form: ${plain}.`,
  pathOut: (path: string) => `The path ${path} is a link that leads out of the project folder.`,
  pathLink: (path: string, real: string) => `The path ${path} is really ${real}. Name that instead.`,
  pathBrokenLink: (path: string) => `The path ${path} is a link that leads nowhere.`,
  pathTooLong: (path: string) => `The path ${path} is too long.`,
  pathThroughFile: (path: string) => `The path ${path} leads through something that is not a folder.`,
  noFile: (path: string) => `There is no file ${path}.`,
  noFolder: (path: string) => `There is no folder ${path}.`,
  isFolder: (path: string) => `${path} is a folder, not a file.`,
  isFile: (path: string) => `${path} is a file, not a folder.`,
  isSpecial: (path: string) =>
    `${path} is neither a file nor a folder (a pipe, a socket or a device), so it is left alone.`,
  fileTrouble: (path: string, code: string) => `The system refused ${path} (${code}).`,
  changedMeanwhile: (path: string) => `${path} changed after the last look. Nothing was done.`,

  // list_files, read_file, write_file, delete_file
  list: (path: string) => `List ${path}`,
  listed: (name: string, bytes: number) => `${name} (${count(bytes, 'byte', 'bytes')})`,
  listedLink: (name: string) => `${name} (link)`,
  listedSpecial: (name: string) => `${name} (neither file nor folder)`,
  listedMore: (more: number) => `… and ${n(more)} more`,
  emptyFolder: '(empty)',
  read: (path: string) => `Read ${path}`,
  tooLarge: (path: string, bytes: number, limit: number) =>
    `${path} has ${n(bytes)} bytes; at most ${n(limit)} can be read.`,
  binaryFile: (path: string, bytes: number) =>
    `${path} is not text (${count(bytes, 'byte', 'bytes')}), so it is not shown.`,
  emptyFile: (path: string) => `${path} is empty.`,
  write: (path: string, characters: number, replaces: Replaced | null) =>
    `Write ${path} (${count(characters, 'character', 'characters')}, ${replaces === null ? 'new' : replaced(replaces)})`,
  writeImpact: 'What the file holds now does not come back.',
  wrote: (path: string, characters: number) => `Wrote ${path} (${count(characters, 'character', 'characters')}).`,
  delete: (path: string) => `Delete ${path}`,
  deleteImpact: 'No copy of the file is kept.',
  deleted: (path: string) => `Deleted ${path}.`,
};

/** How much would be lost: characters of a text, else bytes. */
type Replaced = { readonly characters: number } | { readonly bytes: number };

function replaced(what: Replaced): string {
  return `replaces ${'characters' in what ? n(what.characters) : count(what.bytes, 'byte', 'bytes')}`;
}
