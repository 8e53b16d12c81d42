/** Owns the keys of the messages that carry decisions; every view that points to one of them finds it by its key. */
import type { ApprovalId, ExecutionId } from '../../thread/ids.ts';

const CARD = 'card/';
const DOUBT = 'doubt/';

/** The key of an approval's n-th card. */
export const cardKey = (approval: { readonly id: ApprovalId }, n: number): string => `${CARD}${approval.id}/${n}`;

/** The key of the card about an execution that no rule had asked about, once nobody knows whether it ran. */
export const doubtKey = (execution: ExecutionId): string => `${DOUBT}${execution}`;

/** True for the keys of messages with buttons that decide something. */
export const isCardKey = (key: string): boolean => key.startsWith(CARD) || key.startsWith(DOUBT);
