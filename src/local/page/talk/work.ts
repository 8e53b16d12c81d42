/** Owns the line at the end of a thread that says how far the app is, with Slack's own Stop while it works. */
import { stopWork } from '../act.ts';
import { icon } from '../icons.ts';
import { html, type VNode } from '../ui.ts';
import type { Message, Workspace } from '../wire.ts';
import { drawDots } from './message.ts';

/** Its status line, that it works, or that it waits for a person; nothing when it has nothing to do here. */
export function drawWork(
  workspace: Workspace,
  channel: string,
  thread: string,
  messages: readonly Message[],
): VNode | undefined {
  const here = (one: { channel: string; thread_ts: string }): boolean =>
    one.channel === channel && one.thread_ts === thread;
  const status = workspace.status.find(one => here(one) && one.text !== '')?.text;
  const state = workspace.sessions?.find(here)?.state;
  const streams = messages.some(message => message.streaming_state === 'in_progress');
  const works = streams || status !== undefined || state === 'processing';
  if (!works && state !== 'suspended') return undefined;
  const words = status ?? (streams ? 'is writing' : works ? 'is working' : 'waits for a person');
  const stop = (): void => void stopWork(channel, thread);
  return html`<div class="status" role="status" data-status-thread=${works ? thread : undefined} data-session=${state}>
    ${works ? drawDots() : icon('pause')}
    <span>${workspace.app.name} ${words}</span>
    ${works && html`<button type="button" class="button plain stop" onClick=${stop}>Stop</button>`}
  </div>`;
}
