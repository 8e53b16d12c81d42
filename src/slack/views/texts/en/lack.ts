/** What is said while nobody, or fewer people than needed, may decide a request, in English. */
import { bold, t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;

export const lack = {
  nobody: t`${bold('Nobody may decide this now')}`,
  tooFew: (needed: number) => t`${bold(`Fewer than ${needed} people may decide this now`)}`,
  staysOpen: (what: Line) => t`${what}. It stays open, and goes on once there are enough; an admin can add somebody.`,
  later: (what: Line, at: Piece, scopes: Piece) => t`${what}; from ${at} on ${scopes} may decide too.`,
  row: (what: Line) => t` · ${what}; an admin can add somebody`,
  rowNobody: t`nobody may decide it now`,
  rowTooFew: (needed: number) => t`fewer than ${needed} people may decide it now`,
  rowLater: (needed: number | null, at: Piece) =>
    needed === null
      ? t` · nobody may decide it before ${at}`
      : t` · fewer than ${needed} people may decide it before ${at}`,
};
