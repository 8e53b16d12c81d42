/** Owns `npm run demo`: the story on a fresh folder that is gone afterwards; nothing outside it is touched. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { DemoPeople } from '../demo/people.ts';
import { playDemo } from '../demo/story.ts';
import { start, type Running } from '../start.ts';
import type { Command } from './command.ts';

export const demo: Command = async ({ environment, version, terminal }) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const embedded = {
    ...environment,
    port: 0,
    dataFolder,
    projectRoot: join(dataFolder, 'project'),
    slack: { tokens: null, apiUrl: null },
    model: null,
    table: null,
    logLevel: 'error' as const,
  };
  let running: Running | undefined;
  const open = async (): Promise<DemoPeople> => {
    running = await start(embedded, version);
    return DemoPeople.meet(running.serving.url, ms => systemClock.sleep(ms));
  };
  try {
    await playDemo({
      people: await open(),
      print: terminal.print,
      restart: async () => {
        await running?.stop();
        return open();
      },
    });
    return 0;
  } finally {
    await running?.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
