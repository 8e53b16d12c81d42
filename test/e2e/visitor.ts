/**
 * Owns how a person uses the page: by roles and names as they see them, and by the page's data attributes where there is
 * more than one of a kind. Everything waits as Playwright does; nothing here sleeps.
 */
import type { Browser, Locator, Page } from 'playwright-core';

export const GENERAL = 'C0GENERAL';
export const OPS = 'C0OPS0001';
export const APPROVALS = 'C0APPROV1';
const PEOPLE = {
  Dana: 'U0DANA001',
  Mia: 'U0MIA0001',
  Leo: 'U0LEO0001',
  Ana: 'U0ANA0001',
  Noor: 'U0NOOR001',
  Otto: 'U0OTTO001',
  Gus: 'U0GUS0001',
  Petra: 'U0PETRA01',
  Dee: 'U0DEE0001',
} as const;
type Name = keyof typeof PEOPLE;

/** What may be set of a window: its size in CSS pixels, light or dark, and how many pixels a CSS pixel has. */
interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly sharpness?: number;
}

/** One window of the page. */
export class Visitor {
  #page: Page | undefined;

  /** Throws before the window is open. */
  get page(): Page {
    if (this.#page === undefined) throw new Error('This window is not open yet.');
    return this.#page;
  }

  /** A window as a person in a channel. */
  static async open(...where: Parameters<Visitor['open']>): Promise<Visitor> {
    const visitor = new Visitor();
    await visitor.open(...where);
    return visitor;
  }

  /** Opens the window as a person in a channel. */
  async open(browser: Browser, url: string, who: Name, channel: string | null, window: Window = {}): Promise<void> {
    const { width = 1280, height = 800, dark = false, sharpness = 1 } = window;
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      deviceScaleFactor: sharpness,
      timezoneId: 'Europe/Berlin',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    this.#page = page;
    page.setDefaultTimeout(30_000);
    await page.goto(`${url}/#/${channel ?? ''}?user=${PEOPLE[who]}`);
    await (channel === null ? page.locator('.channel-link').first() : this.channel(channel)).waitFor();
  }

  channel(channel: string): Locator {
    return this.page.locator(`section.channel[data-channel=${channel}]`);
  }

  get thread(): Locator {
    return this.page.locator('aside.thread');
  }

  /** The form, or the form on top. */
  get form(): Locator {
    return this.page.locator('dialog[data-view]');
  }

  /** The question before a control acts. */
  get question(): Locator {
    return this.page.locator('dialog[data-dialog=confirm]');
  }

  /** A channel in the sidebar. */
  link(channel: string): Locator {
    return this.page.locator(`.channel-link[data-channel=${channel}]`);
  }

  /** The cards of the channel on screen whose headline holds a text, the oldest first. */
  cards(headline: string): Locator {
    return this.page
      .locator('section.channel article.message')
      .filter({ has: this.page.locator('h3', { hasText: headline }) });
  }

  /** The newest of these cards. */
  card(headline: string): Locator {
    return this.cards(headline).last();
  }

  /** What only this person sees and that holds a text, newest. */
  privately(text: string): Locator {
    return this.page.locator('article.message[data-ephemeral=true]', { hasText: text }).last();
  }

  /** A control of a message or form. */
  control(within: Locator, action: string): Locator {
    return within.locator(`[data-action-id="${action}"]`);
  }

  async goTo(channel: string): Promise<void> {
    await this.link(channel).click();
    await this.channel(channel).waitFor();
  }

  /** Opens the app's Home, which is published then. */
  async goHome(): Promise<void> {
    await this.page.locator('.channel-link[data-channel^=D0]').click();
    await this.page.getByRole('tab', { name: 'Home' }).click();
    await this.home.waitFor();
  }

  get home(): Locator {
    return this.page.locator('section.home');
  }

  /** Reads this in a form, and closes it. */
  async close(text: string | RegExp): Promise<void> {
    await this.form.getByText(text).waitFor();
    await this.page.keyboard.press('Escape');
    await this.form.waitFor({ state: 'detached' });
  }

  /** Closes what says how something went, where it is open: Slack lets it be opened for three seconds only. */
  async dismiss(): Promise<void> {
    if ((await this.form.count()) > 0) await this.page.keyboard.press('Escape');
    await this.form.waitFor({ state: 'detached' });
  }

  /** Chooses an entry of a card's ⋯. */
  async choose(card: Locator, entry: string): Promise<void> {
    await this.control(card, 'more').click();
    await this.page.getByRole('menuitem', { name: entry }).click();
  }

  /** Uses a shortcut from a message's own menu. */
  async useShortcut(message: Locator, name: string): Promise<void> {
    await message.hover();
    await message.getByRole('button', { name: 'More for this message' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  /** Becomes somebody else, where one is. */
  async become(name: string): Promise<void> {
    await this.page
      .getByRole('button', { name: /^You are/ })
      .first()
      .click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
    await this.page
      .getByRole('button', { name: new RegExp(`^You are ${name}`) })
      .first()
      .waitFor();
  }

  /** Writes into the channel or the open thread, and sends it. */
  async write(text: string, where: 'channel' | 'thread' = 'channel'): Promise<void> {
    const box = this.page.locator(`textarea[data-composer=${where}]`);
    await box.fill(text);
    await box.press('Enter');
  }

  /** Writes to the app in the channel on screen and opens the thread, once there is an answer in it. */
  async ask(text: string): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.write(`@Countersign ${text}`);
    await this.openThread(text);
  }

  /** Opens the thread under the newest message with a text in the channel on screen. */
  async openThread(text: string): Promise<void> {
    const message = this.page.locator('section.channel article.message', { hasText: text }).last();
    await message.locator('button.replies').click();
    // Another thread may have been open until now.
    await this.thread.locator('article.message', { hasText: text }).first().waitFor();
  }
}

/** Resolves once the element is there and visible; rejects with what was looked for. */
export const sees = (locator: Locator): Promise<void> => locator.waitFor({ state: 'visible' });

/** Resolves once the element is gone. */
export const gone = (locator: Locator): Promise<void> => locator.waitFor({ state: 'detached' });
