/**
 * A test's own composition root: the whole of Countersign as `npm start` runs it, with ports that are watched on their way to
 * the worker. At the point that its plan names, the process kills itself as a power cut would.
 */
import { readFileSync, rmSync } from 'node:fs';
import { processVariables, readEnvironment } from '../../src/config/environment.ts';
import { runUntilSignal } from '../../src/compose/run.ts';
import type { Log, Ports, Tools, Views } from '../../src/worker/ports.ts';
import type { Changes, Point } from './point.ts';
import { bookTrip } from './trip.ts';

const [, , written = '{}', armed = ''] = process.argv;
const changes = JSON.parse(written) as Changes;

/** The point at which to die as it stands now; a test writes it into a file before the story that is to be cut off. */
function point(): Point | undefined {
  try {
    return JSON.parse(readFileSync(armed, 'utf8')) as Point;
  } catch {
    return undefined;
  }
}

/** Ends this process at once if it is at its point. */
async function pass(method: Point['at'], moment: Point['moment'], what: readonly string[]): Promise<void> {
  const die = point();
  if (die?.at !== method || die.moment !== moment || !what.some(one => one.startsWith(die.of))) return;
  rmSync(armed);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}

function watched(ports: Ports): Ports {
  const log: Log = {
    load: (...args) => ports.log.load(...args),
    append: async (...args) => {
      const types = args[2].map(event => event.type);
      await pass('append', 'before', types);
      const result = await ports.log.append(...args);
      await pass('append', 'after', types);
      return result;
    },
    offerSnapshot: (...args) => ports.log.offerSnapshot(...args),
    putBlob: (...args) => ports.log.putBlob(...args),
    getBlob: (...args) => ports.log.getBlob(...args),
    due: (...args) => ports.log.due(...args),
    clearWake: (...args) => ports.log.clearWake(...args),
    putMark: (...args) => ports.log.putMark(...args),
    marksOf: (...args) => ports.log.marksOf(...args),
    lately: (...args) => ports.log.lately(...args),
  };
  const tools: Tools = {
    offered: agent => ports.tools.offered(agent),
    facts: name => {
      const facts = ports.tools.facts(name);
      return facts && changes.toolMs !== undefined ? { ...facts, timeoutMs: changes.toolMs } : facts;
    },
    definitions: () => ports.tools.definitions(),
    inspect: (...args) => ports.tools.inspect(...args),
    execute: async execution => {
      await pass('execute', 'before', [execution.tool]);
      const outcome = await ports.tools.execute(execution);
      await pass('execute', 'after', [execution.tool]);
      return outcome;
    },
    check: (...args) => ports.tools.check(...args),
  };
  const views: Views = {
    room: (...args) => ports.views.room(...args),
    behind: (...args) => ports.views.behind(...args),
    card: (...args) => ports.views.card(...args),
    announce: (...args) => ports.views.announce(...args),
    damaged: (...args) => ports.views.damaged(...args),
    working: thread => ports.views.working(thread),
    writing: (...args) => ports.views.writing(...args),
    reconcile: async (...args) => {
      const result = await ports.views.reconcile(...args);
      await pass(
        'reconcile',
        'after',
        result.posted.map(each => each.key),
      );
      return result;
    },
  };
  return { ...ports, log, tools, views };
}

const variables = processVariables();
process.exitCode = await runUntilSignal(readEnvironment(variables), 'test', {
  ports: watched,
  tools: changes.trips ? [bookTrip(variables['PROJECT_ROOT'] ?? '.')] : [],
  settings: changes.settings ?? {},
});
