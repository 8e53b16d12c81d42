/** Owns how a picture of the documents is taken, and what the stories behind them share. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import type { House } from './house.ts';
import { GENERAL, sees, Visitor } from './visitor.ts';

export const IMAGES = join(import.meta.dirname, '../../docs/images');
/** A window in which a card has all the room it wants, and little beside it. */
export const CARDS = { width: 976, height: 900, sharpness: 1.4 };
const LARGEST_BYTES = 150_000;

/** A window that is no higher than a thread of a few messages. */
const THREADS = { width: 1280, height: 480, sharpness: 1.5 };
/** What is left below and beside several things on one picture. */
const MARGIN_PX = 12;

/** Takes one picture, of a window, of one thing or around several, and says how large it is. */
export async function picture(name: string, of: Visitor | Locator, ...more: readonly Locator[]): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  const page = of instanceof Visitor ? of.page : of.page();
  await page.mouse.move(0, 0);
  if (of instanceof Visitor) await page.screenshot({ path });
  else if (more.length === 0) await of.screenshot({ path });
  else await page.screenshot({ path, clip: await around([of, ...more]) });
  const { size } = await stat(path);
  console.log(`${name.padEnd(20)} ${Math.round(size / 1000)} KB${size > LARGEST_BYTES ? ', too large' : ''}`);
  if (size > LARGEST_BYTES) process.exitCode = 1;
}

/** The smallest rectangle of the window that holds all of these, with a margin to the right and below. */
async function around(things: readonly Locator[]): Promise<{ x: number; y: number; width: number; height: number }> {
  const boxes = (await Promise.all(things.map(thing => thing.boundingBox()))).filter(box => box !== null);
  const [left, top] = [Math.min(...boxes.map(box => box.x)), Math.min(...boxes.map(box => box.y))];
  const right = Math.max(...boxes.map(box => box.x + box.width));
  const bottom = Math.max(...boxes.map(box => box.y + box.height));
  return { x: left, y: top, width: right + MARGIN_PX - left, height: bottom + MARGIN_PX - top };
}

/** What a story is played with: Dana asks in #general, Mia looks at #approvals. */
export interface Set {
  readonly house: House;
  readonly browser: Browser;
  readonly dana: Visitor;
  readonly mia: Visitor;
}

/** Dana asks for something and Mia sees its card. */
export async function ask({ dana, mia }: Set, text: string, headline: string): Promise<Locator> {
  await dana.write(`@Countersign ${text}`);
  const card = mia.card(headline);
  await sees(card);
  return card;
}

/** The thread below a message in #general, as Dana sees it in a window so high. */
export async function threadPicture(
  { browser, house }: Set,
  name: string,
  text: string,
  height = THREADS.height,
): Promise<void> {
  const dana = await Visitor.open(browser, house.url, 'Dana', GENERAL, { ...THREADS, height });
  await dana.openThread(text);
  await sees(dana.thread.locator('article.message').nth(1));
  await picture(name, dana.thread);
  await dana.page.close();
}
