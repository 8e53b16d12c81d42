/** Owns Show record: opened at once, filled with what the worker finds and lets this person see. */
import type { ModalView } from '@slack/web-api';
import { shortId, type ApprovalId, type CallId, type ThreadKey } from '../../thread/ids.ts';
import { approvalOf, at } from '../../thread/thread.ts';
import { LogUnavailable, type OpenCall, type Person, type RecordWanted } from '../../worker/ports.ts';
import { lookAtChannel } from '../findings.ts';
import { cardKey } from '../views/keys.ts';
import { penOf } from '../views/context.ts';
import { recordChoice, recordView } from '../views/record.ts';
import type { Click } from './interactions.ts';
import { openForm, type Parts } from './performing.ts';
import type { Listener } from './privately.ts';

/** The record of a message, or of a short id, for this person; or the sentence why there is none. Throws LogDamaged. */
export function fillRecord(parts: Parts, person: Person, wanted: RecordWanted): Promise<ModalView> {
  return orUnreadable(parts, () => shown(parts, person, wanted, () => true));
}

async function shown(
  parts: Parts,
  person: Person,
  wanted: RecordWanted,
  isIt: (found: OpenCall) => boolean,
): Promise<ModalView> {
  const { inbox, modals, context } = parts;
  const { refusal, calls } = await inbox.record(person, wanted);
  if (refusal) return modals.refusal(refusal, calls[0]?.thread ?? null);
  const about = calls.filter(isIt);
  const [only] = about;
  if (only === undefined) return modals.notice(penOf(context).texts.record.none);
  return about.length === 1 ? whole(parts, only) : recordChoice(about, context);
}

/** Everything on record of a call, with what its channel is called now. */
async function whole({ api, inbox, context, address }: Parts, found: OpenCall): Promise<ModalView> {
  const { channel, ts } = found.thread.key;
  const [doc, { name }] = await Promise.all([inbox.wholeRecord(found), lookAtChannel(api, channel)]);
  // Where Slack tells no name, the look has the id.
  const channelName = name === channel ? '' : name;
  return recordView(doc, { channelName, address: address({ channel, ts }) }, context);
}

/** What could not be read is not a click that was not counted: it says so in its own words. */
async function orUnreadable(parts: Parts, fill: () => Promise<ModalView>): Promise<ModalView> {
  try {
    return await fill();
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    return parts.modals.notice(penOf(parts.context).texts.record.unreadable);
  }
}

/** Which record a control means: the request itself, or a call of a thread. */
export type RecordOf =
  { readonly thread: ThreadKey; readonly approval: ApprovalId } | { readonly thread: ThreadKey; readonly call: CallId };

/** Opens the record of a request or call that a control names. */
export const openRecord = (parts: Parts, click: Click, to: Listener, of: RecordOf): Promise<boolean> =>
  openForm(parts, click, to, () =>
    orUnreadable(parts, async () => {
      const thread = await parts.inbox.read(of.thread);
      const call = at(thread.calls, 'call' in of ? of.call : (at(thread.approvals, of.approval)?.call ?? ''));
      if (!call) return parts.modals.refusal({ code: 'not_found' }, null);
      const approval = approvalOf(thread, call);
      const post = approval && at(thread.posts, cardKey(approval, approval.card));
      // Rights are the worker's to judge: it is asked for what the person could point at themself.
      const wanted: RecordWanted =
        post && post.ts !== null
          ? { place: { channel: post.channel, ts: post.ts, threadTs: null } }
          : approval
            ? { short: shortId(approval.id) }
            : { place: { channel: of.thread.channel, ts: of.thread.ts, threadTs: null } };
      return shown(parts, click.by, wanted, found => found.call.id === call.id);
    }),
  );
