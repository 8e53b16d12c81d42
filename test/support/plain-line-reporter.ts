import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints `N passed, N failed` (`, N skipped` behind it where there are any) as the very last line of a test run, and above
 * it a line for each failed test, so that the end of a long log says what to look at.
 * A file that could not be loaded and an error outside every test count as one failure each.
 */
export default class PlainLineReporter implements Reporter {
  #line = '0 passed, 1 failed';

  onInit(): void {
    // At exit, because Vitest itself still prints after the run has ended (a worker that hangs, for one).
    process.once('exit', () => writeSync(1, `${this.#line}\n`));
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const failed = unhandledErrors.map(() => 'an error outside every test');
    for (const testModule of testModules) {
      const tests = [...testModule.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        const counted = state === 'pending' ? 'failed' : state;
        count[counted] += 1;
        if (counted === 'failed') failed.push(`${testModule.relativeModuleId}: ${test.fullName}`);
      }
      const failedOutsideTests =
        testModule.state() === 'failed' && tests.every(test => test.result().state !== 'failed');
      if (failedOutsideTests) {
        count.failed += 1;
        failed.push(`${testModule.relativeModuleId}: the file itself`);
      }
    }
    const names = failed.map(name => `failed: ${name}\n`).join('');
    this.#line = `${names}${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`;
  }
}
