/** Owns the worker's times; all in milliseconds. Defaults are those of one process. */
export interface WorkerSettings {
  /** Longest silence of a lease holder: the longest effect (model or tool) and 10 s. */
  readonly leaseMs: number;
  /** How often the tail is read while effects run. */
  readonly tailMs: number;
  /** Evidence about the workspace that is younger than this does for judging; claims read the tail anew. */
  readonly evidenceMs: number;
  /** How often threads that are due are looked for. */
  readonly tickMs: number;
  /** How long running tools get at a stop. */
  readonly drainMs: number;
  /** How long a model that does not answer is tried again. */
  readonly modelPatienceMs: number;
  /** Approved and not run for this long: operators are told. */
  readonly approvedNotRunMs: number;
  /** Threads kept folded in memory. */
  readonly cachedThreads: number;
}

export const defaultSettings: WorkerSettings = {
  leaseMs: 310_000,
  tailMs: 2_000,
  evidenceMs: 5_000,
  tickMs: 5_000,
  drainMs: 25_000,
  modelPatienceMs: 15 * 60_000,
  approvedNotRunMs: 5 * 60_000,
  cachedThreads: 500,
};
