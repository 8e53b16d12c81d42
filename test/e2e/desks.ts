/** Owns two windows on one running Countersign: Dana, who asks, and a desk at which one after the other decides. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from './chromium.ts';
import { openHouse, type House } from './house.ts';
import { APPROVALS, GENERAL, Visitor } from './visitor.ts';

/** A house with its browser. */
export class Desks {
  readonly house: House;
  readonly browser: Browser;
  /** In #general. */
  readonly dana: Visitor;
  /** In #approvals, first Mia. */
  readonly desk: Visitor;

  private constructor(house: House, browser: Browser, dana: Visitor, desk: Visitor) {
    this.house = house;
    this.browser = browser;
    this.dana = dana;
    this.desk = desk;
  }

  /** With the policy file of `policy`, or the shipped one. */
  static async open(policy?: string): Promise<Desks> {
    const [house, browser] = await Promise.all([openHouse(policy), openBrowser()]);
    const [dana, desk] = await Promise.all([
      Visitor.open(browser, house.url, 'Dana', GENERAL),
      Visitor.open(browser, house.url, 'Mia', APPROVALS),
    ]);
    return new Desks(house, browser, dana, desk);
  }

  /** Dana writes to the app in #general and opens the thread, once there is an answer in it. */
  async ask(text: string): Promise<void> {
    await this.dana.page.keyboard.press('Escape');
    await this.dana.write(`@Countersign ${text}`);
    await this.dana.openThread(text);
  }

  /** Keeps pictures of what both saw when a test has failed, and says where. */
  async keepPictures(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-pictures-'));
    await Promise.all([
      this.dana.page.screenshot({ path: join(folder, 'dana.png') }),
      this.desk.page.screenshot({ path: join(folder, 'desk.png') }),
    ]);
    console.log(`What Dana and the approvers saw: ${folder}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.house.close();
  }
}
