/** Show record: what is known of a call, in the terms of the reference, masked and within Slack's limits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptView } from '../../src/local/blocks/views.ts';
import type { JsonObject } from '../../src/local/json.ts';
import { recordChoice, recordView } from '../../src/slack/views/record.ts';
import type { Json } from '../../src/thread/events.ts';
import { recordOfThread } from '../../src/thread/record.ts';
import type { DoubtEnd } from '../../src/thread/thread.ts';
import type { OpenCall } from '../../src/worker/ports.ts';
import {
  approvedBy,
  cardStates,
  context,
  ending,
  ids,
  inquiry,
  need,
  request,
  threadOf,
  type Part,
} from './views/fixtures.ts';

const openCall = (part: Part): OpenCall => {
  const thread = threadOf([part]);
  return { thread, run: need(thread.runs[ids.run]), call: need(thread.calls[part.call.id]) };
};
const PLACE = { channelName: '#ops', address: 'https://acme.example/archives/C0OPS0001/p1' };
const viewOf = (part: Part, place = PLACE) => {
  const { thread, call } = openCall(part);
  return recordView(recordOfThread(thread, call), place, context);
};
const shown = (part: Part, place = PLACE): string => JSON.stringify(viewOf(part, place).blocks);
const accepted = (view: unknown) => {
  let id = 0;
  return acceptView(JSON.parse(JSON.stringify(view)) as JsonObject, 'modal', () => `b${(id += 1)}`);
};

test('a record says who asked in which words, what was called, by which rule, who decided, and what came of it', () => {
  const record = shown(need(cardStates['done']));
  for (const words of [
    'Scale billing in production from 6 to 2 replicas',
    'done',
    'Dana Ito (U0DANA001)',
    'billing costs too much at night',
    'k8s.scale',
    'prod-scale-down',
    '14:03:00Z',
    'approve  Mia Chen (U0MIA0001)  member of sre',
    'Leo Park (U0LEO0001)',
    'replicas 6 → 2',
    'Findings',
  ])
    expect(record).toContain(words);
  expect(record).not.toContain('<@');
});

test('who or what ended a doubt stands there: a person by name, the tool’s own check, the process itself', () => {
  const doubt = need(cardStates['in doubt']).call;
  const execution = doubt.state.is === 'in_doubt' ? doubt.state.claim.execution : ('' as never);
  const ended = { execution, atMs: 5_000, as: 'not_run', by: { id: ids.mia, name: 'Mia Chen' }, how: 'said' } as const;
  const again = (end: Partial<DoubtEnd>): string =>
    shown(request({ is: 'waiting' }, {}, { attempts: 1, doubtEnds: [{ ...ended, ...end }] }));
  expect(again({})).toContain('Mia Chen (U0MIA0001)  it did not run');
  expect(again({ how: 'reported', by: null })).toContain('its process reported late that it had not started');
  expect(again({ how: 'reported', by: null, as: 'ran' })).toContain('its process reported late what came of it');
  const checked = { ...ending(doubt), code: 'checked', result: '' };
  expect(shown(request({ is: 'ended', ending: checked }, approvedBy))).toContain('done, its tool’s own check found');
});

test('approved is said in its head only where it was', () => {
  const refused = { is: 'refused', code: 'denied', detail: null, atMs: 1 } as const;
  expect(shown(request({ is: 'closed' }, { state: refused, votes: [] }))).not.toContain('approved');
  expect(shown(request({ is: 'closed' }, { ...approvedBy, state: refused }))).toContain('approved, not run');
});

test('it names the channel as it is called now, with its id, and leads to the thread', () => {
  const part = need(cardStates['done']);
  expect(shown(part)).toContain('Dana Ito (U0DANA001)  in #ops (C0OPS0001)  “');
  expect(shown(part)).toContain(`*Asked* · <${PLACE.address}|open thread>`);
  expect(shown(part, { ...PLACE, channelName: '' })).toContain('in C0OPS0001  “');
});

test('what was asked and answered meanwhile, edits and who stopped it stand there', () => {
  const part = request();
  const approval = { ...need(part.approval), inquiries: [inquiry.id] };
  const record = shown({ ...part, approval, questions: [inquiry] });
  expect(record).toContain('Which cluster?');
  expect(record).toContain('Dana Ito (U0DANA001) answered');
  const edited = Object.entries(cardStates).find(([, { approval: each }]) => each?.editedBy);
  expect(shown(need(edited)[1])).toContain('Edited');
  const { call, approval: asked } = request();
  const was = { deployment: 'billing', replicas: null };
  const added = { ...need(asked), editedBy: { by: ids.mia, name: 'Mia Chen', was } };
  const after = shown({ call, approval: added });
  expect(after).toContain('namespace: (not given) → ');
  expect(after).toContain('replicas: null → 2');
});

test.each(Object.keys(cardStates))('the record of a call in any state is a form that Slack takes: %s', name => {
  expect(accepted(viewOf(need(cardStates[name])))).toMatchObject({ ok: true });
});

test('a message that stands for several calls offers each', () => {
  const calls = Object.values(cardStates).map(openCall);
  const view = recordChoice([...calls, ...calls], context);
  expect(accepted(view)).toMatchObject({ ok: true });
  expect(JSON.stringify(view)).toContain('Which of these?');
});

test('any arguments, words and results fit, secrets stay masked, and no mark of others lives [T-A17a, S-28]', () => {
  const secret = 'xoxb-123456789012-abcdefghijklmnop';
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ maxLength: 20_000 }), (args, text) => {
      const part = request(
        { is: 'waiting' },
        { summary: text, why: text },
        {
          args: { any: args as Json, token: secret, text },
        },
      );
      const view = viewOf(part, { ...PLACE, channelName: text });
      expect(accepted(view)).toMatchObject({ ok: true });
      expect(JSON.stringify(view)).not.toContain(secret);
    }),
    { numRuns: 60 },
  );
});
