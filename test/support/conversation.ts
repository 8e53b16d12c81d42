/** Short ways to write down a conversation. */
import type { CallId, ExecutionId, UserId } from '../../src/thread/ids.ts';
import type { Outcome } from '../../src/thread/outcome.ts';
import type { ModelRequest, Turn } from '../../src/worker/ports.ts';

export const message = (text: string, author = 'U0DANA001', name = 'Dana Ito'): Turn => ({
  kind: 'message',
  author: author as UserId,
  name,
  text,
});

/** A reply with calls by id, tool and arguments as text. */
export const replied = (
  text: string,
  ...calls: readonly (readonly [id: string, tool: string, args: string])[]
): Turn => ({
  kind: 'reply',
  text,
  calls: calls.map(([id, tool, args]) => ({ id: id as CallId, tool, args })),
});

/** A reply that asks for one call of `read_file` per id. */
export const asked = (...ids: string[]): Turn =>
  replied('', ...ids.map(id => [id, 'read_file', `{"path":"${id[0]}.txt"}`] as const));

/** The call's result: it ran, and this came out. */
export const done = (id: string, result: string): Turn => ({
  kind: 'result',
  call: id as CallId,
  outcome: {
    is: 'done',
    ending: {
      execution: `${id}.1` as ExecutionId,
      how: 'succeeded',
      code: null,
      effect: 'none',
      startedAtMs: 0,
      endedAtMs: 1,
      result,
      blob: null,
    },
  },
});

export const rejected = (id: string, reason: string): Turn => ({
  kind: 'result',
  call: id as CallId,
  outcome: {
    is: 'rejected',
    by: { id: 'U0MIA0001' as UserId, name: 'Mia Chen' },
    reason,
    then: 'replan',
    atMs: 0,
  },
});

/** What these tests tell the model about an outcome. */
export function resultText(outcome: Outcome): string {
  if (outcome.is === 'done') return outcome.ending.result ?? '';
  return outcome.is === 'rejected'
    ? `did not run: rejected by a person: "${outcome.reason}". This call is final. You may propose one different step.`
    : `did not run: ${outcome.is}`;
}

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
});

/** The names and parameters that the software offers. */
export const TOOLS: ModelRequest['tools'] = [
  { name: 'execute', description: 'Runs a command.', parameters: object('argv') },
  { name: 'list_files', description: 'Lists a folder.', parameters: object('path') },
  { name: 'read_file', description: 'Reads a file.', parameters: object('path') },
  { name: 'write_file', description: 'Writes a file.', parameters: object('path', 'content') },
  { name: 'delete_file', description: 'Deletes a file.', parameters: object('path') },
];

/** A request of the agent for the next reply. */
export const request = (conversation: readonly Turn[], over: Partial<ModelRequest> = {}): ModelRequest => ({
  agent: 'countersign',
  conversation,
  tools: TOOLS,
  signal: new AbortController().signal,
  ...over,
});
