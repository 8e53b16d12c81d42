/** Owns the shapes that travel between the page and `/human/*`: Slack's own objects, as far as the page reads them. */
import type { Block } from './blocks/shape.ts';

/** `GET /human/state`. `connected` says whether Countersign's socket is open. */
export interface Workspace {
  team: { id: string; name: string };
  app: AppInfo;
  users: Person[];
  groups: Group[];
  channels: Channel[];
  status: Status[];
  sessions?: Session[];
  prompts?: Prompts[];
  /** Whether the threads' logs can be looked at here. */
  inspector?: boolean;
  cursor: number | string;
}

/** The app as it is installed. */
interface AppInfo {
  user_id: string;
  bot_id: string;
  name: string;
  connected: boolean;
  home_tab: boolean;
  commands: { command: string; description: string; usage_hint: string }[];
  shortcuts: Shortcut[];
  prompts: Prompt[];
}

/** A shortcut in a message's menu. */
interface Shortcut {
  name: string;
  callback_id: string;
  description: string;
}

/** A member of the cast, or the app's own user. */
export interface Person {
  id: string;
  name: string;
  real_name: string;
  title: string;
  team_id: string;
  tz: string;
  deleted: boolean;
  is_bot: boolean;
  is_restricted: boolean;
  is_ultra_restricted: boolean;
  is_stranger: boolean;
}

/** A user group; `users` are ids. */
interface Group {
  id: string;
  handle: string;
  name: string;
  users: string[];
}

/** A channel or direct message. `unread` counts by user id. */
export interface Channel {
  id: string;
  name: string;
  is_im: boolean;
  is_private: boolean;
  members: string[];
  unread: Record<string, number>;
  last_ts?: string;
}

/** The assistant's status under a thread, such as `is reading notes/`. */
interface Status {
  channel: string;
  thread_ts: string;
  text: string;
}

/** How far the app is in a thread; `suspended`: it waits for a person. */
interface Session {
  channel: string;
  thread_ts: string;
  state: 'active' | 'processing' | 'suspended' | 'closed';
  title: string;
}

/** One thing to write. */
export interface Prompt {
  title: string;
  message: string;
}

/** What the app suggests to write in a direct message; `thread_ts` is set when it belongs to one thread only. */
interface Prompts {
  channel: string;
  thread_ts?: string;
  title?: string;
  prompts: Prompt[];
}

/** A Slack message object. */
export interface Message {
  ts: string;
  user?: string;
  bot_id?: string;
  channel?: string;
  subtype?: string;
  text?: string;
  blocks?: Block[];
  thread_ts?: string;
  reply_count?: number;
  reply_users?: string[];
  latest_reply?: string;
  edited?: { user?: string; ts: string };
  /** `in_progress` while the app streams into this message. */
  streaming_state?: string;
  reactions?: { name: string; users: string[]; count: number }[];
  files?: SharedFile[];
}

/** A file that the app has put into a conversation. */
export interface SharedFile {
  id: string;
  name?: string;
  title?: string;
  size?: number;
  mimetype?: string;
  url_private?: string;
  preview?: string;
}

/** A modal or Home view. `previous_view_id` is set when it lies on another one. */
export interface View {
  id: string;
  type: 'modal' | 'home';
  title?: { text: string };
  submit?: { text: string } | null;
  close?: { text: string } | null;
  blocks: Block[];
  hash?: string;
  root_view_id?: string;
  previous_view_id?: string | null;
}

/** The forms that are open for a person, the one on top last, and what the app has put on their Home. */
export interface OpenViews {
  views: View[];
  home?: View | null;
}

/** What a form's submission gives back: errors by block id, or whatever view follows. */
export interface Submitted {
  errors?: Record<string, string>;
}

/** One line of `GET /human/events`: says what changed, not what it became. */
export interface Change {
  kind: 'message' | 'removed' | 'ephemeral' | 'view' | 'status' | 'home' | 'app' | 'log';
  channel?: string;
  user?: string;
  ts?: string;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One event of a commit, told in words. */
interface LogEvent {
  type: string;
  who: string | null;
  words: string;
  digest: string | null;
  facts: Json;
  body: Json;
}

/** One commit of a thread's log. Times are epoch ms. */
export interface LogCommit {
  number: number;
  at_ms: number;
  writer: string;
  hash: string;
  previous: string;
  version: number;
  nonce: string;
  body_digest: string;
  events: LogEvent[];
  lease: { holder: string; length_ms: number; until_ms: number } | null;
  next_look_ms: number | null;
  entry_due_ms: number | null;
}

/** `GET /human/log`: a thread's commits, the oldest first. */
export interface ThreadLog {
  commits: LogCommit[];
  wakes: { number: number; due_at_ms: number }[];
}

/** The fold before and behind one commit. */
export interface Folds {
  number: number;
  before: Json;
  after: Json;
}
