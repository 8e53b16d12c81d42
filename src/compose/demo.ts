/**
 * Owns the story that `npm run demo` plays in the terminal, line by line, against the whole embedded stack: the same
 * server, Slack client, table and model as `npm start`.
 */
import { controlsOf, type DemoPeople, type ShownMessage } from './demo-people.ts';

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

const hasButton = (actionId: string) => (shown: ShownMessage) =>
  controlsOf(shown).some(each => each.action_id === actionId);
/** A card about this call that still has this button. */
const cardWith = (summary: string, actionId: string) => (shown: ShownMessage) =>
  hasButton(actionId)(shown) && JSON.stringify(shown.blocks?.find(block => block.type === 'header')).includes(summary);
const about = (text: string) => (shown: ShownMessage) => JSON.stringify(shown).includes(text);

/** Plays the whole story; throws if something does not happen as it should. */
export async function playDemo({ people, print, restart }: Stage): Promise<void> {
  const tell = teller(print);
  tell.title('1. A command waits for somebody who may decide');
  const first = await people.say(DANA, GENERAL, '<@U0BOT0001> run echo hello');
  tell.said('Dana in #general', ['@Countersign run echo hello']);
  const card = await people.see(APPROVALS, null, cardWith('Run echo hello', 'approve'), 'the card');
  tell.said('#approvals', people.lines(card));
  await people.click(DANA, APPROVALS, card, 'approve');
  tell.whispered('Dana clicks Approve', (await people.whisper(DANA, 0)).text);
  await people.click(OTTO, APPROVALS, card, 'approve');
  tell.whispered('Otto clicks Approve', (await people.whisper(OTTO, 0)).text);
  tell.act('Mia clicks Approve');
  await people.click(MIA, APPROVALS, card, 'approve');
  const done = await people.see(
    APPROVALS,
    null,
    shown => shown.ts === card.ts && !hasButton('approve')(shown) && about('✅')(shown),
    'the outcome',
  );
  tell.said('the card', people.lines(done));
  const answer = await people.see(
    GENERAL,
    first,
    shown => shown.user === 'U0BOT0001' && !about('Approv')(shown) && about('hello')(shown) && !about('✅')(shown),
    'the answer',
  );
  tell.said('Countersign to Dana', people.lines(answer));

  tell.title('2. Three calls at once: one is harmless, one is approved, one rejected');
  const second = await people.say(
    DANA,
    GENERAL,
    '<@U0BOT0001> list notes, delete notes/old.txt and write "hi" to hello.txt',
  );
  tell.said('Dana in #general', ['@Countersign list notes, delete notes/old.txt and write "hi" to hello.txt']);
  const toDelete = await people.see(
    APPROVALS,
    null,
    cardWith('Delete notes/old.txt', 'reject'),
    'the card about the deletion',
  );
  const toWrite = await people.see(APPROVALS, null, cardWith('Write hello.txt', 'approve'), 'the card about the file');
  tell.said('#approvals', people.lines(toDelete).slice(0, 4));
  tell.said('#approvals', people.lines(toWrite).slice(0, 4));
  tell.act('Leo clicks Reject and writes why: "We still need it."');
  await people.click(LEO, APPROVALS, toDelete, 'reject');
  await people.submit(LEO, 'reject_form', { reason: { reason: 'We still need it.' } });

  tell.title('3. Countersign is restarted while a request waits');
  const later = await restart();
  tell.act('stopped and started again; nothing was lost');
  tell.act('Mia clicks Approve');
  await later.click(MIA, APPROVALS, toWrite, 'approve');
  const status = await later.see(
    GENERAL,
    second,
    shown => about('✅')(shown) && about('✋')(shown) && !about('▶️')(shown) && !about('⏳')(shown),
    'the status in the thread',
  );
  tell.said('the thread', later.lines(status));
  const last = await later.see(
    GENERAL,
    second,
    shown => shown.user === 'U0BOT0001' && shown.ts > status.ts,
    'the answer',
  );
  tell.said('Countersign to Dana', later.lines(last));
  print('');
  print('That is the main job. Play yourself: npm start');
}

function teller(print: (line: string) => void) {
  const block = (who: string, lines: readonly string[]): void => {
    print(`${who}:`);
    for (const line of lines) print(`    ${line}`);
  };
  return {
    title: (text: string): void => {
      print('');
      print(`── ${text}`);
    },
    said: block,
    act: (text: string): void => print(`→ ${text}`),
    whispered: (act: string, text: string): void => {
      print(`→ ${act}`);
      print(`    (only visible to them) ${text}`);
    },
  };
}
