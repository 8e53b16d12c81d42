/**
 * Owns the keys of the policy file's version 1: their forms, the sentences for wrong values, and which of them are not in
 * force in this version. A key that restricts is in force or refused; nothing restrictive is ever passed over.
 */
import { z } from 'zod';
import { onRejectSchema } from '../thread/events.ts';
import type { ChannelId, UserId } from '../thread/ids.ts';
import { count, durationMs } from './amounts.ts';
import { isToolPattern } from './tool-pattern.ts';

const slackId = <T extends string>(letters: string, what: string, ask: string) =>
  z.custom<T>(
    value => typeof value === 'string' && new RegExp(`^[${letters}][A-Z0-9]{2,20}$`).test(value),
    `must be a ${what} id (${[...letters].map(letter => `${letter}…`).join(' or ')}); npm run whois -- ${ask} prints it`,
  );
const userId = slackId<UserId>('UW', 'user', 'dana@example.com');
const groupId = slackId<string>('S', 'user group', '@sre');
const channelId = slackId<ChannelId>('CG', 'channel', "'#approvals'");

const text = z.string('must be a text').trim().min(1, 'is empty').max(500, 'is longer than 500 characters');
const yes = z.boolean('must be true or false');
const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** Names of people; whether they exist is checked where `people` is known. */
const names = (empty: string) =>
  z
    .array(z.string('must be a name of people'), 'must be a list of names of people')
    .min(1, empty)
    .refine(list => new Set(list).size === list.length, 'names somebody twice');
const approvers = names('is empty: nobody could decide');
const toolPattern = z
  .string('must be a name of a tool')
  .refine(isToolPattern, 'is no name of a tool; only letters, digits, _ . : / - and * (any characters) are');
const tools = z
  .array(toolPattern, 'must be a list of tools')
  .min(1, 'is empty: it names no tool; for every tool write "*"');

const argumentNames = z
  .array(z.string('must be a name of an argument'), 'must be a list of arguments')
  .min(1, 'is empty');

/** What is read by other means than a schema (as a section of its own). */
const section = z.unknown();

const terms = {
  approvers,
  notify: z.string('must be a name of people, or nobody'),
  expires: durationMs,
  on_reject: oneOf(onRejectSchema.options),
  quorum: z.int('must be a whole number').min(1, 'must be at least 1').max(20, 'must be at most 20'),
  self_approval: oneOf(['never', 'with_reason']),
  confirm: yes,
  remind: z
    .array(durationMs, 'must be a list of durations such as [30m, 1h]')
    .max(10, 'has more than 10 reminders')
    .refine(list => new Set(list).size === list.length, 'names one time twice'),
  escalate: section,
} as const;

/** The file's topmost keys. */
export const FILE = {
  version: z.literal(1, 'must be 1, the version of this schema'),
  environment: z
    .string('must be a word')
    .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be a word of small letters, digits, _ and - (at most 40)'),
  language: oneOf(['en', 'zh']),
  people: section,
  roles: section,
  channels: section,
  agents: section,
  defaults: section,
  rules: section,
  limits: section,
  tests: section,
} as const;
export const FILE_LATER = ['mcp', 'tools', 'retention'];

export const PERSON = {
  users: z.array(userId, 'must be a list of user ids').min(1, 'is empty'),
  group: groupId,
  label: text.max(40, 'is longer than 40 characters'),
} as const;

export const ROLES = {
  admins: names('is empty: nobody would be an admin'),
  auditors: names('is empty: nobody would be an auditor'),
  freeze: z.union(
    [z.literal('everyone'), names('is empty: nobody could freeze')],
    'must be everyone or a list of names of people',
  ),
} as const;

export const CHANNELS = { approvals: channelId, operators: channelId } as const;

export const DEFAULTS = terms;
/** What speaks of a tool's arguments, and so belongs in a rule. */
export const NOT_IN_DEFAULTS = ['grants', 'edit'];

/** One step of `escalate`. */
export const STEP = { after: durationMs, to: names('is empty: nobody would be added') } as const;

export const GRANTS = {
  max: durationMs,
  uses: count,
  scope: oneOf(['thread', 'channel', 'anywhere']),
  where: argumentNames,
} as const;

/** What every rule has. */
export const RULE = {
  id: z
    .string('must be a word')
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'must be a word of letters, digits, _ . and - (at most 60)'),
  deny: tools,
  ask: tools,
  allow: tools,
  when: z.string('must be a condition, as text').max(2_000, 'is longer than 2,000 characters'),
  why: text,
} as const;

/** What only a rule that asks has. */
export const ASKING = {
  ...terms,
  channel: channelId,
  edit: argumentNames,
  grants: section,
} as const;
export const RULE_LATER = ['requesters'];

export const AGENT = {
  listen: section,
  requesters: names('is empty: it would answer nobody'),
  model: text.max(200, 'is longer than 200 characters'),
  instructions: z
    .string('must be a path, relative to this file')
    .refine(path => !/^([/\\\\]|[A-Za-z]:)/.test(path), 'must be relative to this file'),
  tools: z.array(toolPattern, 'must be a list of tools'),
  hand_off: section,
} as const;
export const LISTEN = {
  channels: z
    .array(channelId, 'must be a list of channel ids')
    .refine(list => new Set(list).size === list.length, 'names a channel twice'),
  dm: yes,
  follow_ups: oneOf(['requester', 'everyone', 'never']),
} as const;
export const HAND_OFF = {
  review: z.union(
    [z.string().transform(name => [name]), names('is empty: nobody could review')],
    'must be a name of people, or a list of them',
  ),
  expires: durationMs,
  channel: channelId,
} as const;

export const LIMITS = { run: section, person: section, thread: section } as const;
export const RUN_LIMITS = { steps: count, tokens: count, wall: durationMs } as const;
export const PERSON_LIMITS = { open_requests: count } as const;
export const PERSON_LIMITS_LATER = ['tokens_per_day'];
export const THREAD_LIMITS = { open_requests: count } as const;

export const TEST = {
  call: z.string('must be a name of a tool').min(1, 'is empty'),
  args: z.record(z.string(), z.json(), 'must be a map of arguments'),
  facts: z.record(z.string(), z.json(), 'must be a map of facts'),
  requester: userId,
  groups: z.array(z.string('must be a name of people'), 'must be a list of names of people'),
  channel: channelId,
  tainted: yes,
  expect: z
    .string('must be a verdict and, if you like, a rule: ask my-rule')
    .regex(/^(ask|allow|deny)( \S+)?$/, 'must be ask, allow or deny and, if you like, the rule that says so'),
} as const;
