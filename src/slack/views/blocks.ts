/** Owns the making of Slack's blocks, within Slack's limits for any text. */
import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  KnownBlock,
  PlainTextElement,
  RichTextBlock,
  SectionBlock,
} from '@slack/web-api';
import { SLACK } from './limits.ts';
import { mrkdwn, nobody, rich, type Line, type Quiet } from './line.ts';
import { cut, shorten } from './text/escape.ts';

/** Text without markup; a cut shows. Slack refuses empty texts, so they become a space. */
export const plainText = (text: string, max: number = SLACK.section): PlainTextElement => ({
  type: 'plain_text',
  text: text === '' ? ' ' : cut(text, max),
  emoji: false,
});

const label = (text: string, max: number): PlainTextElement => ({
  type: 'plain_text',
  text: text.trim() === '' ? ' ' : shorten(text, max),
  emoji: false,
});

export const header = (text: string): KnownBlock => ({ type: 'header', text: label(text, SLACK.header) });

export const plainSection = (text: string, max?: number): SectionBlock => ({
  type: 'section',
  text: plainText(text, max),
  expand: true,
});

/** Lines of our own words, one below the other. */
export const ownSection = (lines: readonly Line[], quiet: Quiet = nobody): SectionBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: lines.map(line => mrkdwn(line, quiet)).join('\n'), verbatim: true },
  expand: true,
});

export const preformatted = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: text === '' ? ' ' : text }] }],
});

export const list = (lines: readonly Line[], quiet: Quiet = nobody): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: lines.map(line => ({ type: 'rich_text_section', elements: rich(line, quiet) })),
    },
  ],
});

export const quote = (lines: readonly Line[], quiet: Quiet = nobody): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_quote',
      elements: lines.flatMap((line, index) => [
        ...(index === 0 ? [] : [{ type: 'text' as const, text: '\n' }]),
        ...rich(line, quiet),
      ]),
    },
  ],
});

/** One paragraph. */
export const paragraph = (line: Line, quiet: Quiet = nobody): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: rich(line, quiet) }],
});

/** Small print: own words as mrkdwn, everything else as plain text. */
export const fine = (elements: readonly (Line | string)[], quiet: Quiet = nobody): KnownBlock => ({
  type: 'context',
  elements: elements
    .slice(0, SLACK.contextElements)
    .map(element =>
      typeof element === 'string'
        ? plainText(element)
        : { type: 'mrkdwn' as const, text: mrkdwn(element, quiet), verbatim: true },
    ),
});

export interface ConfirmWords {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly back: string;
}

/** What a control asks back. */
export const confirmation = (words: ConfirmWords, style?: 'primary' | 'danger'): ConfirmationDialog => ({
  title: label(words.title, SLACK.confirm.title),
  text: plainText(words.text, SLACK.confirm.text),
  confirm: label(words.yes, SLACK.confirm.button),
  deny: label(words.back, SLACK.confirm.button),
  ...(style ? { style } : {}),
});

/** A button; `value` matches `^[A-Za-z0-9_-]{1,64}$`. */
export const button = (
  action: string,
  text: string,
  value: string,
  more: { readonly style?: 'primary' | 'danger'; readonly confirm?: ConfirmWords } = {},
): Button => ({
  type: 'button',
  action_id: action,
  text: label(text, SLACK.button),
  value,
  ...(more.style ? { style: more.style } : {}),
  ...(more.confirm ? { confirm: confirmation(more.confirm, more.style) } : {}),
});

export const actions = (elements: readonly ActionsBlockElement[]): ActionsBlock => ({
  type: 'actions',
  elements: [...elements],
});
