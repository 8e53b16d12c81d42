/** Owns the drawing of one message: author, time, blocks or text, files, reactions, and what hangs below it. */
import { click, deleteMessage, dismiss, useShortcut } from '../act.ts';
import { drawAvatar } from '../avatar.ts';
import { authorName } from '../names.ts';
import type { BlockHost } from '../blocks/host.ts';
import { drawBlocks } from '../blocks/list.ts';
import { icon } from '../icons.ts';
import { Menu, type MenuItem } from '../menu.ts';
import { openThread } from '../navigate.ts';
import { patchDesk, readDesk } from '../store.ts';
import { isSafeAddress, writePermalink } from '../text/address.ts';
import { clockTime, dayLabel, fullMoment, sameDay, tsToMs } from '../text/dates.ts';
import { drawMrkdwn } from '../drawn.ts';
import { emojiText } from '../text/emoji.ts';
import { html, useState, type VNode } from '../ui.ts';
import type { Message, Workspace } from '../wire.ts';
import { EditBox } from './edit.ts';

/** What a message needs to be drawn. `inThread` leaves out the summary of replies. */
export interface MessageProps {
  message: Message;
  channel: string;
  workspace: Workspace;
  grouped: boolean;
  inThread: boolean;
  ephemeral: boolean;
  flash: boolean;
}

/** One message with its toolbar. */
export function MessageView(props: MessageProps): VNode {
  const { message, channel, workspace, grouped, inThread, ephemeral, flash } = props;
  const ms = tsToMs(message.ts);
  const reader = { nowMs: Date.now() };
  const author = authorName(workspace, message.user);
  const isApp = message.bot_id !== undefined || message.user === workspace.app.user_id;
  const time = html`<time class="time" datetime=${new Date(ms).toISOString()} title=${fullMoment(ms, reader)}
    >${clockTime(ms, reader)}</time
  >`;
  const isEdited = readDesk().editing === `${channel}/${message.ts}`;
  const classes = ['message', grouped && 'grouped', ephemeral && 'ephemeral', flash && 'flash']
    .filter(Boolean)
    .join(' ');
  return html`<article
    class=${classes}
    tabindex="-1"
    aria-label=${`${author}, ${fullMoment(ms, reader)}`}
    data-message-ts=${message.ts}
    data-channel=${channel}
    data-user=${message.user}
    data-ephemeral=${ephemeral}
  >
    ${ephemeral && html`<p class="only-you">${icon('eye')} Only visible to you</p>`}
    <div class="gutter">${grouped ? time : drawAvatar(workspace, message.user)}</div>
    <div class="content">
      ${!grouped && html`<div class="byline"><strong class="author">${author}</strong>${isApp && html`<span class="app-badge">App</span>`}${time}</div>`}
      ${isEdited ? html`<${EditBox} message=${message} channel=${channel} />` : html`<div class="body" data-streaming=${message.streaming_state === 'in_progress'}>${drawBody(message, channel)}</div>`}
      ${drawFiles(message)} ${drawReactions(message, workspace)}
      ${ephemeral && html`<button type="button" class="text-button" onClick=${() => dismiss(message.ts)}>Dismiss</button>`}
      ${!inThread && drawReplies(message, channel, workspace)}
      ${!inThread && drawStatus(workspace, channel, message.ts)}
    </div>
    ${!ephemeral && !isEdited && html`<${Toolbar} message=${message} channel=${channel} inThread=${inThread} shortcuts=${workspace.app.shortcuts} />`}
  </article>`;
}

/** The line under a thread while the app works: `Countersign is reading notes/`. */
function drawStatus(workspace: Workspace, channel: string, thread: string): VNode | undefined {
  const status = workspace.status.find(
    found => found.channel === channel && found.thread_ts === thread && found.text !== '',
  );
  if (status === undefined) return undefined;
  return html`<p class="status" role="status" data-status-thread=${thread}>
    ${drawDots()} ${workspace.app.name} ${status.text}
  </p>`;
}

/** Three dots that move while something works. */
export function drawDots(): VNode {
  return html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;
}

function drawBody(message: Message, channel: string): VNode {
  const { blocks, text } = message;
  const edited =
    message.edited !== undefined && message.bot_id === undefined && html`<small class="edited"> (edited)</small>`;
  if (blocks === undefined || blocks.length === 0) return html`${drawMrkdwn(text ?? '')}${edited}`;
  const isCard = blocks.some(block => block.type === 'header');
  const host: BlockHost = { click: press => click({ channel, ts: message.ts }, press) };
  return html`<div class=${isCard ? 'card' : undefined}>${drawBlocks(blocks, host)}</div>
    ${edited}`;
}

