/** Owns the form of what `doctor` finds. */

/** One line; `bad` keeps the program from its work, `odd` only may. */
export interface Finding {
  readonly level: 'good' | 'odd' | 'bad';
  readonly about: string;
  readonly says: string;
}

export const good = (about: string, says: string): Finding => ({ level: 'good', about, says });
export const odd = (about: string, says: string): Finding => ({ level: 'odd', about, says });
export const bad = (about: string, says: string): Finding => ({ level: 'bad', about, says });

const SIGNS = { good: '✓', odd: '!', bad: '✗' } as const;

/** `✓ node       24.21.0` */
export const findingLine = ({ level, about, says }: Finding): string => `${SIGNS[level]} ${about.padEnd(10)} ${says}`;
