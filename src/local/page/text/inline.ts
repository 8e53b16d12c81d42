/**
 * Owns the page's one shape for written text: the elements of Slack's rich text. mrkdwn is parsed into the same shape
 * (mrkdwn.ts), so that one renderer draws both and a mention looks the same wherever it stands.
 */

/** How a run of characters is written. */
export interface TextStyle {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  underline?: boolean;
  highlight?: boolean;
}

/** One element inside a line of text. `timestamp` is in seconds; `unicode` is hyphen-joined hex code points. */
export type Inline =
  | { type: 'text'; text: string; style?: TextStyle }
  | { type: 'link'; url: string; text?: string; style?: TextStyle }
  | { type: 'user'; user_id: string; style?: TextStyle }
  | { type: 'usergroup'; usergroup_id: string; style?: TextStyle }
  | { type: 'channel'; channel_id: string; label?: string; style?: TextStyle }
  | { type: 'broadcast'; range: string; style?: TextStyle }
  | { type: 'emoji'; name: string; unicode?: string; style?: TextStyle }
  | { type: 'date'; timestamp: number; format: string; url?: string; fallback?: string; style?: TextStyle };

/** One paragraph-like part of a text. */
export type RichPart =
  | { type: 'rich_text_section'; elements: Inline[] }
  | { type: 'rich_text_quote'; elements: Inline[] }
  | { type: 'rich_text_preformatted'; elements: Inline[] }
  | { type: 'rich_text_list'; style: 'bullet' | 'ordered'; indent?: number; offset?: number; elements: ListItem[] };

/** One line of a list. */
interface ListItem {
  type: 'rich_text_section';
  elements: Inline[];
}
