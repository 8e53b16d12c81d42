import { describe, expect, test } from 'vitest';
import type { Asking } from '../../src/thread/decide/command.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { activeRuns, depthOf, rootOf, type Call } from '../../src/thread/thread.ts';
import { DANA, HOUR_MS, LEO, LIMITS, MIA, OTTO, SRE, Stage, frozen, terms, type Asked } from './stage.ts';

const question: Asking = {
  on: 'question',
  kind: 'question',
  prompt: 'From which city?',
  form: { type: 'text' },
  scopes: [],
  channel: null,
  expiresInMs: HOUR_MS,
};
const approve = (more: Partial<Extract<Asking, { on: 'call' }>> = {}): Asking => ({
  on: 'call',
  summary: 'Delete 3 backups',
  impact: null,
  args: { backups: 3 },
  bind: {},
  options: [],
  ...more,
});
const agent = (name: string): Asking => ({ on: 'run', agent: name, task: `be ${name}` });

/** A call that runs; of an allowed tool unless the look says otherwise. */
function running(look: Asked = { verdict: 'allow' }): Stage {
  const stage = new Stage().asks({ name: 'book', ...look });
  if (look.verdict !== 'allow') stage.click('approve');
  stage.claim(stage.call(), look);
  expect(stage.call().state.is).toBe('claimed');
  return stage;
}

const step = (stage: Stage, type: 'beginStep' | 'stepDone', name: string, attempt = 1) => {
  const at = { call: stage.call().id, execution: `${stage.call().id}.${attempt}` as never, step: name };
  return stage.do(type === 'beginStep' ? { type, ...at } : { type, ...at, value: { paid: 0 } });
};

const wait = (stage: Stage, call: Call = stage.call()) => (call.state.is === 'suspended' ? call.state.wait.id : '');
const inner = (stage: Stage): Call => {
  const call = stage.thread.calls[wait(stage)];
  if (!call) throw new Error('The tool has asked for nothing.');
  return call;
};

