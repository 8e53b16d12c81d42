/** Owns how a Slack message looks in a terminal: its blocks as plain lines, for the demo. Times are UTC. */
import { z } from 'zod';

const anything = z.looseObject({ type: z.string() });
type Block = z.infer<typeof anything>;
/** The name behind the id of a person, group or channel. */
type Names = (id: string) => string;

const list = z.array(anything);
const elements = (block: Block): Block[] => list.safeParse(block['elements']).data ?? [];
const textOf = (value: unknown): string => {
  const read = z.looseObject({ text: z.string() }).safeParse(value);
  return read.success ? read.data.text : '';
};

/** `<!date^…|fallback>`, mentions, links and entities of mrkdwn as a reader would see them. */
function plainMrkdwn(text: string, names: Names): string {
  return text
    .replaceAll(/<!date\^(\d+)\^([^|>]*)\|[^>]*>/g, (_, seconds: string, form: string) => momentOf(seconds, form))
    .replaceAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${names(id)}`)
    .replaceAll(/<!subteam\^([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `@${names(id)}`)
    .replaceAll(/<#([A-Z0-9]+)(?:\|[^>]*)?>/g, (_, id: string) => `#${names(id)}`)
    .replaceAll(/<(?:https?:[^|>]*)\|([^>]*)>/g, '$1')
    .replaceAll(/<(https?:[^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/(^|\s)\*([^*\n]+)\*/g, '$1$2');
}

/** `16:05Z`, and with the day where the form of the date asks for it. */
function momentOf(seconds: unknown, form: unknown): string {
  const iso = new Date(Number(seconds) * 1000).toISOString();
  const time = `${iso.slice(11, 16)}Z`;
  return String(form).includes('{date') ? `${iso.slice(0, 10)} ${time}` : time;
}

function richElement(element: Block, names: Names): string {
  switch (element.type) {
    case 'text':
      return textOf(element);
    case 'user':
      return `@${names(String(element['user_id']))}`;
    case 'usergroup':
      return `@${names(String(element['usergroup_id']))}`;
    case 'channel':
      return `#${names(String(element['channel_id']))}`;
    case 'link':
      return textOf(element) || String(element['url']);
    case 'date':
      return momentOf(element['timestamp'], element['format']);
    case 'emoji':
      return `:${String(element['name'])}:`;
    default:
      return elements(element)
        .map(inner => richElement(inner, names))
        .join('');
  }
}

function richText(block: Block, names: Names): string[] {
  return elements(block).flatMap(part => {
    const text = elements(part)
      .map(inner => richElement(inner, names))
      .join(part.type === 'rich_text_list' ? '\n' : '');
    const mark = { rich_text_quote: '▏ ', rich_text_preformatted: '  ', rich_text_list: '· ' }[part.type] ?? '';
    return text.split('\n').map(line => `${mark}${line}`);
  });
}

function blockLines(block: Block, names: Names): string[] {
  switch (block.type) {
    case 'header':
      return [textOf(block['text'])];
    case 'section':
    case 'markdown': {
      const text = textOf(block['text']) || textOf(block);
      return plainMrkdwn(text, names).split('\n');
    }
    case 'rich_text':
      return richText(block, names);
    case 'actions':
      return [
        elements(block)
          .map(element => `[${element.type === 'overflow' ? '⋯' : textOf(element['text'] ?? element['placeholder'])}]`)
          .join(' '),
      ];
    case 'context':
      return elements(block).flatMap(element => plainMrkdwn(textOf(element), names).split('\n'));
    case 'divider':
      return ['─'.repeat(40)];
    default:
      return [];
  }
}

/** A message's blocks as lines, wrapped to `width` characters; its text where it has no blocks. */
export function messageLines(
  message: { readonly text?: string | undefined; readonly blocks?: unknown },
  names: Names,
  width: number,
): string[] {
  const blocks = list.safeParse(message.blocks).data ?? [];
  const lines =
    blocks.length > 0
      ? blocks.flatMap(block => blockLines(block, names))
      : plainMrkdwn(message.text ?? '', names).split('\n');
  return lines.flatMap(line => wrapped(line, width));
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const cut = space > width / 2 ? space : width;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return [...lines, rest];
}
