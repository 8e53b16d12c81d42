/**
 * Owns the message shortcuts: Show record, and Ask Countersign about this.
 *
 * 1. What is asked about a message is taken in as a message of whoever asks, in the thread of that message, with the message
 * quoted below the question. It stands in the log only: nothing is posted in anybody's name, and the answer comes in the
 * thread as to any message. 2. Its identity is the time of the use of the shortcut, so that a form sent twice asks once.
 */
import type { ModalView } from '@slack/web-api';
import { z } from 'zod';
import type { MessageTs } from '../../thread/ids.ts';
import { penOf } from '../views/context.ts';
import { askAboutForm, readText } from '../views/forms.ts';
import type { Shortcut, Submission } from './interactions.ts';
import { encodeOrigin, METADATA_ROOM, parsedJson, type Origin } from './origin.ts';
import type { Parts } from './performing.ts';
import type { Listener } from './privately.ts';
import { readable } from './readable.ts';
import { fillRecord } from './records.ts';
import type { Reply } from './replies.ts';

/** Callback ids in the manifest. */
export const SHORTCUTS = { record: 'show_record', ask: 'ask_countersign' } as const;

const askedSchema = z.object({ ts: z.string(), author: z.nullable(z.string()), text: z.string() });
const channelSchema = z.looseObject({ channel: z.looseObject({ is_member: z.optional(z.boolean()) }) });

/** Carries a message shortcut out, or says privately why not. Never throws. */
export async function useShortcut(parts: Parts, used: Shortcut): Promise<void> {
  const { acts, modals } = parts;
  const { channel } = used.place;
  const to: Listener = { user: used.by.user, channel, threadTs: used.threadTs, respond: null, trigger: used.trigger };
  if (!acts.isOurs(used.installed)) return acts.refuse(to, { code: 'not_found' }, null);
  const fill: Readonly<Record<string, () => Promise<ModalView>>> = {
    [SHORTCUTS.record]: () =>
      fillRecord(parts, used.by, { place: { ...used.place, threadTs: used.threadTs } }).then(view => ({
        ...view,
        private_metadata: encodeOrigin(originFor(parts, used, '')),
      })),
    [SHORTCUTS.ask]: () => askAbout(parts, used),
  };
  const view = Object.hasOwn(fill, used.shortcut) ? fill[used.shortcut] : undefined;
  if (!view) return acts.refuse(to, { code: 'unknown_control' }, null);
  if (!(await modals.show(used.trigger, 'open', view))) await acts.lost(to, 'notOpened');
}

const originFor = ({ environment }: Parts, { place, threadTs }: Shortcut, carried: string): Origin => ({
  environment,
  value: '',
  place,
  threadTs,
  carried,
});

async function askAbout(parts: Parts, used: Shortcut): Promise<ModalView> {
  const { api, modals, context } = parts;
  const answer = await api('conversations.info', { channel: used.place.channel });
  const isMember = answer.is === 'ok' ? channelSchema.safeParse(answer.data).data?.channel.is_member : undefined;
  const direct = used.place.channel.startsWith('D');
  // Where the app is no member it could not answer.
  if (answer.is === 'refused' || (isMember === false && !direct))
    return modals.notice(penOf(context).texts.told.notInChannel);
  const quoted = { ts: used.actionTs ?? used.place.ts, author: used.message.author, text: readable(used.message.text) };
  const metadata = (text: string): string => encodeOrigin(originFor(parts, used, JSON.stringify({ ...quoted, text })));
  let shown = quoted.text;
  while (metadata(shown).length > METADATA_ROOM)
    shown = `${shown.slice(0, Math.floor(shown.length * 0.9)).trimEnd()} …`;
  return { ...askAboutForm(context), private_metadata: metadata(shown.toWellFormed()) };
}

/** Takes the question in as a message of whoever asks. */
export async function submitAskAbout(
  { acts, inbox, context, nameOf }: Parts,
  submission: Submission,
  origin: Origin,
): Promise<Reply | undefined> {
  const about = askedSchema.safeParse(parsedJson(origin.carried)).data;
  if (!about || !origin.place) return undefined;
  const { place, threadTs } = origin;
  const { told } = penOf(context).texts;
  const taken = await inbox.receive(acts.thread({ channel: place.channel, ts: threadTs ?? place.ts }), {
    ts: about.ts as MessageTs,
    channel: place.channel,
    author: submission.by.user,
    team: submission.by.team,
    name: await nameOf(submission.by.user),
    text: `${readText(submission.values).trim()}\n\n${quotation(about)}`,
    files: [],
    mention: true,
    direct: place.channel.startsWith('D'),
  });
  return { is: 'over', lines: [taken ? told.asked : told.notAsked], told: 'in_place' };
}

/** The message that is asked about, line by line as a quotation, under the id of its author. */
const quotation = ({ author, text }: z.infer<typeof askedSchema>): string =>
  [...(author === null ? [] : [`<@${author}>:`]), ...text.split('\n')].map(line => `> ${line}`).join('\n');
