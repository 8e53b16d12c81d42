/** Owns the two ways in which a log fails whoever asks it: for now, and for good. */

/** The store could not say what is in the log; nothing was decided. */
export class LogUnavailable extends Error {}

/** What is stored does not fit together; the thread is stopped. */
export class LogDamaged extends Error {}
