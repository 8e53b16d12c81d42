/** Owns what a policy file says once it has been read: people, rules and limits with everything filled in. */
import type { Limits } from '../thread/decide/command.ts';
import type { Json, Scope, Terms } from '../thread/events.ts';
import type { ChannelId, UserId } from '../thread/ids.ts';
import type { Agent } from '../worker/ports.ts';
import type { Condition } from './condition.ts';

/** Who has which role; nobody where the list is empty. */
export interface Roles {
  readonly admins: readonly Scope[];
  readonly auditors: readonly Scope[];
  readonly freeze: 'everyone' | readonly Scope[];
}

/** What a rule asks for; `confirm: 'by_risk'` asks once more when the tool's risk is high. */
export type AskTerms = Omit<Terms, 'confirm'> & { readonly confirm: boolean | 'by_risk' };

/** One rule in normal form. `tools` are patterns; without `condition` it decides for every call of them. */
export type Rule = {
  readonly id: string;
  readonly tools: readonly string[];
  readonly condition: Condition | null;
} & (
  | { readonly verdict: 'deny'; readonly why: string }
  | { readonly verdict: 'allow'; readonly why: string | null }
  | { readonly verdict: 'ask'; readonly why: string | null; readonly terms: AskTerms }
);

/** An example of the file's `tests`. */
export interface PolicyTest {
  readonly place: string;
  readonly tool: string;
  readonly args: Json;
  readonly facts: Readonly<Record<string, Json>>;
  readonly requester: { readonly id: UserId; readonly groups: readonly string[] };
  readonly channel: ChannelId;
  readonly tainted: boolean;
  readonly expect: { readonly verdict: 'ask' | 'allow' | 'deny'; readonly rule: string | null };
}

/** An agent and where it listens. `channels` null: in every channel where no other agent does. */
export interface ListeningAgent extends Agent {
  readonly channels: readonly ChannelId[] | null;
  readonly dm: boolean;
}

/** A policy file that is right. */
export interface PolicyFile {
  readonly fileName: string;
  readonly text: string;
  readonly environment: string;
  readonly language: 'en' | 'zh';
  readonly people: ReadonlyMap<string, Scope>;
  readonly roles: Roles;
  readonly channels: { readonly approvals: ChannelId | null; readonly operators: ChannelId | null };
  /** Never empty; the first one answers where `listen` does not say otherwise. */
  readonly agents: readonly ListeningAgent[];
  /** What holds where no rule matches. */
  readonly defaults: AskTerms;
  readonly rules: readonly Rule[];
  readonly limits: Limits;
  readonly tests: readonly PolicyTest[];
  /** Sentences for the start, about what somebody might not expect. */
  readonly notes: readonly string[];
}
