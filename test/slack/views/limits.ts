/** Slack's limits as a check on rendered messages and forms, written down apart from the product's own constants. */
import type { Button, ConfirmationDialog, InputBlock, KnownBlock, ModalView } from '@slack/web-api';
import type { Content, Message } from '../../../src/slack/message.ts';

export interface Found {
  readonly kind: 'text' | 'mrkdwn' | 'plain' | 'rich';
  readonly text: string;
}

const escaped = (text: string): number => text.replace(/[&<>]/g, sign => (sign === '&' ? '&amp;' : '&lt;')).length;

/** Every string that a reader could see, with the kind of text it stands in. */
export function textsOf(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  const { type, text } = object;
  const own: Found[] =
    typeof text === 'string'
      ? [{ kind: type === 'mrkdwn' ? 'mrkdwn' : type === 'plain_text' ? 'plain' : 'rich', text }]
      : [];
  return [...own, ...Object.values(object).flatMap(textsOf)];
}

/** Elements of rich text that are live: mentions, links, broadcasts. */
export function liveOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(liveOf);
  if (typeof value !== 'object' || value === null) return [];
  const object = value as Record<string, unknown>;
  const live = ['user', 'usergroup', 'broadcast', 'channel', 'link', 'team', 'emoji'].includes(String(object['type']));
  return [...(live ? [object] : []), ...Object.values(object).flatMap(liveOf)];
}

const problems: string[] = [];
const most = (what: string, length: number, limit: number): void => {
  if (length > limit) problems.push(`${what}: ${length} > ${limit}`);
};
const some = (what: string, text: string): void => {
  if (text === '') problems.push(`${what} is empty`);
};

function checkConfirm(confirm: ConfirmationDialog): void {
  most('confirm title', escaped(confirm.title?.text ?? ''), 100);
  most('confirm text', escaped(confirm.text.text), 300);
  most('confirm yes', escaped(confirm.confirm?.text ?? ''), 30);
  most('confirm no', escaped(confirm.deny?.text ?? ''), 30);
}

function checkButton(button: Button): void {
  most('button', escaped(button.text.text), 75);
  most('action_id', button.action_id?.length ?? 0, 255);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(button.value ?? '')) problems.push(`button value ${button.value}`);
  if (button.confirm) checkConfirm(button.confirm);
}

function distinct(what: string, names: readonly string[]): void {
  if (new Set(names).size < names.length) problems.push(`${what} twice: ${names.join(' ')}`);
}

function checkOptions(what: string, options: readonly { text: { text: string }; value?: string }[], limit: number) {
  most(`${what} options`, options.length, limit);
  if (options.length === 0) problems.push(`${what} without options`);
  for (const { text, value = '' } of options) {
    most(`${what} option`, escaped(text.text), 75);
    most(`${what} value`, value.length, 75);
  }
  distinct(
    `${what} value`,
    options.map(one => one.value ?? ''),
  );
}

function checkElement(element: InputBlock['element']): void {
  switch (element.type) {
    case 'plain_text_input':
      most('initial value', element.initial_value?.length ?? 0, Math.min(3000, element.max_length ?? 3000));
      return most('max_length', element.max_length ?? 0, 3000);
    case 'radio_buttons':
      return checkOptions('radio', element.options, 10);
    case 'static_select':
      return checkOptions('select', element.options ?? [], 100);
    case 'multi_static_select':
      return checkOptions('select', element.options ?? [], 100);
    default:
      problems.push(`an input of ${element.type}`);
  }
}

function checkBlock(block: KnownBlock): void {
  for (const { kind, text } of textsOf(block)) {
    some(`${block.type} ${kind}`, text);
    if (!text.isWellFormed()) problems.push(`a broken surrogate pair in ${block.type}`);
  }
  switch (block.type) {
    case 'header':
      return most('header', escaped(block.text.text), 150);
    case 'section':
      return most(
        'section',
        block.text?.type === 'mrkdwn' ? block.text.text.length : escaped(block.text?.text ?? ''),
        3000,
      );
    case 'context':
      return most('context', block.elements.length, 10);
    case 'actions':
      most('actions', block.elements.length, 25);
      distinct(
        'action_id',
        block.elements.map(one => ('action_id' in one ? (one.action_id ?? '') : '')),
      );
      for (const one of block.elements) {
        if (one.type === 'button') checkButton(one);
        else if (one.type === 'overflow') checkOptions('overflow', one.options, 5);
        else if (one.type === 'static_select') {
          checkOptions('select', one.options ?? [], 100);
          if (one.confirm) checkConfirm(one.confirm);
        } else problems.push(`a ${one.type}`);
      }
      return;
    case 'rich_text':
      if (block.elements.length === 0) problems.push('rich_text without elements');
      for (const part of block.elements) if (part.elements.length === 0) problems.push(`${part.type} without elements`);
      return;
    case 'input':
      most('label', escaped(block.label.text), 2000);
      most('block_id', block.block_id?.length ?? 0, 255);
      return checkElement(block.element);
    default:
      problems.push(`a ${block.type} block`);
  }
}

/** What Slack would refuse about a message's content; empty when nothing. */
export function refusedOf(content: Content): string[] {
  problems.length = 0;
  most('text', content.text.length, 4000);
  most('blocks', content.blocks.length, 50);
  content.blocks.forEach(checkBlock);
  const all = textsOf(content.blocks).reduce(
    (sum, found) => sum + (found.kind === 'mrkdwn' ? found.text.length : escaped(found.text)),
    0,
  );
  most('all text', all, 9000);
  return [...problems];
}

/** The same for every form of a message. */
export const refusedOfMessage = (message: Message): string[] =>
  [message.content, message.first, message.short].flatMap(content =>
    content === undefined || message.reaction !== undefined
      ? []
      : refusedOf(content).map(problem => `${message.key}: ${problem}`),
  );

/** What Slack would refuse about a form. */
export function refusedOfForm(view: ModalView): string[] {
  problems.length = 0;
  most('title', escaped(view.title.text), 24);
  most('submit', escaped(view.submit?.text ?? ''), 24);
  most('close', escaped(view.close?.text ?? ''), 24);
  most('private_metadata', view.private_metadata?.length ?? 0, 3000);
  most('blocks', view.blocks.length, 100);
  distinct(
    'block_id',
    view.blocks.flatMap(block => ('block_id' in block && block.block_id ? [block.block_id] : [])),
  );
  most('bytes', Buffer.byteLength(JSON.stringify(view).replace(/[<>&]/g, '&amp;')), 250_000);
  for (const block of view.blocks) checkBlock(block as KnownBlock);
  return [...problems];
}
