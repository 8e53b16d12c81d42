/** The part of dynalite that the embedded table uses; the package has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** Times in milliseconds; without `path` in memory. */
  export default function dynalite(options: { path?: string; createTableMs?: number; deleteTableMs?: number }): Server;
}
