/** Owns what the controls about a run and its calls ask: did it run, stop, cancel, which message counts. */
import { executionId } from '../../thread/ids.ts';
import { ACTIONS, decodeCall, decodeDoubt, decodeMessage, decodeRun } from '../views/actions.ts';
import { settleForm } from '../views/home-forms.ts';
import type { Doubt } from '../views/home-forms.ts';
import { at } from '../../thread/thread.ts';
import { openForm, perform, type Control, type Parts } from './performing.ts';

/** The controls of runs and calls. */
export function workControls(parts: Parts): Readonly<Record<string, Control>> {
  const { inbox, acts, modals, context } = parts;
  const doubt =
    (as: Doubt): Control =>
    async (click, to) => {
      const read = decodeDoubt(click.value);
      if (!read) return false;
      const { thread, call, attempt } = read;
      const about = { execution: executionId(call, attempt) };
      await perform(parts, click, to, { thread, id: `${call}.${attempt}`, about }, act =>
        inbox.settle(act, { call, attempt, as }),
      );
      return true;
    };
  const stop: Control = async (click, to) => {
    const read = decodeCall(click.value);
    if (!read) return false;
    const { thread, call } = read;
    await perform(parts, click, to, { thread, id: `stop.${call}`, about: null }, act => inbox.stop(act, call));
    return true;
  };
  const cancel: Control = async (click, to) => {
    const read = decodeRun(click.value);
    if (!read) return false;
    const { thread, run } = read;
    await perform(parts, click, to, { thread, id: run, about: null }, act => inbox.cancel(act, run));
    return true;
  };
  const onMessage =
    (what: 'useInstead' | 'keepWaiting'): Control =>
    async (click, to) => {
      const read = decodeMessage(click.value);
      if (!read) return false;
      const { thread, message } = read;
      await perform(parts, click, to, { thread, id: message, about: null }, act => inbox[what](act, message));
      return true;
    };
  const settle: Control = async (click, to) => {
    const read = decodeDoubt(click.value);
    if (!read) return false;
    return openForm(parts, click, to, async () => {
      const thread = await inbox.read(acts.thread(read.thread));
      const call = at(thread.calls, read.call);
      const form = call && settleForm(thread, call, read.attempt, context);
      return form ?? modals.refusal({ code: call ? 'nothing_to_do' : 'not_found' }, thread);
    });
  };
  return {
    [ACTIONS.doubtRan]: doubt('ran'),
    [ACTIONS.doubtNotRun]: doubt('not_run'),
    [ACTIONS.doubtAbandon]: doubt('abandoned'),
    [ACTIONS.stop]: stop,
    [ACTIONS.cancel]: cancel,
    [ACTIONS.useInstead]: onMessage('useInstead'),
    [ACTIONS.keepWaiting]: onMessage('keepWaiting'),
    [ACTIONS.settle]: settle,
  };
}
