/**
 * Owns what the model is shown of a thread: messages, its own replies, and for each call exactly one result. A nested run is
 * shown its own turns alone.
 *
 * 1. A result is only ever what the log says of the call. 2. A call of an ended run that is still open is told as it stands.
 * 3. A reply shows what the model itself wrote; what a person made of it stands in the result.
 */
import { standingEdit } from '../thread/edited.ts';
import { outcomeOf } from '../thread/outcome.ts';
import { approvalOf, at, type Call, type Item, type Run, type Thread } from '../thread/thread.ts';
import type { LogKey } from '../thread/ids.ts';
import type { Turn } from './ports.ts';
import type { WholeResults } from './whole-results.ts';

/** The run's conversation in order; large results are read from their blobs. */
export async function transcript(
  results: WholeResults,
  key: LogKey,
  thread: Thread,
  run: Pick<Run, 'within' | 'items'>,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const item of run.within === null ? thread.conversation : run.items)
    turns.push(...(await turnsOf(results, key, thread, item)));
  return turns;
}

async function turnsOf(whole: WholeResults, key: LogKey, thread: Thread, item: Item): Promise<Turn[]> {
  switch (item.kind) {
    case 'summary':
    case 'task':
      return [{ kind: item.kind, text: item.text }];
    case 'unanswered':
      return [
        {
          kind: 'reply',
          text:
            item.how === 'cancelled' ? '(Cancelled before anything was done.)' : '(Ended before anything was done.)',
          calls: [],
        },
      ];
    case 'message': {
      const message = at(thread.messages, item.ts);
      return message ? [{ kind: 'message', author: message.author, name: message.name, text: message.text }] : [];
    }
    case 'reply': {
      const calls = item.calls.flatMap(id => at(thread.calls, id) ?? []);
      const results: Turn[] = [];
      for (const call of calls)
        results.push({
          kind: 'result',
          call: call.id,
          outcome: await whole.of(key, outcomeOf(thread, call)),
          ...(editOf(thread, call) ? { editedTo: call.args } : {}),
        });
      return [{ kind: 'reply', text: item.text, calls: calls.map(call => shown(thread, call)) }, ...results];
    }
  }
}

const editOf = (thread: Thread, call: Call) => standingEdit(approvalOf(thread, call), call);

function shown(thread: Thread, call: Call): { id: Call['id']; tool: string; args: string } {
  const edit = editOf(thread, call);
  return { id: call.id, tool: call.tool, args: call.raw ?? JSON.stringify(edit ? edit.was : call.args) };
}
