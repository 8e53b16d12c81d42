/** Owns the shapes that travel between the page and `/human/*`: Slack's own objects, as far as the page reads them. */
import type { Block } from './blocks/shape.ts';

/** `GET /human/state`. `connected` says whether Countersign's socket is open. */
export interface Workspace {
  team: { id: string; name: string };
  app: { user_id: string; bot_id: string; name: string; connected: boolean; home_tab: boolean; commands: string[] };
  users: Person[];
  groups: Group[];
  channels: Channel[];
  status: Status[];
  prompts?: Prompts[];
  cursor: number | string;
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

/** What the app suggests to write in a direct message; `thread_ts` is set when it belongs to one thread only. */
interface Prompts {
  channel: string;
  thread_ts?: string;
  title?: string;
  prompts: { title: string; message: string }[];
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
  files?: {
    id: string;
    name?: string;
    title?: string;
    size?: number;
    mimetype?: string;
    url_private?: string;
    preview?: string;
  }[];
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
  kind: 'message' | 'removed' | 'ephemeral' | 'view' | 'status' | 'home' | 'app';
  channel?: string;
  user?: string;
  ts?: string;
}
