/**
 * `npm run screenshots`: plays the states that a request can come to, on a fresh folder, and takes the pictures of the
 * documents into docs/images. Emoji are drawn by the system's own font; without one they are boxes.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../support/repository.ts';
import { openBrowser } from './chromium.ts';
import { openHouse } from './house.ts';
import { ask, CARDS, IMAGES, picture, threadPicture, type Set } from './pictures.ts';
import { draftReviewed, questions, surfaces } from './screenshots-people.ts';
import { APPROVALS, GENERAL, gone, OPS, sees, Visitor } from './visitor.ts';

async function mainJob(set: Set): Promise<void> {
  const { dana, mia, browser, house } = set;
  const card = await ask(set, 'run echo hello', 'Run echo hello');
  await picture('card-waiting', card);
  await mia.become('Otto Berg');
  await mia.control(card, 'approve').click();
  await sees(mia.privately('SRE decides this'));
  await picture('refused', mia.privately('SRE decides this'));
  await mia.become('Mia Chen');

  const phone = await Visitor.open(browser, house.url, 'Mia', APPROVALS, { width: 390, height: 844, sharpness: 1.5 });
  await sees(phone.card('Run echo hello'));
  await picture('phone', phone);
  await phone.page.close();

  await mia.control(card, 'approve').click();
  await sees(mia.card('✅ Run echo hello'));
  await picture('card-done', card);
  const busy = await ask(set, 'run sleep 60', 'Run sleep 60');
  await mia.control(busy, 'approve').click();
  await sees(mia.control(mia.card('▶️ Run sleep 60'), 'stop'));
  await picture('card-running', busy);
  await dana.openThread('run sleep 60');
  await sees(dana.thread.getByText('Running: Run sleep 60'));
  await threadPicture(set, 'thread-running', 'run sleep 60');
  await mia.control(busy, 'stop').click();
  await mia.question.getByRole('button', { name: 'Stop' }).click();
  await sees(mia.card('⚠️ Run sleep 60').getByText('Stopped by'));
  await picture('card-stopped', busy);
}

async function severalCalls(set: Set): Promise<void> {
  const { dana, mia } = set;
  await ask(set, 'list notes, delete notes/old.txt and write "hi" to hello.txt', 'Write hello.txt');
  await dana.openThread('list notes, delete');
  await sees(dana.thread.getByText('1 of 3 done, 2 wait'));
  await threadPicture(set, 'thread', 'list notes, delete');
  await mia.control(mia.card('Delete notes/old.txt'), 'approve').click();
  await sees(mia.question);
  await picture('confirm', mia.question);
  await mia.question.getByRole('button', { name: 'Approve' }).click();
  await sees(mia.card('✅ Delete notes/old.txt'));
  await mia.control(mia.card('Write hello.txt'), 'reject').click();
  await mia.form.getByLabel('Reason').fill('Not during the sale.');
  await picture('form-reject', mia.form);
  await mia.form.getByRole('button', { name: 'Reject' }).click();
  await sees(mia.card('✋ Write hello.txt'));
  await picture('card-rejected', mia.card('✋ Write hello.txt'));
  await sees(dana.thread.getByText('I stop here.'));
  await picture('page', dana);
}

async function changedWorld(set: Set): Promise<void> {
  const { mia, house } = set;
  await writeFile(house.project('plan.txt'), 'one\n');
  const first = await ask(set, 'delete plan.txt', '⏳ Delete plan.txt');
  const approve = async (): Promise<void> => {
    await mia.control(first, 'approve').click();
    await mia.question.getByRole('button', { name: 'Approve' }).click();
    await gone(mia.question);
  };
  for (const [content, again] of [
    ['two\n', '2nd time'],
    ['three\n', '3rd time'],
  ] as const) {
    await writeFile(house.project('plan.txt'), content);
    await approve();
    await sees(mia.card('⏳ Delete plan.txt').getByText(again));
  }
  await picture('card-replaced', mia.card('🔁 Delete plan.txt'));
  await picture('card-asked-again', mia.card('⏳ Delete plan.txt'));
  await writeFile(house.project('plan.txt'), 'four\n');
  await approve();
  await sees(mia.card('🚫 Delete plan.txt'));
  await picture('card-not-run', mia.card('🚫 Delete plan.txt'));
}

async function longAndMeanwhile(set: Set): Promise<void> {
  const { dana, mia } = set;
  const lines = Array.from({ length: 11 }, (_, line) => `${line + 1}. call customer ${line + 1}`).join('; ');
  const card = await ask(set, `write "${lines}" to calls.txt`, 'Write calls.txt');
  await mia.control(card, 'review').click();
  await sees(mia.form.locator('pre').first());
  await picture('form-review', mia.form);
  await mia.form.getByRole('button', { name: 'Back' }).click();
  await dana.openThread('to calls.txt');
  await sees(dana.thread.getByText('Waiting for approval'));
  await dana.write('customer 7 has left us', 'thread');
  await sees(card.getByText('“customer 7 has left us”'));
  await sees(dana.control(dana.thread, 'use_instead'));
  await picture('thread-meanwhile', dana.thread.locator('article.message').last());
  await picture('card-round', card);
}

async function expired(set: Set): Promise<void> {
  const { dana, mia } = set;
  await mia.goTo(OPS);
  await dana.write('@Countersign run date');
  await sees(mia.card('⌛ Run date'));
  await picture('card-expired', mia.card('⌛ Run date'));
  await dana.openThread('run date');
  await sees(dana.control(dana.thread, 'ask_again'));
  await threadPicture(set, 'thread-expired', 'run date');
  await mia.goTo(APPROVALS);
}

/** A process of its own that is killed while a command runs; the house goes on with its folder. */
async function inDoubt(set: Set): Promise<void> {
  const { house, browser } = set;
  await house.stop();
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    env: {
      PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      COUNTERSIGN_DATA: house.folder,
      COUNTERSIGN_CONFIG: join(house.folder, 'countersign.yaml'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise(resolve => child.once('close', resolve));
  try {
    let url = '';
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('http://')) url = line;
      if (line.startsWith('Ctrl-C')) break;
    }
    const [dana, mia] = await Promise.all([
      Visitor.open(browser, url, 'Dana', GENERAL),
      Visitor.open(browser, url, 'Mia', APPROVALS),
    ]);
    await dana.write('@Countersign run sleep 45');
    await mia.control(mia.card('Run sleep 45'), 'approve').click();
    await sees(mia.card('▶️ Run sleep 45').getByText('since'));
    await Promise.all([dana.page.close(), mia.page.close()]);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  await house.start();
  const mia = await Visitor.open(browser, house.url, 'Mia', APPROVALS, CARDS);
  await sees(mia.card('❓ Run sleep 45'));
  await picture('card-in-doubt', mia.card('❓ Run sleep 45'));
  await threadPicture(set, 'thread-in-doubt', 'run sleep 45');
  await mia.page.close();
}

async function dark({ house, browser }: Set): Promise<void> {
  const mia = await Visitor.open(browser, house.url, 'Mia', APPROVALS, { dark: true });
  await sees(mia.card('Run sleep 45'));
  await picture('page-dark', mia);
  await mia.goTo('C0OPSALRT');
  await picture('operators', mia.channel('C0OPSALRT'));
}

await mkdir(IMAGES, { recursive: true });
const browser = await openBrowser();

/** Plays stories in a house of their own. */
async function play(policy: string | undefined, stories: readonly ((set: Set) => Promise<void>)[]): Promise<void> {
  const house = await openHouse(policy);
  try {
    const [dana, mia] = await Promise.all([
      Visitor.open(browser, house.url, 'Dana', GENERAL),
      Visitor.open(browser, house.url, 'Mia', APPROVALS, CARDS),
    ]);
    for (const story of stories) await story({ house, browser, dana, mia });
    await Promise.all([dana.page.close(), mia.page.close()]);
  } finally {
    await house.close();
  }
}

try {
  await play(undefined, [mainJob, severalCalls, changedWorld, longAndMeanwhile, expired, inDoubt, dark]);
  await play(undefined, [questions, surfaces]);
  await play(join(repositoryRoot, 'docs/examples/agents/countersign.yaml'), [draftReviewed]);
} finally {
  await browser.close();
}
