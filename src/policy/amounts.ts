/** Owns how durations (`30s`, `30m`, `4h`, `3d`) and counts (`40`, `400k`, `2M`) are written in the policy file. */
import { z } from 'zod';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 90 * UNIT_MS.d;

/** A duration in ms, from one second to 90 days. */
export const durationMs = z.string('is not a duration such as 30s, 30m, 4h or 3d').transform((text, context) => {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const ms = unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? Number(digits) * UNIT_MS[unit] : 0;
  if (ms > 0 && ms <= MAX_MS) return ms;
  context.addIssue(ms > 0 ? 'is longer than 90d' : 'is not a duration such as 30s, 30m, 4h or 3d');
  return z.NEVER;
});

const FACTOR = { '': 1, k: 1_000, M: 1_000_000 };

/** A count from 1, as a number or with k (thousand) or M (million). */
export const count = z
  .union([z.number(), z.string()], 'is not a count such as 40, 400k or 2M')
  .transform((written, context) => {
    const [, digits = '', unit = '-'] = /^([1-9]\d{0,8})(k|M|)$/.exec(String(written)) ?? [];
    if (unit === '' || unit === 'k' || unit === 'M') return Number(digits) * FACTOR[unit];
    context.addIssue('is not a count such as 40, 400k or 2M');
    return z.NEVER;
  });
