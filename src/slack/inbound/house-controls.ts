/** Owns the controls that are about the whole house: freeze and unfreeze, standing permissions, records. */
import { decodeButton, type GrantId } from '../../thread/ids.ts';
import { ACTIONS, decodeCall } from '../views/actions.ts';
import { unfrozenLine } from '../views/commands.ts';
import { penOf } from '../views/context.ts';
import { freezeForm } from '../views/forms.ts';
import { refusalLine } from '../views/refusals.ts';
import { openForm, type Control, type Parts } from './performing.ts';
import { openRecord } from './records.ts';

const GRANT = /^[A-Z2-7]{26}$/;

/** The controls of Home and of standing permissions. */
export function houseControls(parts: Parts): Readonly<Record<string, Control>> {
  const { inbox, acts, context } = parts;
  const { told } = penOf(context).texts;
  const record: Control = async (click, to) => {
    const request = decodeButton(click.value);
    if (request) return openRecord(parts, click, to, { thread: acts.thread(request), approval: request.approval });
    const call = decodeCall(click.value);
    return call !== undefined && openRecord(parts, click, to, { thread: acts.thread(call.thread), call: call.call });
  };
  const revoke: Control = async (click, to) => {
    if (!GRANT.test(click.value)) return false;
    const { refusal } = await inbox.revokeGrant(click.by, click.value as GrantId);
    await acts.say(to, refusal ? refusalLine(refusal, null, context) : told.revoked);
    return true;
  };
  const unfreeze: Control = async (click, to) => {
    const { refusal, workspace } = await inbox.unfreeze(click.by);
    await acts.say(to, refusal ? refusalLine(refusal, null, context, workspace) : unfrozenLine(context));
    return true;
  };
  return {
    [ACTIONS.record]: record,
    [ACTIONS.revoke]: revoke,
    [ACTIONS.freeze]: (click, to) => openForm(parts, click, to, () => Promise.resolve(freezeForm(context))),
    [ACTIONS.unfreeze]: unfreeze,
  };
}
