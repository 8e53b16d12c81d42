/** What a worker says would run if a request were edited. */
import type { Json } from '../../../src/thread/events.ts';
import type { Digest } from '../../../src/thread/ids.ts';
import type { Thread } from '../../../src/thread/thread.ts';
import type { EditPreview } from '../../../src/worker/ports.ts';
import { terms } from '../views/fixtures.ts';

/** What the second view binds. */
export const shown = 'a'.repeat(64) as Digest;

/** One editor's word is enough for the edited call. */
export const previewOf = (thread: Thread, args: Json, more: Partial<EditPreview> = {}): EditPreview =>
  ({
    refusal: null,
    thread,
    args,
    evidence: {
      tool: null,
      inspection: { ok: true, args, summary: 'Scale billing', impact: null, bind: {}, note: {}, atMs: 1 },
      judged: { verdict: 'ask', rule: 'r', why: null, terms },
      policy: shown,
      eligible: [],
      room: 'card',
      salt: 's',
    },
    counts: true,
    approves: true,
    shown,
    ...more,
  }) as EditPreview;
