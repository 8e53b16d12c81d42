/** A real process of this house: everything that it writes, and how it ends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';
import { shippedPolicy } from './stage.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export class HouseProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #out = '';
  #err = '';

  /** Runs `src/main.ts` with these variables alone, beside what a start always needs; it is ended with the test. */
  constructor(where: string, variables: Readonly<Record<string, string>> = {}) {
    const env = {
      PORT: '0',
      COUNTERSIGN_DATA: join(where, 'data'),
      COUNTERSIGN_CONFIG: shippedPolicy,
      NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules/.cache/countersign-test'),
      PATH: process.env['PATH'] ?? '',
      ...variables,
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.#child = spawn(process.execPath, [join(repositoryRoot, 'src/main.ts')], {
      cwd: where,
      env,
      stdio: [...stdio],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#out += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#err += text));
    this.#ended = once(this.#child, 'close');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** Resolves with the address once everything is up; throws what it wrote when it ends before that. */
  async address(): Promise<string> {
    for (;;) {
      const found = /^(?:Ready\. Health: )?(http:\/\/127\.0\.0\.1:\d+).*\n(?:[^]*\nCtrl-C)?/m.exec(this.#out);
      if (found?.[1] && /^(?:Ready|Ctrl-C).*\n/m.test(this.#out)) return found[1];
      const { stdout } = this.#child;
      const more = stdout ? once(stdout, 'data').then(() => true) : Promise.resolve(false);
      if (!(await Promise.race([more, this.#ended.then(() => false)]))) throw new Error(this.#out + this.#err);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves when it has ended and everything is read. */
  async ended(): Promise<Ended> {
    await this.#ended;
    return { code: this.#child.exitCode, out: this.#out, err: this.#err };
  }
}
