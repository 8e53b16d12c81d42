/** What the workspace takes from outside so that tests can drive it by hand: the time, timers and randomness. */

export interface WorkspaceClock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Calls `run` once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export interface WorkspaceIds {
  /** Fresh lower-case hexadecimal digits, `length` of them. */
  hex(length: number): string;
}

/** The machine's own clock; its timers do not keep the process alive. */
export const systemClock: WorkspaceClock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Ids from the machine's random source. */
export const randomIds: WorkspaceIds = {
  hex(length) {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2)));
    return Buffer.from(bytes).toString('hex').slice(0, length);
  },
};
