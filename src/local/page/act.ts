/** Owns what a person does to the workspace. A refused action shows its sentence; nothing typed is lost by it. */
import { ActionError, api, type ClickTarget, type FormValues } from './api.ts';
import type { Press } from './blocks/host.ts';
import type { Confirm, TextObject } from './blocks/shape.ts';
import { openThread } from './navigate.ts';
import { notifyError } from './notices.ts';
import { refreshChannel, refreshEphemerals, refreshThread, refreshViews, refreshWorkspace } from './refresh.ts';
import { patchDesk, readDesk } from './store.ts';
import { type Mentionable, readCommand } from './text/drafts.ts';
import type { View, Workspace } from './wire.ts';

const plain = (text: string): TextObject => ({ type: 'plain_text', text, emoji: false });
const DELETE_QUESTION: Confirm = {
  title: plain('Delete message'),
  text: plain('It is gone for everybody, and the app is told.'),
  confirm: plain('Delete'),
  deny: plain('Keep'),
  style: 'danger',
};
const COMMAND_IN_THREAD = 'Slash commands do not work in a thread. Write it in the channel.';

/**
 * Sends a draft as a message or slash command; gives the sentence of what went wrong, or undefined. What is written to
 * the app directly is answered in a thread, so that thread is opened.
 */
export async function send(channel: string, draft: string, thread?: string): Promise<string | undefined> {
  const { me, workspace } = readDesk();
  const command = readCommand(draft);
  if (command !== undefined && thread !== undefined) return COMMAND_IN_THREAD;
  try {
    if (command !== undefined) await api.command(me, channel, command.command, command.text);
    else {
      const { ts } = await api.say(me, channel, draft, thread);
      const isDirect = workspace?.channels.some(found => found.id === channel && found.is_im) ?? false;
      if (isDirect && thread === undefined) openThread(channel, ts);
    }
  } catch (error) {
    return sentence(error);
  }
  await Promise.all([
    refreshWorkspace(),
    refreshChannel(channel),
    ...(thread === undefined ? [] : [refreshThread(channel, thread)]),
    ...(command === undefined ? [] : [refreshEphemerals(), refreshViews()]),
  ]);
  return undefined;
}

/** Clicks a control of a message or view, after its question if it has one. */
export async function click(target: ClickTarget, press: Press): Promise<void> {
  if (press.confirm !== undefined && !(await askFirst(press.confirm))) return;
  try {
    await api.click(readDesk().me, target, press);
    await Promise.all([refreshViews(), refreshEphemerals()]);
  } catch (error) {
    notifyError(sentence(error));
  }
}

/** What came of a form: errors by block id, and a sentence when the whole form was refused. */
export interface FormOutcome {
  errors: Record<string, string>;
  refused?: string;
}

/** Submits a form. */
export async function submitForm(view: View, values: FormValues): Promise<FormOutcome> {
  try {
    const { errors } = await api.submit(readDesk().me, view.id, values);
    if (errors !== undefined && Object.keys(errors).length > 0) return { errors };
    await Promise.all([refreshViews(), refreshEphemerals()]);
    return { errors: {} };
  } catch (error) {
    return { errors: {}, refused: sentence(error) };
  }
}

/** Closes a form without sending it. */
export async function closeForm(view: View): Promise<void> {
  patchDesk({ views: readDesk().views.filter(open => open.id !== view.id) });
  await api.close(readDesk().me, view.id).catch(notifyError);
  await refreshViews();
}

/** Writes what the app suggests, as if the person had typed it. */
export async function sendPrompt(channel: string, text: string): Promise<void> {
  const refused = await send(channel, text);
  if (refused !== undefined) notifyError(refused);
}

/** Changes the text of one's own message; gives the sentence of what went wrong, or undefined. */
export async function editMessage(channel: string, ts: string, text: string): Promise<string | undefined> {
  try {
    await api.edit(readDesk().me, channel, ts, text);
  } catch (error) {
    return sentence(error);
  }
  return undefined;
}

/** Deletes one's own message, after a question. */
export async function deleteMessage(channel: string, ts: string): Promise<void> {
  if (await askFirst(DELETE_QUESTION)) await tried(api.remove(readDesk().me, channel, ts));
}

/** Uses a shortcut of the app on a message. */
export async function useShortcut(channel: string, ts: string, callback: string): Promise<void> {
  await tried(api.shortcut(readDesk().me, channel, ts, callback));
  await Promise.all([refreshViews(), refreshEphemerals()]);
}

/** Presses Slack's own Stop in a thread. */
export async function stopWork(channel: string, thread: string): Promise<void> {
  await tried(api.stop(readDesk().me, channel, thread));
  await Promise.all([refreshWorkspace(), refreshThread(channel, thread)]);
}

/** Marks a channel as read up to a message; a failure only leaves the mark standing. */
export async function markRead(channel: string, ts: string): Promise<void> {
  await api.read(readDesk().me, channel, ts).catch(() => undefined);
  await refreshWorkspace();
}

/** Hides a private message in this window. */
export function dismiss(ts: string): void {
  patchDesk({ dismissed: new Set([...readDesk().dismissed, ts]) });
}

/** Everybody and everything that a draft may mention. */
export function mentionable(workspace: Workspace): Mentionable {
  const { app, users, groups, channels } = workspace;
  const bot = { id: app.user_id, name: app.name.toLowerCase(), real_name: app.name, deleted: false };
  return { users: [bot, ...users.filter(user => user.id !== app.user_id)], groups, channels, commands: app.commands };
}

function askFirst(confirm: Confirm): Promise<boolean> {
  return new Promise(resolve => {
    patchDesk({
      asking: {
        confirm,
        answer: yes => {
          patchDesk({ asking: undefined });
          resolve(yes);
        },
      },
    });
  });
}

async function tried(acting: Promise<unknown>): Promise<void> {
  try {
    await acting;
  } catch (error) {
    notifyError(sentence(error));
  }
}

function sentence(error: unknown): string {
  if (error instanceof ActionError) return error.message;
  throw error;
}
