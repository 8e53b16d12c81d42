/** Owns what is printed: counts and times of a backend as tables, with the aim beside them. */
import { SOFTWARE } from './countersign.ts';
import type { Sample } from './measure.ts';

/** Everything measured on one table server. */
export interface Round {
  readonly backend: string;
  readonly ks: readonly number[];
  /** By subject, then by k: the turns of the threads of k turns. */
  readonly samples: ReadonlyMap<string, ReadonlyMap<number, readonly Sample[]>>;
}

const AIM = { requests: 12, writeUnits: 16, timeRatio: 1.5 } as const;

/** The value below which a share of the values lie (nearest rank). */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const short = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, column) =>
    Math.max(...[head, ...rows].map(each => each[column]?.length ?? 0), cell.length),
  );
  const padded = (cells: readonly string[]): string =>
    row(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return [padded(head), row(widths.map(width => '-'.repeat(width))), ...rows.map(padded)];
}

const turnsAt = (round: Round, subject: string, k: number): readonly Sample[] =>
  (round.samples.get(subject)?.get(k) ?? []).filter(sample => sample.index === k);

/** The median turn number k: the same work may take a little more or less (jitter of sizes). */
const medianAt = (round: Round, subject: string, k: number, of: (sample: Sample) => number): number =>
  percentile(turnsAt(round, subject, k).map(of), 0.5);

function counts(round: Round): string[] {
  const { ks } = round;
  const line = (subject: string, what: string, of: (sample: Sample) => number, aim = ''): string[] => [
    subject,
    what,
    ...ks.map(k => short(medianAt(round, subject, k, of))),
    aim,
  ];
  const rows = [...round.samples.keys()].flatMap(subject => {
    const own = subject.startsWith(SOFTWARE);
    return [
      line(subject, 'requests', one => one.path.requests, own ? `≤ ${AIM.requests}, the same at every turn` : ''),
      line(subject, 'write units', one => one.path.write, own ? `≤ ${AIM.writeUnits}, the same at every turn` : ''),
      line(subject, 'read units', one => one.path.read),
      line(subject, 'KB sent', one => one.path.sentBytes / 1024),
      ...(own
        ? [
            line(subject, 'apart: requests', one => one.apart.requests),
            line(subject, 'apart: write units', one => one.apart.write),
            line(subject, 'apart: read units', one => one.apart.read),
          ]
        : []),
    ];
  });
  return table(['', 'per turn', ...ks.map(k => `turn ${k}`), 'aim'], rows);
}

/** Where the software stands by the floor that claims with a transaction, the other one where there is none. */
const floorOf = (round: Round): string =>
  [...round.samples.keys()].findLast(subject => !subject.startsWith(SOFTWARE)) ?? SOFTWARE;

const MEASURES: readonly { readonly head: string; readonly of: (sample: Sample) => number }[] = [
  { head: 'click to tool, ms', of: one => one.clickToTool.wallMs },
  { head: 'its CPU, ms', of: one => one.clickToTool.cpuMs },
  { head: 'whole turn, ms', of: one => one.turn.wallMs },
  { head: 'its CPU, ms', of: one => one.turn.cpuMs },
];

function times(round: Round): string[] {
  const floor = floorOf(round);
  const rows = round.ks.flatMap(k =>
    [...round.samples.keys()].map(subject => {
      const samples = round.samples.get(subject)?.get(k) ?? [];
      const cells = MEASURES.map(({ of }) => {
        const own = samples.map(of);
        const middle = percentile(own, 0.5);
        const ratio = middle / percentile((round.samples.get(floor)?.get(k) ?? []).map(of), 0.5);
        const times = subject === floor ? '' : ` (${ratio.toFixed(1)} ×)`;
        return `${middle.toFixed(1)} / ${percentile(own, 0.95).toFixed(1)}${times}`;
      });
      return [String(k), subject, String(samples.length), ...cells];
    }),
  );
  return table(['turns', `p50 / p95 (by ${floor})`, 'n', ...MEASURES.map(({ head }) => head)], rows);
}

/** What requests the path of a turn is made of. */
function anatomy(round: Round): string {
  const k = round.ks.at(-1) ?? 1;
  const [sample] = turnsAt(round, SOFTWARE, k);
  const kinds = (tally: Sample['path']): string =>
    Object.entries(tally.kinds)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ');
  return sample ? `Turn ${k} of countersign: ${kinds(sample.path)}; apart: ${kinds(sample.apart)}.` : '';
}

/** The report of a round, as Markdown. */
export const reportOf = (round: Round): string[] => [
  `### On ${round.backend}`,
  '',
  ...counts(round),
  '',
  anatomy(round),
  '',
  ...times(round),
  '',
  `Aim: click to tool at most ${AIM.timeRatio} × the transaction floor.`,
  '',
];
