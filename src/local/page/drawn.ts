/** Owns the drawing of rich text (and so of parsed mrkdwn): paragraphs, lists, quotes, code, mentions, links and dates. */
import { openInside } from './navigate.ts';
import { readDesk } from './store.ts';
import { html, type VNode } from './ui.ts';
import { isSafeAddress } from './text/address.ts';
import { formatDate, fullMoment } from './text/dates.ts';
import { emojiText, withEmoji } from './text/emoji.ts';
import type { Inline, RichPart, TextStyle } from './text/inline.ts';
import { parseMrkdwn } from './text/mrkdwn.ts';
import type { TextObject } from './blocks/shape.ts';

/** A text object as it is written: mrkdwn with markup, plain text without. */
export function drawText(text: TextObject): VNode {
  if (text.type === 'mrkdwn') return drawMrkdwn(text.text);
  return html`<span class="plain">${text.emoji === false ? text.text : withEmoji(text.text)}</span>`;
}

/** Escaped mrkdwn, as in a message's `text`. */
export function drawMrkdwn(text: string): VNode {
  return drawParts(parseMrkdwn(text));
}

/** The parts of a rich text, one under the other. */
export function drawParts(parts: readonly RichPart[]): VNode {
  return html`<div class="rich">${parts.map(drawPart)}</div>`;
}

function drawPart(part: RichPart): VNode {
  if (part.type === 'rich_text_list') return drawList(part);
  const content = part.elements.map(drawInline);
  if (part.type === 'rich_text_quote') return html`<blockquote>${content}</blockquote>`;
  if (part.type === 'rich_text_preformatted') return html`<pre tabindex="0">${content}</pre>`;
  return html`<div class="para">${content}</div>`;
}

function drawList(list: Extract<RichPart, { type: 'rich_text_list' }>): VNode {
  const items = list.elements.map(item => html`<li>${item.elements.map(drawInline)}</li>`);
  const level = `list level-${Math.min(list.indent ?? 0, 4)}`;
  if (list.style === 'ordered')
    return html`<ol class=${level} start=${(list.offset ?? 0) + 1}>
      ${items}
    </ol>`;
  return html`<ul class=${level}>
    ${items}
  </ul>`;
}

function drawInline(element: Inline): VNode | string {
  return styled(drawElement(element), element.style);
}

function drawElement(element: Inline): VNode | string {
  const { workspace, me } = readDesk();
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return drawLink(element.url, element.text ?? element.url);
    case 'emoji':
      return html`<span class="emoji" role="img" aria-label=${element.name}
        >${emojiText(element.name, element.unicode)}</span
      >`;
    case 'user': {
      const person = workspace?.users.find(user => user.id === element.user_id);
      const name = person?.real_name ?? element.user_id;
      return html`<span class="mention" data-user=${element.user_id} data-me=${element.user_id === me}>@${name}</span>`;
    }
    case 'usergroup': {
      const group = workspace?.groups.find(found => found.id === element.usergroup_id);
      const mine = group?.users.includes(me) ?? false;
      return html`<span class="mention" data-group=${element.usergroup_id} data-me=${mine}
        >@${group?.handle ?? element.usergroup_id}</span
      >`;
    }
    case 'channel': {
      const name =
        workspace?.channels.find(found => found.id === element.channel_id)?.name ?? element.label ?? element.channel_id;
      return html`<a class="mention" href=${`/archives/${element.channel_id}`} onClick=${followInside}>#${name}</a>`;
    }
    case 'broadcast':
      return html`<span class="mention" data-me="true">@${element.range}</span>`;
    case 'date':
      return drawDate(element);
    default:
      return '';
  }
}

function drawDate(element: Extract<Inline, { type: 'date' }>): VNode {
  const reader = { nowMs: Date.now() };
  const text = formatDate(element.timestamp, element.format, reader);
  const time = html`<time datetime=${isoTime(element.timestamp)} title=${fullMoment(element.timestamp * 1000, reader)}
    >${text}</time
  >`;
  return element.url === undefined ? time : drawLink(element.url, time);
}

function drawLink(address: string, content: VNode | string): VNode {
  if (!isSafeAddress(address)) return html`<span>${content}</span>`;
  return html`<a href=${address} target="_blank" rel="noopener noreferrer" onClick=${followInside}>${content}</a>`;
}

/** Follows a link to this workspace inside the page, unless the person asked for another window. */
function followInside(event: MouseEvent): void {
  const link = event.currentTarget;
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(link instanceof HTMLAnchorElement)) return;
  if (openInside(link.href)) event.preventDefault();
}

function styled(content: VNode | string, style: TextStyle | undefined): VNode | string {
  let drawn = content;
  if (style?.code) drawn = html`<code>${drawn}</code>`;
  if (style?.bold) drawn = html`<strong>${drawn}</strong>`;
  if (style?.italic) drawn = html`<em>${drawn}</em>`;
  if (style?.strike) drawn = html`<s>${drawn}</s>`;
  if (style?.underline) drawn = html`<u>${drawn}</u>`;
  if (style?.highlight) drawn = html`<mark>${drawn}</mark>`;
  return drawn;
}

function isoTime(seconds: number): string {
  return Number.isFinite(seconds) && Math.abs(seconds) < 8e12 ? new Date(seconds * 1000).toISOString() : '';
}
