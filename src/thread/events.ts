/**
 * Owns the vocabulary of the logs: one declaration per event, with a schema for its facts (kept for ever) and one for its
 * body (texts, arguments, names: can be erased, then `body` is null). Everything that reads or writes a log goes through it.
 *
 * 1. A stored event never changes its meaning. A new meaning is a new event or a new schema version with an upgrade step.
 * 2. Facts hold ids, verdicts, times and digests; what people or models wrote, and people's names, stand in the body.
 */
import { z } from 'zod';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  MessageTs,
  RunId,
  TeamId,
  UserId,
  WriterId,
} from './ids.ts';
import {
  factsSchema,
  grantSchema,
  idSchema,
  onRejectSchema,
  optionSchema,
  riskSchema,
  scopeSchema,
  termsSchema,
} from './terms.ts';

export * from './terms.ts';

/** Version of the stored events; it stands in every commit. */
export const SCHEMA_VERSION = 1;

const user = idSchema<UserId>();
const team = idSchema<TeamId>();
const channel = idSchema<ChannelId>();
const ts = idSchema<MessageTs>();
const run = idSchema<RunId>();
const call = idSchema<CallId>();
const approval = idSchema<ApprovalId>();
const execution = idSchema<ExecutionId>();
const writer = idSchema<WriterId>();
const digest = z.custom<Digest>(value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
const ms = z.number().int();
const count = z.number().int().nonnegative();
const code = z.string().min(1).max(80);
const json = z.json();
const optional = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);

const declare = <F extends z.ZodRawShape, B extends z.ZodRawShape>(facts: F, body: B) => ({
  facts: z.object(facts),
  body: z.nullable(z.object(body)),
});

