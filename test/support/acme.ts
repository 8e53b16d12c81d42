/** Owns the team, the people and the terms with which the core's and the worker's tests play. */
import type { Scope, Terms } from '../../src/thread/events.ts';
import type { ChannelId, MessageTs, TeamId, ThreadKey, UserId } from '../../src/thread/ids.ts';

export const TEAM = 'T0ACME001' as TeamId;
export const DANA = 'U0DANA001' as UserId;
export const MIA = 'U0MIA0001' as UserId;
export const LEO = 'U0LEO0001' as UserId;
export const ANA = 'U0ANA0001' as UserId;
export const OTTO = 'U0OTTO001' as UserId;
export const KEY: ThreadKey = { team: TEAM, channel: 'C0GENERAL' as ChannelId, ts: '1764511200.000100' as MessageTs };
export const SRE: Scope = { name: 'sre', label: 'SRE', users: [DANA, MIA, LEO], groups: [] };

/** Terms of a request that one of SRE decides within 4 h. */
export const terms = (more: Partial<Terms> = {}): Terms => ({
  ladder: [{ afterMs: 0, scopes: [SRE] }],
  quorum: 1,
  expiresInMs: 4 * 3_600_000,
  remindMs: [],
  notify: null,
  confirm: false,
  edit: [],
  onReject: 'replan',
  selfApproval: 'never',
  channel: null,
  ...more,
});
