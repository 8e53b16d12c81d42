/** Owns the words of a record for outcomes, refusals and findings: plain English for the terminal, from closed lists. */
import type { Outcome } from '../thread/outcome.ts';
import { shortId } from '../thread/ids.ts';
import type { Finding, Ran, RecordDoc, Shown } from '../thread/record.ts';
import { utc, who, type Pen } from './pen.ts';

/** The short id by which people look up a request, or a call that needed none. */
export const marked = ({ call, approval }: Pick<RecordDoc, 'call' | 'approval'>): string => shortId(approval ?? call);

/** `done`, `rejected by Mia Chen (U0MIA0001)`, … */
export function outcomeWords(pen: Pen, outcome: Outcome): string {
  const { show } = pen;
  switch (outcome.is) {
    case 'waiting':
      return 'waiting';
    case 'starting':
      return 'approved or allowed, not started yet';
    case 'running':
      return `running since ${utc(outcome.sinceMs)}`;
    case 'suspended':
      return `waiting from inside since ${utc(outcome.sinceMs)}`;
    case 'done':
      return outcome.ending.code === 'checked' ? "done, as the tool's own check found" : 'done';
    case 'failed':
      return `failed${outcome.ending.code === null ? '' : `: ${outcome.ending.code}`} (effect: ${outcome.ending.effect})`;
    case 'in_doubt':
      return `in doubt since ${utc(outcome.sinceMs)}: nobody knows whether it ran`;
    case 'said_done':
      return `done, as ${who(pen, outcome.by)} said`;
    case 'given_up':
      return `given up by ${who(pen, outcome.by)}: nobody knows whether it ran`;
    case 'rejected':
      return `rejected by ${who(pen, outcome.by)}`;
    case 'expired':
      return 'expired';
    case 'withdrawn':
      return outcome.by === null ? 'withdrawn' : `withdrawn (${outcome.by})`;
    case 'not_run':
      return `${outcome.approved === 'by_all' ? 'approved, but not run' : 'not run'}: ${outcome.code}${outcome.detail === null ? '' : ` (${show.line(outcome.detail)})`}`;
    case 'refused':
      return `refused before anybody was asked: ${outcome.code}${outcome.detail === null ? '' : ` (${show.line(outcome.detail)})`}`;
  }
}

const WHY: Readonly<Record<string, string>> = {
  first: '',
  again: '',
  message: 'the requester wrote again',
  edited: 'the arguments were edited',
  changed: 'something had changed',
  not_run: 'it had not run',
};

/** Why a round was put to people; '' for the first. */
export const shownWords = ({ why }: Shown): string => WHY[why] ?? why;

/** What came of an attempt. */
export const ranWords = (ran: Ran): string => {
  const effect = ran.effect === null || ran.how === 'succeeded' ? '' : `, effect: ${ran.effect}`;
  const code = ran.code === null ? '' : ` (${ran.code})`;
  const words: Record<Ran['how'], string> = {
    open: 'started or about to start; no outcome on record',
    suspended: 'waits from inside',
    not_started: `not started${code}`,
    succeeded: `ok${code}`,
    failed: `failed${code}${effect}`,
    in_doubt: 'in doubt: no outcome on record',
  };
  return `${words[ran.how]}${ran.late ? ', recorded late' : ''}`;
};

/** One sentence for what does not fit together. */
export function findingWords(pen: Pen, finding: Finding): string {
  switch (finding.code) {
    case 'shown_digest':
      return `round ${finding.round}: its digest is not that of what the record says was shown`;
    case 'call_digest':
      return "the call's digest is not that of its arguments and definition";
    case 'decided_digest':
      return `round ${finding.round}: the decision of ${who(pen, finding.by)} is bound to another digest than was shown`;
    case 'claimed_digest':
      return `attempt ${finding.attempt} was bound to another digest than was approved`;
    case 'claimed_without_approval':
      return `attempt ${finding.attempt} began without the approvals that its rule wants`;
    case 'requester_decided':
      return `round ${finding.round}: ${who(pen, finding.by)} asked for it and approved it, which the rule does not let them`;
    case 'result_digest':
      return `attempt ${finding.attempt}: the kept result is not the one whose digest was recorded`;
    case 'contradiction':
      return `attempt ${finding.attempt}: what came out late is not what people had said of it`;
    case 'erased':
      return 'texts were erased: digests over them cannot be computed again';
  }
}
