/** Owns where this program writes for whoever sits before it; tests hand in another one. */

export interface Terminal {
  /** A line of what was asked for. */
  readonly print: (line: string) => void;
  /** A line about why it does not work. */
  readonly complain: (line: string) => void;
}

export const processTerminal: Terminal = {
  print: line => process.stdout.write(`${line}\n`),
  complain: line => process.stderr.write(`${line}\n`),
};

/** Ends this process quietly once nobody reads what it prints (`… | head`): there is nothing more to say. */
export function endWithoutReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
