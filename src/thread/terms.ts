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
export const scopeSchema = z.object({
  name: z.string(),
  label: z.string(),
  users: z.array(user),
  groups: z.array(z.string()),
});
export type Scope = z.infer<typeof scopeSchema>;

/** What a rejection leads to. */
export const onRejectSchema = z.enum(['stop', 'requester', 'read_only', 'replan']);
export type OnReject = z.infer<typeof onRejectSchema>;

/** Up to what a decider may allow the like of a call for a while. `where`: the arguments that must be the same; none: all. */
const grantTermsSchema = z.object({
  maxMs: count,
  uses: count,
  scope: z.enum(['thread', 'channel', 'anywhere']),
  where: z.array(z.string()),
});
export type GrantTerms = z.infer<typeof grantTermsSchema>;

/**
 * What a grant stores: the sentence that was shown says the same. Arguments named in `pattern` must be equal; others may not
 * be there, unless `othersFree`.
 */
export const grantSchema = z.object({
  grant: z.string(),
  tool: z.string(),
  toolDigest: z.string(),
  /** The rule, as it stood, that offered it; one given before this was kept holds under any. */
  ruleDigest: z.exactOptional(z.string()),
  who: user,
  where: z.object({ channel: z.nullable(channel), thread: z.nullable(z.string()) }),
  untilMs: count,
  uses: z.number().int().min(1),
  othersFree: z.exactOptional(z.boolean()),
});
export type GrantFacts = z.infer<typeof grantSchema>;

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
  grants: z.exactOptional(grantTermsSchema),
});
export type Terms = z.infer<typeof termsSchema>;

/** One way that deciders may choose; `value` is what the tool is given. */
export const optionSchema = z.object({ value: z.string(), label: z.string() });
export type Option = z.infer<typeof optionSchema>;

export const riskSchema = z.enum(['low', 'medium', 'high']);
export type Risk = z.infer<typeof riskSchema>;
/** What code found out about the world for a call, by name. */
export const factsSchema = z.record(z.string(), json);
export type Facts = z.infer<typeof factsSchema>;
export type Json = z.infer<typeof json>;
