/** Owns the declaration of every event of a workspace's log; what holds for all of them stands in `events.ts`. */
import { z } from 'zod';
import { user, call, channel, ts, approval, digest, ms, count, code, json, optional, declare } from './declare.ts';
import { grantSchema } from './terms.ts';
import { threadEvents } from './thread-events.ts';

/** Every event of a workspace's log. */
export const workspaceEvents = {
  'policy.loaded': declare(
    { policy: digest, instructions: optional(z.record(z.string(), digest)) },
    { text: z.string(), instructions: optional(z.record(z.string(), z.string())) },
  ),
  'freeze.set': declare({ by: user }, { why: z.string(), name: z.string() }),
  'freeze.cleared': declare({ by: user }, { why: optional(z.string()), name: z.string() }),
  'grant.given': declare(
    {
      grant: z.string(),
      by: user,
      tool: z.string(),
      toolDigest: digest,
      untilMs: ms,
      uses: count,
      who: optional(user),
      where: optional(grantSchema.shape.where),
      othersFree: grantSchema.shape.othersFree,
      ruleDigest: grantSchema.shape.ruleDigest,
      approval: optional(approval),
    },
    { sentence: z.string(), pattern: json, name: optional(z.string()) },
  ),
  'grant.used': declare({ grant: z.string(), call }, {}),
  'grant.revoked': declare({ grant: z.string(), by: user }, {}),
  'tool.pinned': declare({ tool: z.string(), server: z.string(), digest }, { definition: json }),
  'tool.blocked': declare({ tool: z.string(), server: z.string(), digest }, { definition: json }),
  'trouble.opened': declare(
    { cause: z.string(), code, about: optional(z.object({ channel, ts: optional(ts), short: optional(z.string()) })) },
    { detail: z.string() },
  ),
  'trouble.closed': declare({ cause: z.string() }, {}),
  'message.posted': threadEvents['message.posted'],
} as const;