describe('a tool that waits from inside', () => {
  test('needs approval first and asks later: two interrupts in order, one tool call [F-I11, F-C8]', () => {
    const stage = new Stage().asks({ name: 'book' });
    expect(stage.outcomes()).toEqual(['waiting']);
    stage.click('approve');
    stage.claim();
    stage.suspend('city', question);
    expect(stage.outcomes()).toEqual(['suspended']);
    stage.answer({ text: 'Berlin' });
    stage.claim();
    stage.ended();
    expect(stage.outcomes()).toEqual(['done']);
    expect(stage.call().attempts).toBe(2);
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('goes on after its approval has expired, because what was approved is under way', () => {
    const stage = running({ verdict: terms({ expiresInMs: HOUR_MS }) });
    stage.suspend('city', { ...question, expiresInMs: 9 * HOUR_MS });
    stage.pass(2 * HOUR_MS);
    expect(stage.next().effects).toEqual([]);
    stage.answer({ text: 'Berlin' });
    stage.claim(stage.call(), { verdict: terms({ expiresInMs: HOUR_MS }), bind: { price: 2 } });
    expect(stage.call().state.is).toBe('claimed');
  });

  test('does not go on while everything is frozen, in another definition, against a deny, or for somebody who has left', () => {
    const waiting = () => {
      const stage = running();
      step(stage, 'beginStep', 'pay');
      stage.suspend('city', question);
      stage.answer({ text: 'Berlin' });
      return stage;
    };
    const held = waiting();
    held.claim(held.call(), { verdict: 'allow' }, { workspace: frozen(held.nowMs) });
    expect(held.call().state.is).toBe('suspended');
    expect(held.next({ frozen: true }).effects).toEqual([]);
    const ends: [Asked, object, string][] = [
      [{ verdict: 'allow', tool: { digest: 'f'.repeat(64) as never } }, {}, 'incompatible'],
      [{ verdict: 'allow', tool: null }, {}, 'incompatible'],
      [{ verdict: 'deny' }, {}, 'denied'],
      [{ verdict: 'allow' }, { requesters: [held.actor(DANA, { standing: 'deactivated' })] }, 'requester_gone'],
    ];
    for (const [look, more, code] of ends) {
      const stage = waiting();
      stage.claim(stage.call(), look, more);
      expect(stage.call().state).toMatchObject({ is: 'ended', ending: { how: 'failed', code, effect: 'possible' } });
    }
  });

  test('that is given back before it starts again waits as before, and is claimed anew [F-C11]', () => {
    const stage = running();
    stage.suspend('city', question);
    stage.answer({ text: 'Berlin' });
    stage.claim(stage.call(), { verdict: 'allow' });
    const { id } = stage.call();
    stage.do({ type: 'notStarted', call: id, execution: `${id}.2` as never, why: 'too_late' });
    expect(stage.call()).toMatchObject({ tooLate: 1, state: { is: 'suspended', name: 'city' } });
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.call()).toMatchObject({ attempts: 3, state: { is: 'claimed' } });
  });

  test('is recorded once, by the process that ran it; what comes later from the lost frame changes nothing [F-B7, F-C3]', () => {
    const stage = running();
    stage.recover();
    expect(stage.outcomes()).toEqual(['in_doubt']);
    const { id } = stage.call();
    const late = { type: 'suspend', call: id, execution: `${id}.1` as never, name: 'city', asking: question } as const;
    const { events } = stage.do({ ...late, evidence: null, limits: LIMITS });
    expect(events).toEqual([]);
  });

  test('asks the same thing under the same name once [F-A13, F-E8]', () => {
    const stage = running();
    stage.suspend('city', question);
    const first = stage.question().id;
    stage.answer({ text: 'Berlin' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('date', question);
    expect(Object.keys(stage.call().waits)).toEqual(['city', 'date']);
    expect(stage.question().id).not.toBe(first);
    expect(stage.question(0).state.is).toBe('answered');
  });
});

describe('a tool that comes to a wait too late', () => {
  const stopped = (stage: Stage): void => {
    const defaults = [SRE];
    stage.do({ type: 'stop', call: stage.call().id, actor: stage.actor(DANA), defaults, key: 'stop' });
  };

  test('was stopped a moment before: it ends, and nobody is asked', () => {
    const stage = running();
    stopped(stage);
    stage.suspend('city', question);
    expect(stage.call().state).toMatchObject({ is: 'ended', ending: { how: 'failed', code: 'stopped' } });
    expect(Object.keys(stage.thread.questions)).toEqual([]);
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('does not take its answer in a run that is over, or once it was stopped: it ends, and its question stays answered', () => {
    const ends: [string, (stage: Stage) => void][] = [
      ['cancelled', stage => stage.cancel(DANA)],
      ['stopped', stopped],
    ];
    for (const [code, end] of ends) {
      const stage = running();
      stage.suspend('city', question);
      stage.answer({ text: 'Atlantis' });
      stage.claim(stage.call(), { verdict: 'allow' });
      end(stage);
      const call = stage.call();
      const execution = `${call.id}.2` as never;
      stage.do({ type: 'answerRefused', call: call.id, execution, question: stage.question().id, why: 'no such city' });
      expect(stage.call().state).toMatchObject({ is: 'ended', ending: { how: 'failed', code } });
      expect(stage.question().state.is).toBe('answered');
    }
  });
});

describe('a tool that waits when its run is cancelled', () => {
  test('is withdrawn, not failed, unless one of its steps has begun', () => {
    const stage = running();
    stage.suspend('city', question);
    stage.cancel(DANA);
    expect(outcomeOf(stage.thread, stage.call())).toMatchObject({ is: 'withdrawn', by: DANA, instead: false });
    const begun = running();
    step(begun, 'beginStep', 'pay');
    begun.suspend('city', question);
    begun.cancel(DANA);
    expect(outcomeOf(begun.thread, begun.call())).toMatchObject({ is: 'failed', ending: { effect: 'possible' } });
  });
});

describe('a tool that was told and waits for the same again', () => {
  test('has failed: nothing would ever end that', () => {
    const stage = running();
    stage.suspend('city', question);
    stage.answer({ text: 'Berlin' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('city', question);
    expect(stage.call().state).toMatchObject({ is: 'ended', ending: { how: 'failed', code: 'asked_again' } });
    expect(stage.next().effects).toEqual(['ask_model']);
  });
});

describe('a step', () => {
  test('begins and is over in the log, and is not begun again once it is over [F-B4, F-B5]', () => {
    const stage = running();
    expect(step(stage, 'stepDone', 'pay').events).toEqual([]);
    step(stage, 'beginStep', 'pay');
    step(stage, 'stepDone', 'pay');
    expect(stage.call()).toMatchObject({ stepsBegun: ['pay'], steps: { pay: { paid: 0 } } });
    expect(step(stage, 'beginStep', 'pay').events).toEqual([]);
    expect(step(stage, 'stepDone', 'pay').events).toEqual([]);
  });

  test('that had begun when the process died leaves the call in doubt; what it came to late is still recorded [F-B7]', () => {
    const stage = running();
    step(stage, 'beginStep', 'pay');
    stage.recover();
    step(stage, 'stepDone', 'pay');
    expect(stage.call()).toMatchObject({ state: { is: 'in_doubt' }, steps: { pay: { paid: 0 } } });
    stage.pass(62_001).settle('not_run', MIA, { look: { verdict: 'allow' } });
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.call()).toMatchObject({ state: { is: 'claimed' }, steps: { pay: { paid: 0 } } });
  });

  test('does not begin for an execution that is over', () => {
    const stage = running();
    stage.ended();
    expect(step(stage, 'beginStep', 'pay').events).toEqual([]);
  });
});

describe('a rejection after which only reading is allowed', () => {
  /** A tool that waits for an answer beside a request. */
  const waiting = (look: Asked): Stage => {
    const stage = new Stage().asks({ name: 'book', verdict: 'allow', ...look }, { args: 2 });
    stage.claim(stage.call(), { verdict: 'allow', ...look });
    stage.suspend('city', question, stage.call(), look);
    return stage;
  };
  const reject = (stage: Stage): void => {
    stage.click('reject', MIA, { on: stage.approval(1), then: 'read_only', origin: 'form' });
  };

  test('ends a tool that would go on writing once it is answered, and nobody need answer any more [F-C4]', () => {
    const stage = waiting({});
    step(stage, 'beginStep', 'pay');
    reject(stage);
    expect(stage.call().state).toMatchObject({ is: 'ended', ending: { how: 'failed', code: 'read_only' } });
    expect(stage.question().state.is).toBe('withdrawn');
    expect(stage.next().effects).toEqual(['ask_model']);
  });

  test('ends a tool that runs at that moment where it would wait', () => {
    const stage = new Stage().asks({ name: 'book', verdict: 'allow' }, { args: 2 });
    stage.claim(stage.call(), { verdict: 'allow' });
    reject(stage);
    expect(stage.call().state.is).toBe('claimed');
    stage.suspend('city', question);
    expect(stage.call().state).toMatchObject({ is: 'ended', ending: { code: 'read_only' } });
    expect(Object.keys(stage.thread.questions)).toEqual([]);
  });

  test('lets a tool that only reads go on', () => {
    const stage = waiting({ tool: { effect: 'read' } });
    reject(stage);
    expect(stage.outcomes()).toEqual(['suspended', 'rejected']);
    stage.answer({ text: 'Berlin' });
    expect(stage.next().effects).toEqual(['claim']);
  });
});

describe('a request that a tool puts to people from inside', () => {
  test('has its own card and deciders; when it is approved its tool goes on, and nothing else runs [F-M6]', () => {
    const stage = running();
    stage.suspend('sure', approve());
    expect(inner(stage)).toMatchObject({ within: { call: stage.call().id, name: 'sure' }, state: { is: 'waiting' } });
    const on = stage.thread.approvals[inner(stage).approval ?? ''];
    if (!on) throw new Error('Nobody was asked.');
    expect(stage.click('approve', DANA, { on }).refusal?.code).toBe('requester');
    stage.click('approve', MIA, { on });
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(inner(stage));
    expect(inner(stage).state).toMatchObject({ is: 'ended', ending: { effect: 'none', result: 'approved' } });
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim(stage.call(), { verdict: 'allow' });
    expect(stage.call().state.is).toBe('claimed');
  });

  test('that is rejected is over, and its tool is let go on to say so', () => {
    const stage = running();
    stage.suspend('sure', approve());
    const on = stage.thread.approvals[inner(stage).approval ?? ''];
    stage.click('reject', MIA, on ? { on } : {});
    expect(inner(stage).state.is).toBe('closed');
    expect(stage.next().effects).toEqual(['claim']);
  });

  test('that policy denies is over at once', () => {
    const stage = running();
    stage.suspend('sure', approve(), stage.call(), { verdict: 'deny' });
    expect(inner(stage).state).toMatchObject({ is: 'refused', code: 'denied' });
    expect(stage.next().effects).toEqual(['claim']);
  });
});

describe('an agent that is used as a tool', () => {
  const nested = (): Stage => {
    const stage = running();
    stage.suspend('work', agent('researcher'));
    return stage;
  };

  test('is a nested run: its own conversation, its interrupts in the same thread, its answer the call’s [F-C12, F-G6]', () => {
    const stage = nested();
    const run = stage.run();
    expect(run).toMatchObject({
      agent: 'researcher',
      within: { name: 'work' },
      requesters: [DANA],
      task: 'be researcher',
    });
    expect(stage.thread.current).toBe('r1');
    expect(stage.next().effects).toEqual(['ask_model']);
    stage.reply('', { name: 'execute', args: { deep: true } });
    expect(stage.next().effects).toEqual([]);
    expect(stage.click('approve', DANA).refusal?.code).toBe('requester');
    stage.click('approve');
    expect(stage.next().effects).toEqual(['claim']);
    stage.claim();
    stage.ended();
    expect(stage.next().effects).toEqual(['ask_model']);
    stage.reply('found it');
    expect(stage.run()).toMatchObject({ answer: 'found it', end: { how: 'succeeded' } });
    expect(stage.thread.conversation.filter(item => item.kind === 'reply')).toHaveLength(1);
    expect(run.items.map(item => item.kind)).toEqual(['task', 'reply', 'reply']);
    expect(stage.next().effects).toEqual(['claim']);
    expect(stage.thread).toEqual(stage.replayed());
  });

  test('twice at once has two states that do not touch [F-G2, F-G4]', () => {
    const stage = new Stage().asks(
      { name: 'ask', args: 1, verdict: 'allow' },
      { name: 'ask', args: 2, verdict: 'allow' },
    );
    const [first, second] = [stage.call(0), stage.call(1)];
    for (const call of [first, second]) {
      stage.claim(call, { verdict: 'allow' });
      stage.suspend('work', agent('researcher'), call);
    }
    const [one, two] = [stage.run(wait(stage, stage.thread.calls[first.id]) as never), stage.run()];
    expect(one.id).not.toBe(two.id);
    expect(activeRuns(stage.thread).map(run => run.id)).toEqual(['r1', one.id, two.id]);
    expect(stage.next().effects).toEqual(['ask_model', 'ask_model']);
    stage.reply('second answer');
    expect(stage.thread.runs[one.id]).toMatchObject({ answer: null, end: null });
    expect(stage.next().effects.toSorted()).toEqual(['ask_model', 'claim']);
  });

  test('is cancelled with the run that it works for, and with it everything that waits inside [F-I7]', () => {
    const stage = nested();
    stage.reply('', { name: 'execute', args: { deep: true } });
    const deep = stage.call();
    stage.cancel(DANA, { run: stage.run().id });
    expect(stage.thread.runs['r1']?.end?.how).toBe('cancelled');
    expect(stage.run().end?.how).toBe('cancelled');
    expect(stage.thread.calls[deep.id]?.state.is).toBe('closed');
    expect(stage.next().effects).toEqual([]);
    expect(stage.thread.current).toBeNull();
  });

  test('that uses up its budget ends alone; the run above goes on with that, and pays for its tokens', () => {
    const stage = nested();
    stage.do({ type: 'end', run: stage.run().id, how: 'exhausted', code: 'steps', detail: null });
    expect(stage.thread.runs['r1']?.end).toBeNull();
    expect(stage.next().effects).toEqual(['claim']);
    const other = nested();
    other.reply('done');
    expect(other.thread.runs['r1']?.tokens).toBe(30);
  });

  test('is not nested without end', () => {
    const stage = nested();
    for (let depth = 1; depth < 4; depth += 1) {
      stage.reply('', { name: 'ask', args: { depth }, verdict: 'allow' });
      stage.claim(stage.call(), { verdict: 'allow' });
      stage.suspend('work', agent('researcher'));
      expect(depthOf(stage.thread, stage.run())).toBe(depth + 1);
    }
    expect(rootOf(stage.thread, stage.run()).id).toBe('r1');
    stage.reply('', { name: 'ask', args: { depth: 4 }, verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    const last = stage.call();
    stage.suspend('work', agent('researcher'));
    expect(stage.thread.calls[last.id]?.state).toMatchObject({
      is: 'ended',
      ending: { code: 'too_deep', effect: 'none' },
    });
  });

  test('never asks a requester, or anybody without rights, to decide for it', () => {
    const stage = nested();
    stage.reply('', { name: 'execute', args: { deep: true }, verdict: terms({ quorum: 2 }) });
    expect(stage.click('approve', OTTO).refusal?.code).toBe('not_approver');
    stage.click('approve', MIA);
    stage.click('approve', LEO);
    expect(stage.approval().state.is).toBe('approved');
  });
});
