import { expect, test } from 'vitest';
import { toldOnce } from '../../src/model/told-once.ts';
import type { Outcome } from '../../src/thread/outcome.ts';
import type { Turn } from '../../src/worker/ports.ts';
import { done, rejected, resultText } from '../support/conversation.ts';

const outcomeOf = (turn: Turn): Outcome => {
  if (turn.kind !== 'result') throw new Error('This is no result.');
  return turn.outcome;
};

function counted() {
  const worded: unknown[] = [];
  const words = toldOnce({
    resultText: outcome => {
      worded.push(outcome.is);
      return resultText(outcome);
    },
    argumentsText: args => {
      worded.push(args);
      return JSON.stringify(args);
    },
  });
  return { worded, ...words };
}

test('what a call has ended with is worded once, however often the model is told again', () => {
  const { worded, resultText: told } = counted();
  const one = outcomeOf(done('call1', 'hello'));
  const other = outcomeOf(done('call2', 'good day'));
  for (let turn = 0; turn < 200; turn += 1) {
    // Each turn makes another outcome of the same ending.
    expect(told({ ...one })).toBe('hello');
    expect(told({ ...other })).toBe('good day');
  }
  expect(worded).toEqual(['done', 'done']);
});

test('what may still change is worded anew, and so is another ending that reads the same', () => {
  const { worded, resultText: told } = counted();
  told({ is: 'waiting' });
  told({ is: 'waiting' });
  told(outcomeOf(rejected('call1', 'No.')));
  told(outcomeOf(done('call2', 'hello')));
  told(outcomeOf(done('call3', 'hello')));
  expect(worded).toEqual(['waiting', 'waiting', 'rejected', 'done', 'done']);
});

test('arguments that a person put in are worded once for each object of them', () => {
  const { worded, argumentsText: told } = counted();
  const args = { replicas: 2 };
  expect([told(args), told(args), told({ replicas: 2 }), told('two')]).toEqual([
    '{"replicas":2}',
    '{"replicas":2}',
    '{"replicas":2}',
    '"two"',
  ]);
  expect(worded).toHaveLength(3);
});
