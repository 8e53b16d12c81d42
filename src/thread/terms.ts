/** Owns the forms that policy and requests share: scopes of people, the terms of a request, facts. */
import { z } from 'zod';
import type { ChannelId, UserId } from './ids.ts';

const count = z.number().int().nonnegative();
/** A non-empty text of at most 300 characters, under its branded type. */
export const idSchema = <T extends string>() =>
  z.custom<T>(value => typeof value === 'string' && value.length > 0 && value.length <= 300);
const user = idSchema<UserId>();
const channel = idSchema<ChannelId>();
const json = z.json();

/** People by ids and user groups, under the word that `people:` gives them. */
const scopeSchema = z.object({
  name: z.string(),
  label: z.string(),
  users: z.array(user),
  groups: z.array(z.string()),
});
export type Scope = z.infer<typeof scopeSchema>;

/** What a rejection leads to. */
export const onRejectSchema = z.enum(['stop', 'requester', 'read_only', 'replan']);
export type OnReject = z.infer<typeof onRejectSchema>;

/** Who may decide, how many, until when: what `approval.requested` binds. `ladder[0].afterMs` is 0; later steps add scopes. */
export const termsSchema = z.object({
  ladder: z.array(z.object({ afterMs: count, scopes: z.array(scopeSchema) })),
  quorum: z.number().int().min(1),
  expiresInMs: count,
  remindMs: z.array(count),
  notify: z.nullable(scopeSchema),
  confirm: z.boolean(),
  edit: z.array(z.string()),
  onReject: onRejectSchema,
  selfApproval: z.enum(['never', 'with_reason']),
  channel: z.nullable(channel),
});
export type Terms = z.infer<typeof termsSchema>;

export const riskSchema = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof riskSchema>;
/** What code found out about the world for a call, by name. */
export const factsSchema = z.record(z.string(), json);
export type Facts = z.infer<typeof factsSchema>;
export type Json = z.infer<typeof json>;
