/** Owns the forms that the reading of Slack's deliveries has in common: a text that is there, and what Slack may leave out. */
import { z } from 'zod';

/** A text that is not empty. */
export const text = z.string().min(1);

/** What Slack may leave out, or send as null. */
export const maybe = <T extends z.ZodType>(schema: T) => z.optional(z.nullable(schema));