function drawFiles(message: Message): VNode | undefined {
  if (message.files === undefined || message.files.length === 0) return undefined;
  return html`<div class="files">
    ${message.files.map(file => {
      const name = file.title ?? file.name ?? file.id;
      const address = file.url_private ?? '';
      const size = file.size === undefined ? '' : `${Math.max(1, Math.round(file.size / 1024))} KB`;
      const content = html`<span aria-hidden="true">📄</span><span class="file-name">${name}</span
        ><small>${size}</small>`;
      if (!address.startsWith('/') && !isSafeAddress(address))
        return html`<span class="file" data-file=${file.id}>${content}</span>`;
      return html`<button type="button" class="file" data-file=${file.id} onClick=${() => patchDesk({ file })}>
        ${content}
      </button>`;
    })}
  </div>`;
}

function drawReactions(message: Message, workspace: Workspace): VNode | undefined {
  if (message.reactions === undefined || message.reactions.length === 0) return undefined;
  return html`<div class="reactions">
    ${message.reactions.map(({ name, users, count }) => {
      const who = users.map(user => authorName(workspace, user)).join(', ');
      const mine = users.includes(readDesk().me);
      return html`<span class="reaction" data-reaction=${name} data-mine=${mine} title=${`${who} reacted with ${name}`}>
        <span class="emoji">${emojiText(name)}</span> ${count}
      </span>`;
    })}
  </div>`;
}

function drawReplies(message: Message, channel: string, workspace: Workspace): VNode | undefined {
  const count = message.reply_count ?? 0;
  if (count === 0) return undefined;
  const reader = { nowMs: Date.now() };
  const lastMs = message.latest_reply === undefined ? undefined : tsToMs(message.latest_reply);
  const when =
    lastMs === undefined
      ? ''
      : sameDay(lastMs, reader.nowMs, reader)
        ? `at ${clockTime(lastMs, reader)}`
        : dayLabel(lastMs, reader).toLowerCase();
  return html`<button
    type="button"
    class="replies"
    data-thread=${message.ts}
    onClick=${() => openThread(channel, message.ts)}
  >
    <span class="faces"
      >${(message.reply_users ?? []).slice(0, 4).map(user => drawAvatar(workspace, user, 'small'))}</span
    >
    <span class="reply-count">${count} ${count === 1 ? 'reply' : 'replies'}</span>
    <span class="reply-time">Last reply ${when}</span>
  </button>`;
}

interface ToolbarProps {
  message: Message;
  channel: string;
  inThread: boolean;
  shortcuts: Workspace['app']['shortcuts'];
}

function Toolbar({ message, channel, inThread, shortcuts }: ToolbarProps): VNode {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    const link = writePermalink(location.origin, channel, message.ts, message.thread_ts);
    void navigator.clipboard.writeText(link).then(() => setCopied(true));
  };
  const root = message.thread_ts ?? message.ts;
  return html`<div class="toolbar" role="toolbar" aria-label="Message actions" onMouseLeave=${() => setCopied(false)}>
    ${
      !inThread &&
      html`<button
        type="button"
        aria-label="Reply in thread"
        title="Reply in thread"
        onClick=${() => openThread(channel, root)}
      >
        ${icon('reply')}
      </button>`
    }
    <button
      type="button"
      aria-label=${copied ? 'Link copied' : 'Copy link'}
      title=${copied ? 'Link copied' : 'Copy link'}
      data-copied=${copied}
      onClick=${copy}
    >
      ${icon('link')}
    </button>
    ${drawMenu(message, channel, shortcuts)}
  </div>`;
}

/** What else can be done with a message: the app's shortcuts; one's own can be changed and deleted. */
function drawMenu(message: Message, channel: string, shortcuts: ToolbarProps['shortcuts']): VNode | undefined {
  if (message.subtype === 'tombstone') return undefined;
  const { ts } = message;
  const own = message.user === readDesk().me && message.bot_id === undefined;
  const items: MenuItem[] = [
    ...shortcuts.map(({ name, callback_id: callback, description }) => ({
      key: callback,
      content: html`<span class="menu-words"><span>${name}</span><small>${description}</small></span>`,
      choose: () => void useShortcut(channel, ts, callback),
      data: { 'data-shortcut': callback },
    })),
    ...(own
      ? [
          { key: 'edit', content: 'Edit message', choose: () => patchDesk({ editing: `${channel}/${ts}` }) },
          {
            key: 'delete',
            content: html`<span class="destructive">Delete message…</span>`,
            choose: () => void deleteMessage(channel, ts),
          },
        ]
      : []),
  ];
  if (items.length === 0) return undefined;
  return html`<${Menu} label="More for this message" class="more" items=${items} data=${{ title: 'More' }}>
    <span aria-hidden="true">⋯</span>
  <//>`;
}
