/**
 * Owns the story that `npm run demo` plays in the terminal, line by line, against the whole embedded stack: the same
 * server, Slack client, table and model as `npm start`.
 */
import { controlsOf, type DemoPeople, type ShownMessage } from './people.ts';

const APP = 'U0BOT0001';
const DANA = 'U0DANA001';
const MIA = 'U0MIA0001';
const OTTO = 'U0OTTO001';
const LEO = 'U0LEO0001';
const GENERAL = 'C0GENERAL';
const APPROVALS = 'C0APPROV1';

export interface Stage {
  readonly people: DemoPeople;
  readonly print: (line: string) => void;
  /** Ends Countersign as SIGTERM does and starts it again on the same data. */
  readonly restart: () => Promise<DemoPeople>;
}

/** Plays the whole story; throws if something does not happen as it should. */
export async function playDemo({ people, print, restart }: Stage): Promise<void> {
  const tell = teller(print);
  tell.title('1. A command waits for somebody who may decide');
  await oneCommand(people, tell);
  tell.title('2. Three calls at once: one is harmless, one is approved, one rejected');
  const waiting = await threeCalls(people, tell);
  tell.title('3. Countersign is restarted while a request waits');
  const later = await restart();
  tell.act('stopped and started again; nothing was lost');
  await decideLater(later, tell, waiting);
  tell.title('4. Countersign asks back: the person who wrote, then those who may decide');
  await oneQuestion(later, tell);
  await oneChoice(later, tell);
  print('');
  print('Play yourself: npm start');
}

async function oneCommand(people: DemoPeople, tell: Teller): Promise<void> {
  const thread = await people.say(DANA, GENERAL, `<@${APP}> run echo hello`);
  tell.said('Dana in #general', ['@Countersign run echo hello']);
  const card = await people.see(APPROVALS, null, isCard('Run echo hello', 'approve'), 'the card');
  tell.said('#approvals', people.lines(card));
  for (const [who, name] of [
    [DANA, 'Dana'],
    [OTTO, 'Otto'],
  ] as const) {
    await people.click(who, APPROVALS, card, 'approve');
    tell.whispered(`${name} clicks Approve`, await people.whisper(who));
  }
  tell.act('Mia clicks Approve');
  await people.click(MIA, APPROVALS, card, 'approve');
  const isDone = (shown: ShownMessage): boolean => shown.ts === card.ts && holds('✅')(shown);
  tell.said('the card', people.lines(await people.see(APPROVALS, null, isDone, 'the outcome')));
  const isAnswer = (shown: ShownMessage): boolean =>
    shown.user === APP && holds('hello')(shown) && !holds('✅')(shown) && !holds('Approv')(shown);
  tell.said('Countersign to Dana', people.lines(await people.see(GENERAL, thread, isAnswer, 'the answer')));
}

interface WaitingRequest {
  readonly thread: string;
  readonly card: ShownMessage;
}

async function threeCalls(people: DemoPeople, tell: Teller): Promise<WaitingRequest> {
  const text = 'list notes, delete notes/old.txt and write "hi" to hello.txt';
  const thread = await people.say(DANA, GENERAL, `<@${APP}> ${text}`);
  tell.said('Dana in #general', [`@Countersign ${text}`]);
  const isDelete = isCard('Delete notes/old.txt', 'reject');
  const toDelete = await people.see(APPROVALS, null, isDelete, 'the card about the deletion');
  const toWrite = await people.see(APPROVALS, null, isCard('Write hello.txt', 'approve'), 'the card about the file');
  for (const card of [toDelete, toWrite]) tell.said('#approvals', people.lines(card).slice(0, 4));
  tell.act('Leo clicks Reject and writes why: "We still need it."');
  await people.click(LEO, APPROVALS, toDelete, 'reject');
  await people.submit(LEO, 'reject_form', { reason: { reason: 'We still need it.' } });
  return { thread, card: toWrite };
}

async function decideLater(people: DemoPeople, tell: Teller, { thread, card }: WaitingRequest): Promise<void> {
  tell.act('Mia clicks Approve');
  await people.click(MIA, APPROVALS, card, 'approve');
  const isSettled = (shown: ShownMessage): boolean =>
    ['✅', '✋'].every(sign => holds(sign)(shown)) && !['▶️', '⏳'].some(sign => holds(sign)(shown));
  const status = await people.see(GENERAL, thread, isSettled, 'the status in the thread');
  tell.said('the thread', people.lines(status));
  const isAnswer = (shown: ShownMessage): boolean => shown.user === APP && shown.ts > status.ts;
  tell.said('Countersign to Dana', people.lines(await people.see(GENERAL, thread, isAnswer, 'the answer')));
}

async function oneQuestion(people: DemoPeople, tell: Teller): Promise<void> {
  const thread = await people.say(DANA, GENERAL, `<@${APP}> book a flight`);
  tell.said('Dana in #general', ['@Countersign book a flight']);
  const isQuestion = (shown: ShownMessage): boolean => controlsOf(shown).some(each => each.action_id === 'answer');
  const question = await people.see(GENERAL, thread, isQuestion, 'the question');
  tell.said('Countersign to Dana', people.lines(question));
  tell.said('Dana in the thread', ['Lisbon']);
  await people.say(DANA, GENERAL, 'Lisbon', thread);
  const isAnswer = (shown: ShownMessage): boolean =>
    shown.user === APP && shown.ts > question.ts && holds('Lisbon')(shown);
  tell.said('Countersign to Dana', people.lines(await people.see(GENERAL, thread, isAnswer, 'the answer')));
}

async function oneChoice(people: DemoPeople, tell: Teller): Promise<void> {
  const thread = await people.say(DANA, GENERAL, `<@${APP}> roll back billing`);
  tell.said('Dana in #general', ['@Countersign roll back billing']);
  const card = await people.see(APPROVALS, null, isCard('billing', 'option_0'), 'the card with the ways');
  tell.said('#approvals', people.lines(card));
  tell.act('Mia chooses the first way');
  await people.click(MIA, APPROVALS, card, 'option_0');
  const isAnswer = (shown: ShownMessage): boolean =>
    shown.user === APP && holds('v41')(shown) && !['⏳', '▶️', '✅'].some(sign => holds(sign)(shown));
  tell.said('Countersign to Dana', people.lines(await people.see(GENERAL, thread, isAnswer, 'the answer')));
}

const holds = (text: string) => (shown: ShownMessage) => JSON.stringify(shown).includes(text);

/** A card about this call that still has this button. */
const isCard = (summary: string, actionId: string) => (shown: ShownMessage) =>
  controlsOf(shown).some(each => each.action_id === actionId) &&
  JSON.stringify(shown.blocks?.find(block => block.type === 'header')).includes(summary);

interface Teller {
  readonly title: (text: string) => void;
  readonly said: (who: string, lines: readonly string[]) => void;
  readonly act: (text: string) => void;
  readonly whispered: (act: string, text: string) => void;
}

const teller = (print: (line: string) => void): Teller => ({
  title: text => {
    print('');
    print(`── ${text}`);
  },
  said: (who, lines) => {
    print(`${who}:`);
    for (const line of lines) print(`    ${line}`);
  },
  act: text => print(`→ ${text}`),
  whispered: (act, text) => {
    print(`→ ${act}`);
    print(`    (only they see this) ${text}`);
  },
});
