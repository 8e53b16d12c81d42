/** Owns the report as lines of text, in UTC. */
import { columns } from './columns.ts';
import { duration, quote, utc, who, type Pen } from './pen.ts';
import type { Report, RuleCount } from './report.ts';

const HEAD = [
  'rule',
  'asked',
  'approved',
  'rejected',
  'expired',
  'withdrawn',
  'not run',
  'in doubt',
  'median wait',
  'longest',
];

/** The report, line by line. */
export function reportLines(pen: Pen, report: Report): string[] {
  const { rules, refused, grants, deciders, freezes } = report;
  return [
    `From ${utc(report.sinceMs)} to ${utc(report.untilMs)}`,
    '',
    ...(rules.length === 0 ? ['Nobody was asked.'] : columns([HEAD, ...rules.map(row => cells(pen, row))])),
    '',
    ...deciders.map(({ by, approved, rejected }) => `${who(pen, by)}: approved ${approved}, rejected ${rejected}`),
    ...(deciders.length === 0 ? ['Nobody decided.'] : []),
    `Refused clicks: ${refused.length === 0 ? 'none' : refused.map(({ code, count }) => `${code} ${count}`).join(', ')}`,
    `Allowed for a while: given ${grants.given}, used ${grants.used}, revoked ${grants.revoked}`,
    ...(freezes.length === 0 ? ['Freezes: none'] : ['Freezes:']),
    ...freezes.map(({ by, why, setAtMs, clearedAtMs, clearedBy }) => {
      const end =
        clearedAtMs === null
          ? 'still frozen'
          : `until ${utc(clearedAtMs)} (${duration(clearedAtMs - setAtMs)}${clearedBy === null ? '' : `, lifted by ${who(pen, clearedBy)}`})`;
      return `  ${utc(setAtMs)} by ${who(pen, by)}: ${quote(pen, why)}; ${end}`;
    }),
  ];
}

const cells = (pen: Pen, row: RuleCount): string[] => [
  row.rule === null ? '(no rule)' : pen.show.line(row.rule),
  ...[row.asked, row.approved, row.rejected, row.expired, row.withdrawn, row.not_run, row.in_doubt].map(String),
  row.medianMs === null ? '-' : duration(row.medianMs),
  row.longestMs === null ? '-' : duration(row.longestMs),
];
