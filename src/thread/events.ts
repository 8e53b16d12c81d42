/**
 * Owns the vocabulary of the logs: one declaration per event, with a schema for its facts (kept for ever) and one for its
 * body (texts, arguments, names: can be erased, then `body` is null). Everything that reads or writes a log goes through it.
 *
 * 1. A stored event never changes its meaning. A new meaning is a new event or a new schema version with an upgrade step.
 * 2. Facts hold ids, verdicts, times and digests; what people or models wrote, and people's names, stand in the body.
 */
import type { z } from 'zod';
import { threadEvents } from './thread-events.ts';
import { workspaceEvents } from './workspace-events.ts';

export * from './terms.ts';
export { threadEvents, workspaceEvents };

/** Version of the stored events; it stands in every commit. */
export const SCHEMA_VERSION = 1;

type Declared = { facts: z.ZodType; body: z.ZodType };
type EventsOf<T extends Record<string, Declared>> = {
  [K in keyof T & string]: { readonly type: K; readonly body: z.infer<T[K]['body']> } & Readonly<
    z.infer<T[K]['facts']>
  >;
}[keyof T & string];

/** One event of a thread; facts stand beside `type`, erasable content in `body` (null once erased). */
export type ThreadEvent = EventsOf<typeof threadEvents>;
/** One event of a workspace. */
export type WorkspaceEvent = EventsOf<typeof workspaceEvents>;
/** Any stored event. */
export type Event = ThreadEvent | WorkspaceEvent;
/** The event of one type. */
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;
