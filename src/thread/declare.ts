/** Owns the forms from which events are declared: ids, times, counts, and an event's two parts. */
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
import { idSchema } from './terms.ts';

export const user = idSchema<UserId>();
export const team = idSchema<TeamId>();
export const channel = idSchema<ChannelId>();
export const ts = idSchema<MessageTs>();
export const run = idSchema<RunId>();
export const call = idSchema<CallId>();
export const approval = idSchema<ApprovalId>();
export const execution = idSchema<ExecutionId>();
export const writer = idSchema<WriterId>();
export const digest = z.custom<Digest>(value => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
export const ms = z.number().int();
export const count = z.number().int().nonnegative();
export const code = z.string().min(1).max(80);
export const json = z.json();
export const optional = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);

/** Facts beside the type of an event, erasable content in its body. */
export const declare = <F extends z.ZodRawShape, B extends z.ZodRawShape>(facts: F, body: B) => ({
  facts: z.object(facts),
  body: z.nullable(z.object(body)),
});
