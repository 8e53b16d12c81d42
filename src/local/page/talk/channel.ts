/** Owns the pane of a channel or direct message: its head, messages with the private ones among them, and the composer. */
import { markRead } from '../act.ts';
import { drawAvatar } from '../avatar.ts';
import { icon } from '../icons.ts';
import { channelTitle } from '../names.ts';
import { go, openThread } from '../navigate.ts';
import type { Desk } from '../store.ts';
import { inOrder, topLevel } from '../text/arrange.ts';
import { html, useEffect, type VNode } from '../ui.ts';
import type { Channel, Message, Workspace } from '../wire.ts';
import { Composer, startDraft } from './composer.ts';
import { drawPromptButtons } from './prompts.ts';
import { Messages } from './messages.ts';
import { PaneHead } from './paneHead.ts';

interface ChannelPaneProps {
  desk: Desk;
  workspace: Workspace;
  channel: Channel;
}

/** The channel on screen. */
export function ChannelPane({ desk, workspace, channel }: ChannelPaneProps): VNode {
  const { me, place } = desk;
  const loaded = desk.messages[channel.id];
  const isMember = channel.members.includes(me);
  const hidden = privateMessages(desk, channel.id, undefined);
  const messages = topLevel([...(loaded ?? []), ...hidden]);
  useReading(desk, channel, messages);
  useEffect(() => {
    const linked = loaded?.find(message => message.ts === place.ts);
    const root = linked?.thread_ts;
    if (root !== undefined && root !== place.ts && place.thread === undefined) openThread(channel.id, root);
  }, [loaded, place.ts]);
  const name = channelTitle(workspace, channel, me);
  if (!isMember)
    return html`<section class="pane channel" aria-label=${name}>
      <${PaneHead} desk=${desk} workspace=${workspace} channel=${channel} />${drawStranger(desk, workspace, name)}
    </section>`;
  return html`<section class="pane channel" aria-label=${name} data-channel=${channel.id}>
    <${PaneHead} desk=${desk} workspace=${workspace} channel=${channel} />
    ${
      loaded === undefined
        ? html`<div class="messages-frame loading" aria-busy="true"></div>`
        : html`<${Messages}
            key=${`${channel.id}/${me}`}
            label=${`Messages in ${name}`}
            channel=${channel.id}
            messages=${messages}
            privateTs=${new Set(hidden.map(message => message.ts))}
            workspace=${workspace}
            unreadFrom=${desk.unreadFrom}
            target=${place.ts}
            inThread=${false}
            intro=${drawIntro(workspace, channel, name)}
          />`
    }
    ${channel.is_im && drawPrompts(workspace, channel)}
    <${Composer}
      workspace=${workspace}
      me=${me}
      channel=${channel.id}
      label=${`Message ${name}`}
      autofocus=${place.thread === undefined}
    />
  </section>`;
}

/** The private messages of the person on screen that stand in a channel (thread undefined) or in one of its threads. */
export function privateMessages(desk: Desk, channel: string, thread: string | undefined): Message[] {
  const here = desk.ephemerals.filter(message => message.channel === channel && !desk.dismissed.has(message.ts));
  return inOrder(here.filter(message => message.thread_ts === thread));
}

/** Marks what is on screen as read, once per newest message. */
function useReading(desk: Desk, channel: Channel, messages: Message[]): void {
  const newest = messages.at(-1)?.ts;
  const unread = channel.unread[desk.me] ?? 0;
  useEffect(() => {
    const read = (): void => {
      if (newest !== undefined && unread > 0 && document.visibilityState === 'visible')
        void markRead(channel.id, newest);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [channel.id, newest, unread > 0, desk.me]);
}

function drawIntro(workspace: Workspace, channel: Channel, name: string): VNode {
  const app = workspace.app.name;
  if (channel.is_im) {
    return html`<div class="intro">
      ${drawAvatar(workspace, workspace.app.user_id, 'large')}
      <h2>${name}</h2>
      <p>
        ${`This is the start of your direct messages with ${app}. Every message that you write here is a task of its own.`}
      </p>
    </div>`;
  }
  const ask = html`<button type="button" class="button plain" onClick=${() => startDraft(`@${app} `)}>
    ${`Ask @${app} for something`}
  </button>`;
  const kind = channel.is_private ? 'private' : 'public';
  return html`<div class="intro">
    <span class="intro-sign">${icon(channel.is_private ? 'lock' : 'hash')}</span>
    <h2>${name}</h2>
    <p>${`This is the start of ${name}, a ${kind} channel with ${channel.members.length} members.`}</p>
    ${!channel.is_private && ask}
  </div>`;
}

/** What the app suggests to write, or else its manifest, as Slack offers it over the box of a direct message. */
function drawPrompts(workspace: Workspace, channel: Channel): VNode | undefined {
  const offered = workspace.prompts?.find(found => found.channel === channel.id && found.thread_ts === undefined);
  return drawPromptButtons(offered?.prompts ?? workspace.app.prompts, channel.id, offered?.title);
}

function drawStranger(desk: Desk, workspace: Workspace, name: string): VNode {
  const person = workspace.users.find(user => user.id === desk.me)?.real_name ?? 'This person';
  return html`<div class="stranger">
    <p>${person} is not a member of ${name} and does not see what is written there.</p>
    <button type="button" class="button plain" onClick=${() => go({ view: 'list' })}>Back to the channels</button>
  </div>`;
}
