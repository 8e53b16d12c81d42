/** Owns `npm run demo`: the story on a fresh folder that is gone afterwards; nothing outside it is touched. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliCommand } from './cli-command.ts';
import { systemClock } from './clock.ts';
import { DemoPeople } from './demo-people.ts';
import { playDemo } from './demo.ts';
import { start, type Running } from './start.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: (facts: object) => console.error(facts) };

export const demo: CliCommand = async (environment, _, version) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  const embedded = {
    ...environment,
    port: 0,
    dataFolder,
    projectRoot: join(dataFolder, 'project'),
    slack: { tokens: null, apiUrl: null },
    model: null,
    table: null,
  };
  let running: Running = await start(embedded, version, { journal: quiet });
  const meet = async (): Promise<DemoPeople> => {
    const people = new DemoPeople(running.serving.url, ms => systemClock.sleep(ms));
    await people.meet();
    return people;
  };
  try {
    await playDemo({
      people: await meet(),
      print: line => console.log(line),
      restart: async () => {
        await running.stop();
        running = await start(embedded, version, { journal: quiet });
        return meet();
      },
    });
    return 0;
  } finally {
    await running.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