/** Every event of a thread's log. */
export const threadEvents = {
  'message.edited': declare({ ts, author: user }, { text: z.string() }),
  'message.deleted': declare({ ts }, {}),
  'message.received': declare(
    { ts, channel, author: user, team, mention: z.boolean(), direct: z.boolean() },
    { text: z.string(), name: z.string(), files: z.array(z.object({ id: z.string(), name: z.string() })) },
  ),
  'lease.taken': declare({ holder: writer, lengthMs: count }, {}),
  'lease.released': declare({ holder: writer, synced: z.boolean() }, {}),
  'run.started': declare(
    {
      run,
      agent: z.string(),
      requesters: z.array(user),
      messages: z.array(ts),
      repeats: optional(z.object({ call, as: call, tool: z.string() })),
      within: optional(z.object({ call, name: z.string() })),
    },
    { task: optional(z.string()) },
  ),
  'run.ended': declare(
    { run, how: z.enum(['succeeded', 'failed', 'cancelled', 'exhausted']), code: optional(code), by: optional(user) },
    { detail: optional(z.string()) },
  ),
  'model.replied': declare(
    {
      run,
      turn: count,
      model: z.string(),
      usage: z.object({ input: count, output: count }),
      calls: z.array(z.object({ call, tool: z.string() })),
    },
    { text: z.string(), calls: z.array(z.object({ args: json, raw: optional(z.string()) })) },
  ),
  'model.away': declare({ run, turn: count, code, untilMs: ms }, { detail: optional(z.string()) }),
  'context.summarised': declare({ upTo: count }, { text: z.string() }),
  'call.proposed': declare(
    { call, run, within: call, name: z.string(), tool: z.string() },
    { args: json, options: optional(z.array(optionSchema)) },
  ),
  'call.judged': declare(
    {
      call,
      verdict: z.enum(['allow', 'ask', 'deny', 'refuse']),
      code: optional(code),
      rule: z.nullable(z.string()),
      ruleDigest: digest,
      policy: digest,
      tool: digest,
      effect: z.enum(['read', 'write']),
      callDigest: digest,
      grant: optional(z.string()),
    },
    {
      summary: z.string(),
      impact: optional(z.string()),
      why: optional(z.string()),
      bind: factsSchema,
      note: factsSchema,
      detail: optional(z.string()),
    },
  ),
  'approval.requested': declare(
    {
      approval,
      call,
      round: count,
      card: count,
      digest,
      callDigest: digest,
      rule: z.nullable(z.string()),
      ruleDigest: digest,
      tool: digest,
      terms: termsSchema,
      requesters: z.array(user),
      eligible: count,
      requestedAtMs: ms,
      expiresAtMs: ms,
      risk: riskSchema,
      room: z.enum(['card', 'form', 'file']),
      supersedes: optional(count),
      why: optional(code),
    },
    {
      summary: z.string(),
      impact: optional(z.string()),
      why: optional(z.string()),
      agentWords: optional(z.string()),
      salt: z.string(),
      bind: factsSchema,
      note: factsSchema,
      noteAtMs: ms,
      changes: optional(z.array(z.object({ fact: z.string(), was: json, is: json }))),
      options: optional(z.array(optionSchema)),
    },
  ),
  'approval.rechecked': declare({ approval, round: count, policy: digest, tool: digest }, {}),
  'approval.edited': declare({ approval, round: count, by: user }, { args: json, name: optional(z.string()) }),
  'round.opened': declare(
    { approval, round: count, why: z.enum(['message', 'edited']), digest, supersedes: count, message: optional(ts) },
    { salt: z.string() },
  ),
  'decision.recorded': declare(
    {
      approval,
      round: count,
      by: user,
      team,
      verdict: z.enum(['approve', 'reject']),
      key: z.string(),
      content: digest,
      digest,
      then: optional(onRejectSchema),
      origin: z.enum(['click', 'form']),
      card: z.object({ channel, ts }),
      scopes: z.array(z.string()),
      lookedUpAtMs: ms,
      rule: z.nullable(z.string()),
      option: optional(z.string()),
      grant: optional(grantSchema),
    },
    {
      name: z.string(),
      reason: optional(z.string()),
      grant: optional(z.object({ sentence: z.string(), pattern: z.record(z.string(), json) })),
    },
  ),
  'decision.voided': declare({ approval, round: count, by: user, code }, {}),
  'decision.refused': declare(
    { approval, round: count, by: user, code, key: z.string(), verdict: optional(z.enum(['approve', 'reject'])) },
    {},
  ),
  'approval.settled': declare(
    {
      approval,
      round: count,
      how: z.enum(['approved', 'rejected', 'expired', 'withdrawn', 'refused']),
      by: optional(z.array(user)),
      code: optional(code),
      then: optional(onRejectSchema),
      option: optional(z.string()),
    },
    { detail: optional(z.string()) },
  ),
  'grant.settled': declare({ grant: z.string(), given: z.boolean() }, {}),
  'question.asked': declare(
    {
      question: z.string(),
      run,
      call: optional(call),
      kind: z.enum(['question', 'choice', 'review']),
      to: z.array(user),
      expiresAtMs: ms,
      scopes: optional(z.array(scopeSchema)),
      channel: optional(channel),
      about: optional(approval),
      by: optional(user),
    },
    { prompt: z.string(), schema: json, name: optional(z.string()) },
  ),
  'question.answered': declare(
    {
      question: z.string(),
      by: user,
      key: z.string(),
      team: optional(team),
      origin: optional(z.enum(['click', 'form', 'message'])),
      message: optional(ts),
      content: optional(digest),
      scopes: optional(z.array(z.string())),
    },
    { value: json, name: z.string() },
  ),
  'question.refused': declare(
    { question: z.string(), by: user, code, key: z.string(), message: optional(ts) },
    { given: optional(z.string()), why: optional(z.string()) },
  ),
  'question.closed': declare({ question: z.string(), how: z.enum(['expired', 'withdrawn']) }, {}),
  'call.claimed': declare(
    {
      call,
      attempt: count,
      execution,
      approval: optional(approval),
      round: optional(count),
      digest,
      callDigest: digest,
      holder: writer,
      workspace: count,
      startByMs: ms,
      endsByMs: ms,
    },
    {},
  ),
  'call.notStarted': declare(
    {
      call,
      execution,
      why: z.enum(['too_late', 'lost', 'expired', 'frozen', 'facts', 'rights', 'cancelled', 'stopping', 'revoked']),
    },
    {},
  ),
  'call.suspended': declare(
    {
      call,
      execution,
      question: z.string(),
      on: optional(z.enum(['question', 'call', 'run'])),
      name: optional(z.string()),
    },
    {},
  ),
  'call.stopRequested': declare({ call, execution, by: user, key: z.string() }, { name: z.string() }),
  'call.checked': declare({ call, execution, found: z.enum(['ran', 'not_run', 'unknown']), atMs: ms }, {}),
  'step.claimed': declare({ call, execution, step: z.string() }, {}),
  'step.done': declare({ call, execution, step: z.string() }, { value: json }),
  'call.ended': declare(
    {
      call,
      execution,
      how: z.enum(['succeeded', 'failed', 'in_doubt']),
      code: optional(code),
      effect: z.enum(['none', 'done', 'possible']),
      startedAtMs: ms,
      endedAtMs: ms,
      result: optional(z.object({ digest, bytes: count, blob: optional(z.string()) })),
    },
    { result: optional(z.string()), lastSign: optional(z.string()) },
  ),
  'call.reconciled': declare(
    {
      call,
      execution,
      as: z.enum(['ran', 'not_run', 'abandoned']),
      by: user,
      team,
      key: z.string(),
      card: z.object({ channel, ts }),
    },
    { name: z.string() },
  ),
  'cancel.requested': declare(
    { run, by: user, key: z.string(), source: z.enum(['message', 'button', 'instead', 'stop', 'deleted']) },
    { name: z.string() },
  ),
  'message.kept': declare({ ts, by: user }, {}),
  'reminder.sent': declare({ approval, round: count, n: count }, {}),
  escalated: declare({ approval, round: count, step: count }, {}),
  'message.posted': declare(
    {
      key: z.string(),
      channel,
      ts: optional(ts),
      hash: z.string(),
      state: z.enum(['posted', 'updated', 'found', 'failed', 'closed', 'reacted']),
      code: optional(code),
      atMs: ms,
    },
    { shown: optional(z.string()) },
  ),
} as const;

/** Every event of a workspace's log. */
export const workspaceEvents = {
  'policy.loaded': declare({ policy: digest }, { text: z.string() }),
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
      approval: optional(approval),
    },
    { sentence: z.string(), pattern: json, name: optional(z.string()) },
  ),
  'grant.used': declare({ grant: z.string(), call }, {}),
  'grant.revoked': declare({ grant: z.string(), by: user }, {}),
  'tool.pinned': declare({ tool: z.string(), server: z.string(), digest }, { definition: json }),
  'tool.blocked': declare({ tool: z.string(), server: z.string(), digest }, { definition: json }),
  'trouble.opened': declare({ cause: z.string(), code }, { detail: z.string() }),
  'trouble.closed': declare({ cause: z.string() }, {}),
  'message.posted': threadEvents['message.posted'],
} as const;

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
