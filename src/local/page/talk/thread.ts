/** Owns the pane beside a channel: a thread's root, its replies with the private ones among them, status and composer. */
import { icon } from '../icons.ts';
import { openThread, toggleInspector } from '../navigate.ts';
import { threadKey, type Desk } from '../store.ts';
import { inOrder } from '../text/arrange.ts';
import { html, type VNode } from '../ui.ts';
import type { Channel, Workspace } from '../wire.ts';
import { channelTitle } from '../names.ts';
import { privateMessages } from './channel.ts';
import { Composer } from './composer.ts';
import { Messages } from './messages.ts';
import { drawPromptButtons } from './prompts.ts';
import { drawWork } from './work.ts';

interface ThreadPaneProps {
  desk: Desk;
  workspace: Workspace;
  channel: Channel;
  thread: string;
}

/** The open thread. */
export function ThreadPane({ desk, workspace, channel, thread }: ThreadPaneProps): VNode {
  const { me, place } = desk;
  const loaded = desk.threads[threadKey(channel.id, thread)];
  const hidden = privateMessages(desk, channel.id, thread);
  const messages = inOrder([...(loaded ?? []), ...hidden]);
  const replies = (loaded?.length ?? 1) - 1;
  const count = replies === 0 ? 'No replies yet' : `${replies} ${replies === 1 ? 'reply' : 'replies'}`;
  return html`<aside class="pane thread" aria-label="Thread" data-thread=${thread}>
    <header class="pane-head">
      <button
        type="button"
        class="icon-button back"
        aria-label="Back to the channel"
        onClick=${() => openThread(channel.id, undefined)}
      >
        ${icon('back')}
      </button>
      <h2>Thread <small>${channelTitle(workspace, channel, me)}</small></h2>
      <span class="spring"></span>
      ${workspace.inspector && drawInspectButton(place.inspect === true, channel.id, thread)}
      <button
        type="button"
        class="icon-button close"
        aria-label="Close thread"
        title="Close (Escape)"
        onClick=${() => openThread(channel.id, undefined)}
      >
        ${icon('close')}
      </button>
    </header>
    ${
      loaded === undefined
        ? html`<div class="messages-frame loading" aria-busy="true"></div>`
        : html`<${Messages}
            key=${`${channel.id}/${thread}/${me}`}
            label="Messages in the thread"
            channel=${channel.id}
            messages=${messages}
            privateTs=${new Set(hidden.map(message => message.ts))}
            workspace=${workspace}
            unreadFrom=${undefined}
            target=${place.ts}
            inThread=${true}
            afterFirst=${html`<div class="reply-line" role="separator"><span>${count}</span></div>`}
            footer=${drawWork(workspace, channel.id, thread, messages)}
          />`
    }
    ${drawThreadPrompts(workspace, channel.id, thread)}
    <${Composer}
      workspace=${workspace}
      me=${me}
      channel=${channel.id}
      thread=${thread}
      label="Reply…"
      autofocus=${true}
    />
  </aside>`;
}

/** What the app suggests to write next in this thread. */
function drawThreadPrompts(workspace: Workspace, channel: string, thread: string): VNode | undefined {
  const offered = workspace.prompts?.find(found => found.channel === channel && found.thread_ts === thread);
  return drawPromptButtons(offered?.prompts ?? [], channel, offered?.title, thread);
}

function drawInspectButton(open: boolean, channel: string, thread: string): VNode {
  return html`<button
    type="button"
    class="button plain inspect-button"
    aria-pressed=${open}
    title="What is kept of this thread, commit by commit"
    onClick=${() => toggleInspector(channel, thread, !open)}
  >
    ${icon('log')} Inspect
  </button>`;
}
