/** Owns two windows on one running Countersign: Dana, who asks, and a desk at which one after the other decides. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser } from './chromium.ts';
import { openHouse, type House } from './house.ts';
import { APPROVALS, GENERAL, Visitor } from './visitor.ts';

interface Sitting {
  /** The policy file, instead of the shipped one. */
  readonly policy?: string;
  /** Where Mia is first, instead of #approvals. */
  readonly deskIn?: string;
}

/** A house with its browser; both are there once a test runs. */
class Desks {
  /** In #general. */
  readonly dana = new Visitor();
  /** Where requests are decided, first by Mia. */
  readonly desk = new Visitor();
  #opened: { readonly house: House; readonly browser: Browser } | undefined;

  get house(): House {
    return this.#there.house;
  }

  get browser(): Browser {
    return this.#there.browser;
  }

  get #there(): { readonly house: House; readonly browser: Browser } {
    if (this.#opened === undefined) throw new Error('Nothing is open yet.');
    return this.#opened;
  }

  async open({ policy, deskIn = APPROVALS }: Sitting): Promise<void> {
    const [house, browser] = await Promise.all([openHouse(policy), openBrowser()]);
    this.#opened = { house, browser };
    await Promise.all([
      this.dana.open(browser, house.url, 'Dana', GENERAL),
      this.desk.open(browser, house.url, 'Mia', deskIn),
    ]);
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
    await this.#opened?.browser.close();
    await this.#opened?.house.close();
  }
}

/**
 * A suite at the desks of a house of its own, which must have written no fault into its log in the end. Skipped, and that is
 * said, where there is no browser.
 */
export function describeAtDesks(name: string, sitting: Sitting, tests: (desks: Desks) => void): void {
  if (noBrowser !== undefined) console.log(`Skipped: ${name}, in a browser. ${noBrowser}`);
  describe.skipIf(noBrowser !== undefined)(`${name}, in a browser`, () => {
    const desks = new Desks();
    beforeAll(() => desks.open(sitting));
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await desks.keepPictures();
    });
    afterAll(() => desks.close());
    tests(desks);
    it('leaves the program’s own log in order', () => {
      expect(desks.house.faults).toEqual([]);
    });
  });
}
