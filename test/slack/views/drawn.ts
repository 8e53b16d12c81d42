/** Draws rendered messages as readable text, so that a test's expectation looks like the reference of screens. */
import type { ActionsBlockElement, Button, KnownBlock, RichTextBlock, ModalView } from '@slack/web-api';
import type { Content, Message } from '../../../src/slack/message.ts';

type RichElement = Extract<RichTextBlock['elements'][number], { type: 'rich_text_section' }>['elements'][number];

function element(one: RichElement): string {
  switch (one.type) {
    case 'text':
      return one.style?.bold ? `*${one.text}*` : one.text;
    case 'user':
      return `<@${one.user_id}>`;
    case 'usergroup':
      return `<!subteam^${one.usergroup_id}>`;
    case 'channel':
      return `<#${one.channel_id}>`;
    case 'link':
      return `<${one.url}|${one.text ?? ''}>`;
    case 'date':
      return `{${one.fallback ?? ''}}`;
    default:
      return `?${one.type}?`;
  }
}

const line = (elements: readonly RichElement[]): string => elements.map(element).join('');
const indented = (text: string, sign: string): string =>
  text
    .split('\n')
    .map(part => `${sign}${part}`)
    .join('\n');

function rich(block: RichTextBlock): string {
  return block.elements
    .map(part => {
      switch (part.type) {
        case 'rich_text_section':
          return line(part.elements);
        case 'rich_text_preformatted':
          return indented(line(part.elements), '  ');
        case 'rich_text_quote':
          return indented(line(part.elements), '▏');
        case 'rich_text_list':
          return part.elements.map(item => `• ${line(item.elements)}`).join('\n');
      }
    })
    .join('\n');
}

const button = (one: Button): string =>
  `[${one.text.text}${one.style ? ` ${one.style}` : ''}${one.confirm ? ' confirm' : ''}]`;

const control = (one: ActionsBlockElement): string =>
  one.type === 'button'
    ? button(one)
    : one.type === 'overflow'
      ? `[⋯ ${one.options.map(each => each.text.text).join(' · ')}]`
      : one.type === 'static_select'
        ? `[v ${(one.options ?? []).map(each => each.text.text).join(' · ')}${one.confirm ? ' confirm' : ''}]`
        : `?${one.type}?`;

const mrkdwn = (text: string): string => text.replace(/<!date\^\d+\^[^|]*\|([^>]*)>/g, '{$1}');

function drawBlock(block: KnownBlock): string {
  switch (block.type) {
    case 'header':
      return `# ${block.text.text}`;
    case 'section':
      return mrkdwn(block.text?.text ?? '');
    case 'rich_text':
      return rich(block);
    case 'actions':
      return block.elements.map(control).join(' ');
    case 'context':
      return block.elements.map(one => ('text' in one ? `~ ${mrkdwn(one.text)}` : '?')).join('\n');
    default:
      return `?${block.type}?`;
  }
}

export const drawContent = (content: Content): string =>
  [`"${mrkdwn(content.text)}"`, ...content.blocks.map(drawBlock)].join('\n');

/** One message: key, place, push line, blocks; `first` only where it differs. */
export function draw(message: Message): string {
  const place =
    'under' in message.place
      ? `under ${message.place.under}`
      : `${message.place.channel}${message.place.threadTs ? ' thread' : ''}`;
  const file = message.file ? `\n(${message.file.name}, ${message.file.text.length} characters)` : '';
  const reaction = message.reaction ? `\n:${message.reaction.name}: on ${message.reaction.ts}` : '';
  const body = drawContent(message.content);
  const first = message.first ? drawContent(message.first) : body;
  return `== ${message.key} (${message.rank}, ${place})\n${body}${reaction}${file}${first === body ? '' : `\n-- first\n${first}`}`;
}

export const drawAll = (messages: readonly Message[]): string => `\n${messages.map(draw).join('\n\n')}\n`;

/** A form: title, submit and close, then its blocks; a field by its label and element. */
export const drawView = (view: ModalView): string =>
  `\n${view.title.text} [${view.submit?.text ?? '-'}] [${view.close?.text ?? '-'}]\n${view.blocks
    .map(block =>
      block.type === 'input' && 'element' in block
        ? `${block.label.text}: ${JSON.stringify(block.element)}`
        : drawContent({ text: '', blocks: [block as Parameters<typeof drawContent>[0]['blocks'][number]] }).slice(3),
    )
    .join('\n')}\n`;
