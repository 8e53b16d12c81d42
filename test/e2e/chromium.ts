/**
 * Owns the browser of these tests: the Chromium that comes with the packages on Linux x64, elsewhere the one that
 * `CHROMIUM` names. Without either the tests are skipped, and say so.
 */
import bundled from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

const { CHROMIUM } = process.env;
const isBundled = process.platform === 'linux' && process.arch === 'x64';

/** Why there is no browser here; undefined where there is one. */
export const noBrowser: string | undefined =
  CHROMIUM || isBundled
    ? undefined
    : `There is no bundled browser for ${process.platform} ${process.arch}: set CHROMIUM to the path of a Chromium.`;

/** Starts the browser, headless. Throws where there is none. */
export async function openBrowser(): Promise<Browser> {
  if (noBrowser !== undefined) throw new Error(noBrowser);
  const executablePath = CHROMIUM || (await bundled.executablePath());
  // The bundled one brings no graphics drivers and no sandbox helper; what it needs instead are its own flags. In a single
  // process it would end with the first window that is closed.
  const args = CHROMIUM ? [] : bundled.args.filter(flag => !/^--(headless|single-process|no-zygote)/.test(flag));
  return chromium.launch({ executablePath, args, headless: true });
}
