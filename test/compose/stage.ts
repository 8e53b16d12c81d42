/** What these tests stand on: folders that are gone afterwards, a terminal that keeps its lines, environments by variables. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCommand } from '../../src/compose/commands/commands.ts';
import { readEnvironment, type Environment, type Variables } from '../../src/config/environment.ts';
import type { Terminal } from '../../src/compose/terminal.ts';
import { ownInstallation } from '../../src/local/installation.ts';
import { startWorkspace, type RunningWorkspace } from '../../src/local/server.ts';
import { repositoryRoot } from '../support/repository.ts';

/** A fresh folder that is removed when the test ends. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'countersign-compose-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** What the embedded workspace takes as the tokens of its app. */
export const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-embedded', SLACK_APP_TOKEN: 'xapp-embedded' };

/** An embedded workspace whose app lacks some scopes; closed when the test ends. */
export async function workspace(without: readonly string[] = []): Promise<RunningWorkspace> {
  const own = ownInstallation();
  const scopes = new Set([...own.scopes].filter(scope => !without.includes(scope)));
  const running = await startWorkspace({ log: () => {}, installation: { ...own, scopes } });
  onTestFinished(() => running.close());
  return running;
}

/** The shipped policy file. */
export const shippedPolicy = join(repositoryRoot, 'countersign.yaml');

/** A policy file in a folder: the shipped one, changed. */
export function policyFile(where: string, change: (text: string) => string): string {
  const path = join(where, 'countersign.yaml');
  writeFileSync(path, change(readFileSync(shippedPolicy, 'utf8')));
  return path;
}

/** A right environment: everything in `where`, any port, the shipped policy. */
export function environmentIn(where: string, variables: Variables = {}): Environment {
  const read = readEnvironment({
    PORT: '0',
    COUNTERSIGN_DATA: join(where, 'data'),
    COUNTERSIGN_CONFIG: shippedPolicy,
    ...variables,
  });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.ok;
}

/** A terminal that keeps what is written to it. */
export function keptTerminal(): Terminal & { readonly out: string[]; readonly err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  return { out, err, print: line => void out.push(line), complain: line => void err.push(line) };
}

/** Runs a command of `src/cli.ts` in this process. */
export async function command(environment: Environment, name: string, ...words: readonly string[]) {
  const terminal = keptTerminal();
  const code = await runCommand(name, words, { read: { ok: environment }, version: '1.0.0', terminal });
  return { code, out: terminal.out, err: terminal.err };
}
