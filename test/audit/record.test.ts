import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { penWith } from '../../src/audit/pen.ts';
import { recordLines } from '../../src/audit/text.ts';
import type { Commit } from '../../src/thread/commit.ts';
import { editPreview } from '../../src/thread/decide/edit.ts';
import type { Edit } from '../../src/thread/decide/command.ts';
import { digestOf } from '../../src/thread/digest.ts';
import type { Event, Json } from '../../src/thread/events.ts';
import { recordOf, recordOfThread, type RecordDoc } from '../../src/thread/record.ts';
import { anyEvent } from '../thread/arbitrary.ts';
import { ANA, CARD, DANA, HOUR_MS, KEY, LEADS, LEO, MIA, OTTO, SRE, Stage, terms, THAWED } from '../thread/stage.ts';

const PEN = penWith('key of the tests');
const SOURCES = {
  policyLoadedAtMs: () => Date.UTC(2026, 10, 28, 9),
  serverOf: () => 'builtin',
};
const recordIn = (stage: Stage, call = stage.call()): RecordDoc => {
  const doc = recordOf(stage.key, stage.commits, call.id, SOURCES);
  if (!doc) throw new Error('There is no record.');
  return doc;
};
const lines = (doc: RecordDoc): string[] =>
  recordLines(PEN, doc, { channel: '#general (C0GENERAL)', address: 'https://acme.example/thread' });
const under = (doc: RecordDoc, word: string): string[] => {
  const all = lines(doc);
  const from = all.findIndex(line => line.startsWith(`${word} `));
  const to = all.findIndex((line, index) => index > from && line[0] !== ' ');
  return from === -1 ? [] : all.slice(from, to === -1 ? undefined : to).map(line => line.slice(11));
};
const CALL = { name: 'scale', args: { namespace: 'production', replicas: 2 } };
const asked = (more: Partial<Parameters<typeof terms>[0]> = {}, bind = { replicas: 6 }): Stage =>
  new Stage().asks({ ...CALL, verdict: terms(more), bind });
const run = (stage: Stage, bind = { replicas: 6 }): Stage => {
  stage.claim(stage.call(), { ...CALL, args: stage.call().args, verdict: stage.approval().terms, bind });
  stage.pass(22_000).ended();
  return stage;
};

/** Two approve, one of whom changed their mind; a requester's click is refused; it runs. */
function approvedByTwo(): Stage {
  const stage = asked({ quorum: 2 });
  stage.pass(30_000).click('approve', DANA);
  stage.pass(30_000).click('approve', MIA);
  stage.pass(30_000).click('approve', LEO);
  return run(stage.pass(2_000));
}

describe('a record by the log', () => {
  test('says who asked in which words, what was called, by which rule, and what came of it', () => {
    const stage = approvedByTwo();
    const doc = recordIn(stage);
    expect(doc).toMatchObject({
      summary: 'Run scale',
      outcome: { is: 'done' },
      asked: {
        by: [{ id: DANA, name: `name of ${DANA}` }],
        words: [{ text: 'do it', by: { id: DANA }, channel: KEY.channel, atMs: Date.UTC(2026, 10, 30, 14) }],
        agent: 'default',
        inside: null,
      },
      called: { tool: 'scale', args: CALL.args, definition: digestOf({ name: 'scale' }), effect: 'write' },
      rule: { id: 'a-rule', verdict: 'ask', policy: digestOf('policy'), loadedAtMs: SOURCES.policyLoadedAtMs() },
      findings: [],
      from: 'log',
    });
  });

  test('has every decision with the person, time, round and groups of then, and what was shown with its digest [S-41]', () => {
    const stage = approvedByTwo();
    const { shown, decided, settled } = recordIn(stage);
    const startMs = Date.UTC(2026, 10, 30, 14);
    expect(shown).toMatchObject([
      { round: 1, card: 1, atMs: startMs, why: 'first', digest: stage.approval().digest, bind: { replicas: 6 } },
    ]);
    expect(decided).toMatchObject([
      {
        by: { id: MIA, name: `name of ${MIA}` },
        verdict: 'approve',
        round: 1,
        atMs: startMs + 60_000,
        scopes: ['sre'],
      },
      { by: { id: LEO }, verdict: 'approve', round: 1, atMs: startMs + 90_000, fell: null },
    ]);
    expect(settled).toMatchObject([{ how: 'approved', by: [{ id: MIA }, { id: LEO }], round: 1 }]);
  });

  test('has who was refused and what they wanted, once, with the time [F-D1, F-J3]', () => {
    const stage = asked();
    stage.pass(1_000).click('approve', DANA);
    stage.pass(1_000).click('approve', DANA);
    stage.pass(1_000).click('approve', ANA);
    stage.pass(5 * HOUR_MS).click('reject', MIA);
    const { refused, outcome } = recordIn(stage);
    expect(refused.map(({ by, code, verdict }) => [by.id, code, verdict])).toEqual([
      [DANA, 'requester', 'approve'],
      [ANA, 'not_approver', 'approve'],
      [MIA, 'expired', 'reject'],
    ]);
    expect(refused.every(({ atMs }) => atMs !== null)).toBe(true);
    expect(outcome.is, 'a refused click changes nothing').toBe('waiting');
    expect(under(recordIn(stage), 'Refused').at(-1)).toBe(
      `2026-11-30 19:00:03Z  ${MIA} wanted to reject: expired (round 1)`,
    );
  });

  test('of a request that expired names nobody [F-J1, F-E11]', () => {
    const stage = asked();
    stage.pass(4 * HOUR_MS).do({ type: 'expire', approval: stage.approval().id });
    const doc = recordIn(stage);
    expect(doc).toMatchObject({ outcome: { is: 'expired' }, settled: [{ how: 'expired', by: [] }], decided: [] });
    expect(under(doc, 'Decided')).toEqual(['2026-11-30 18:00:00Z  settled: expired']);
  });

  test('has each attempt with the process that ran it, its key and its result, never an approver as who ran it [F-D11]', () => {
    const { ran, checked } = recordIn(approvedByTwo());
    const startMs = Date.UTC(2026, 10, 30, 14) + 92_000;
    expect(ran).toMatchObject([
      {
        attempt: 1,
        holder: 'node1/1',
        claimedAtMs: startMs,
        endedAtMs: startMs + 22_000,
        how: 'succeeded',
        late: false,
      },
    ]);
    expect(ran[0]).toMatchObject({ text: 'hello', result: { bytes: 5, blob: null } });
    expect(checked).toMatchObject([{ atMs: startMs, facts: { replicas: 6 }, workspace: THAWED.version }]);
  });

  test('has a vote that fell, and a mind that was changed', () => {
    const stage = asked({ quorum: 2 });
    const bind = { replicas: 6 };
    stage.click('approve', MIA);
    stage.pass(1_000).click('approve', LEO);
    const approvers = [stage.actor(MIA, { standing: 'deactivated' }), stage.actor(LEO)];
    stage.claim(stage.call(), { ...CALL, verdict: stage.approval().terms, bind }, { approvers });
    stage.pass(1_000).click('reject', LEO, { then: 'stop' });
    const doc = recordIn(stage);
    expect(doc.decided.map(({ by, verdict, fell }) => [by.id, verdict, fell?.code ?? null])).toEqual([
      [MIA, 'approve', 'deactivated'],
      [LEO, 'approve', 'changed_mind'],
      [LEO, 'reject', null],
    ]);
    expect(under(doc, 'Decided')[3]).toContain(
      `reject  name of ${LEO} (${LEO}), member of sre then (round 1); then: stop`,
    );
  });

  test('has every round: the requester wrote again, the facts changed, and what differs', () => {
    const stage = asked();
    stage.pass(1_000).say('and hurry');
    stage.pass(1_000).click('approve', MIA);
    stage.claim(stage.call(), { ...CALL, bind: { replicas: 8 } });
    const { shown, decided, findings } = recordIn(stage);
    expect(shown.map(({ round, card, why }) => [round, card, why])).toEqual([
      [1, 1, 'first'],
      [2, 1, 'message'],
      [3, 2, 'changed'],
    ]);
    expect(shown[1]?.message).toMatchObject({ text: 'and hurry', by: { id: DANA } });
    expect(shown[2]?.changes).toEqual([{ fact: 'replicas', was: 6, is: 8 }]);
    expect(decided.map(({ round }) => round)).toEqual([2]);
    expect(findings).toEqual([]);
  });

  test('has an edit with what it changed, and the vote of its editor', () => {
    const stage = asked({ edit: ['replicas'] });
    const args: Json = { namespace: 'production', replicas: 4 };
    const edit: Edit = {
      type: 'edit',
      approval: stage.approval().id,
      round: 1,
      args,
      key: 'V1.h1',
      actor: stage.actor(MIA),
      card: CARD,
      workspace: THAWED,
      shown: digestOf(''),
      evidence: stage.look({ ...CALL, args, verdict: terms({ edit: ['replicas'] }), bind: { replicas: 6 } }),
    };
    const preview = editPreview(stage.thread, edit, stage.nowMs);
    if (preview.refusal) throw new Error(preview.refusal.code);
    stage.pass(1_000).do({ ...edit, shown: preview.shown });
    const doc = recordIn(stage);
    expect(doc.edits).toMatchObject([
      { by: { id: MIA }, was: CALL.args, is: args, changes: [{ fact: 'replicas', was: 2, is: 4 }] },
    ]);
    expect(doc.shown.map(({ why }) => why)).toEqual(['first', 'edited']);
    expect(doc.decided).toMatchObject([{ by: { id: MIA }, round: 2 }]);
    expect(doc.findings).toEqual([]);
    expect(under(doc, 'Edited')[1]).toBe('  replicas: 2 → 4');
  });

  test('keeps the words with which it was asked, whatever their author makes of them; the new ones stand with their round [S-70]', () => {
    const stage = asked();
    const [message] = Object.values(stage.thread.messages);
    if (!message) throw new Error('Nobody wrote.');
    stage.pass(1_000).do({ type: 'amend', message: message.ts, author: DANA, text: 'never mind', salt: stage.fresh() });
    const doc = recordIn(stage);
    expect(doc.asked.words).toMatchObject([{ text: 'do it', by: { id: DANA } }]);
    expect(doc.shown.at(-1)).toMatchObject({ round: 2, message: { text: 'never mind' } });
  });

  test('has what an approver asked the requester, and the answer', () => {
    const stage = asked();
    stage.pass(1_000).do({
      type: 'inquire',
      approval: stage.approval().id,
      round: 1,
      text: 'Why now?',
      key: 'k1',
      actor: stage.actor(MIA),
      card: CARD,
    });
    expect(under(recordIn(stage), 'Asked back').at(-1)).toBe('  no answer yet');
    stage.pass(1_000).answer({ text: 'It costs too much.' });
    const { inquiries, findings } = recordIn(stage);
    expect(inquiries).toMatchObject([
      { by: { id: MIA }, prompt: 'Why now?', answer: { by: { id: DANA }, value: 'It costs too much.' } },
    ]);
    expect(findings).toEqual([]);
  });

  test('has what a tool asked from inside, an answer that was not taken, and the attempts around it', () => {
    const stage = new Stage().asks({ name: 'book', args: { to: 'Paris' }, verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.suspend('city', {
      on: 'question',
      kind: 'question',
      prompt: 'From which city?',
      form: { type: 'number' },
      scopes: [],
      channel: null,
      expiresInMs: HOUR_MS,
    });
    stage.pass(1_000).answer({ text: 'many' });
    stage.pass(1_000).answer({ text: '0' });
    stage.take();
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.ended();
    const doc = recordIn(stage);
    expect(doc.questions).toMatchObject([
      { prompt: 'From which city?', by: null, answer: { value: 0 }, wrong: [{ given: 'many', by: { id: DANA } }] },
    ]);
    expect(doc.ran.map(({ attempt, how }) => [attempt, how])).toEqual([
      [1, 'suspended'],
      [2, 'succeeded'],
    ]);
    expect(doc.findings).toEqual([]);
    expect(under(doc, 'Questions').at(-1)).toContain('answered 0');
  });

  test('has the agent that proposed the call, its model, and the instructions that it had, with the time since when', () => {
    const stage = approvedByTwo();
    const instructions = digestOf('Be brief.');
    const commits = stage.commits.map((commit): Commit => {
      const events = commit.events.map(each => (each.type === 'model.replied' ? { ...each, instructions } : each));
      return { ...commit, events };
    });
    const sources = { ...SOURCES, instructionsLoadedAtMs: () => Date.UTC(2026, 10, 29, 9) };
    const doc = recordOf(stage.key, commits, stage.call().id, sources);
    if (!doc) throw new Error('There is no record.');
    expect(under(doc, 'Call')[1]).toBe(
      `by agent default, model scripted, instructions ${instructions.slice(0, 4)}…${instructions.slice(-2)} loaded 2026-11-29 09:00:00Z`,
    );
    expect(under(recordIn(stage), 'Call')[1]).toBe('by agent default, model scripted');
  });

  test('names the request from inside which another was put to people as its own record does', () => {
    const inner = new Stage().asks({ ...CALL, verdict: terms() });
    inner.click('approve', MIA);
    inner.claim(inner.call(), { ...CALL, args: inner.call().args, verdict: inner.approval().terms });
    inner.suspend(
      'way',
      { on: 'call', summary: 'Pay', impact: null, args: { seat: 1 }, bind: {}, options: [] },
      inner.call(),
      {
        verdict: terms(),
      },
    );
    const doc = recordIn(inner, inner.call(1));
    const outer = lines(recordIn(inner)).at(0)?.split(' ')[0] ?? '';
    expect(outer).toMatch(/^A-\w{4}$/);
    expect(under(doc, 'Call').at(-1)).toMatch(new RegExp(`, asked from inside ${outer}$`));
    expect(recordIn(inner).called.inside).toBeNull();
  });

  test('has reminders, escalations and the ladder that was bound', () => {
    const ladder = [
      { afterMs: 0, scopes: [SRE] },
      { afterMs: HOUR_MS, scopes: [LEADS] },
    ];
    const stage = asked({ ladder, remindMs: [HOUR_MS / 2] });
    stage.pass(HOUR_MS / 2).do({ type: 'remind', approval: stage.approval().id, n: 1 });
    stage.pass(HOUR_MS / 2).do({ type: 'escalate', approval: stage.approval().id, step: 1 });
    const { reminders, escalations, shown } = recordIn(stage);
    expect(reminders).toMatchObject([{ round: 1, n: 1 }]);
    expect(escalations).toMatchObject([{ round: 1, step: 1 }]);
    expect(shown[0]?.terms?.ladder).toEqual(ladder);
  });

  test('has a doubt, what people said of it, and a late outcome that says otherwise [F-B15]', () => {
    const stage = asked();
    stage.click('approve', MIA);
    stage.claim(stage.call(), { ...CALL, bind: { replicas: 6 } });
    stage.pass(HOUR_MS).recover();
    stage.settle('abandoned', LEO);
    stage.pass(1_000).ended(stage.call(), {}, 1);
    const doc = recordIn(stage);
    expect(doc.doubts).toMatchObject([
      { is: 'in_doubt', execution: `${doc.call}.1` },
      { is: 'said', as: 'abandoned', by: { id: LEO } },
    ]);
    expect(doc.ran).toMatchObject([{ how: 'succeeded', late: true }]);
    expect(doc.findings).toEqual([{ code: 'contradiction', attempt: 1 }]);
    expect(doc.outcome.is).toBe('given_up');
  });

  test('has a claim that did not start, and why', () => {
    const stage = asked();
    stage.click('approve', MIA);
    stage.claim(stage.call(), { ...CALL, bind: { replicas: 6 } });
    stage.do({ type: 'notStarted', call: stage.call().id, execution: `${stage.call().id}.1` as never, why: 'frozen' });
    expect(recordIn(stage).ran).toMatchObject([{ how: 'not_started', code: 'frozen' }]);
    expect(under(recordIn(stage), 'Ran')[0]).toContain('not started (frozen)');
  });

  test('has who cancelled the run', () => {
    const stage = asked();
    stage.pass(1_000).cancel(DANA);
    const { stopped, outcome, settled } = recordIn(stage);
    expect(stopped).toMatchObject([{ what: 'cancel', by: { id: DANA }, source: 'button' }]);
    expect([outcome.is, settled[0]?.how]).toEqual(['withdrawn', 'withdrawn']);
  });

  test('of a self-approval has the reason, and finds nothing where the rule allows it [F-D12]', () => {
    const stage = asked({ selfApproval: 'with_reason' });
    stage.click('approve', DANA, { reason: 'On call alone.' });
    const doc = recordIn(run(stage));
    expect(doc.decided).toMatchObject([{ by: { id: DANA }, reason: 'On call alone.' }]);
    expect(doc.findings).toEqual([]);
    expect(under(doc, 'Decided')[0]).toContain('"On call alone."');
  });

  test('of a call that nobody made is none', () => {
    expect(recordOf(KEY, approvedByTwo().commits, 'NOSUCH' as never)).toBeNull();
  });

  test('is made of any events whatever, also of erased ones', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 60 }), events => {
        const stage = new Stage();
        stage.append(...events);
        for (const call of Object.values(stage.thread.calls)) {
          const doc = recordOf(stage.key, stage.commits, call.id, SOURCES);
          if (!doc) throw new Error('There is no record.');
          expect(lines(doc).length).toBeGreaterThan(2);
          expect(lines(recordOfThread(stage.thread, call)).length).toBeGreaterThan(2);
        }
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

describe('what does not fit together', () => {
  /** The same commits with one event changed, as somebody who can write the whole table anew could do. */
  const forged = (stage: Stage, change: (event: Event) => Event): RecordDoc['findings'] => {
    const commits = stage.commits.map((commit): Commit => ({ ...commit, events: commit.events.map(change) }));
    return recordOf(stage.key, commits, stage.call().id, SOURCES)?.findings ?? [];
  };

  test('is found: other arguments than the digest was made of', () => {
    const args = { namespace: 'production', replicas: 0 };
    const findings = forged(approvedByTwo(), event =>
      event.type === 'model.replied' ? { ...event, body: { text: '', calls: [{ args }] } } : event,
    );
    expect(findings).toEqual([{ code: 'call_digest' }]);
  });

  test('is found: other facts than people were shown', () => {
    const findings = forged(approvedByTwo(), event =>
      event.type === 'approval.requested' && event.body
        ? { ...event, body: { ...event.body, bind: { replicas: 2 } } }
        : event,
    );
    expect(findings).toEqual([{ code: 'shown_digest', round: 1 }]);
  });

  test('is found: a decision or a claim that is bound to something else', () => {
    const other = digestOf('other');
    expect(
      forged(approvedByTwo(), event => (event.type === 'decision.recorded' ? { ...event, digest: other } : event)),
    ).toMatchObject([
      { code: 'decided_digest', round: 1, by: { id: MIA } },
      { code: 'decided_digest', round: 1, by: { id: LEO } },
    ]);
    expect(
      forged(approvedByTwo(), event => (event.type === 'call.claimed' ? { ...event, digest: other } : event)),
    ).toEqual([{ code: 'claimed_digest', attempt: 1 }]);
  });

  test('is found: fewer approvals than the rule wants, or none', () => {
    const other = forged(approvedByTwo(), event =>
      event.type === 'decision.recorded' && event.by === LEO ? { ...event, by: MIA } : event,
    );
    expect(other).toEqual([{ code: 'claimed_without_approval', attempt: 1 }]);
    const bare = forged(approvedByTwo(), event => {
      if (event.type !== 'call.claimed') return event;
      const { approval: _, round: __, ...rest } = event;
      return rest;
    });
    expect(bare).toEqual([{ code: 'claimed_without_approval', attempt: 1 }]);
  });

  test('is found: a requester who approved', () => {
    const findings = forged(approvedByTwo(), event =>
      event.type === 'decision.recorded' && event.by === LEO ? { ...event, by: DANA } : event,
    );
    expect(findings).toMatchObject([{ code: 'requester_decided', round: 1, by: { id: DANA } }]);
  });

  test('is found: another result than was recorded', () => {
    const findings = forged(approvedByTwo(), event =>
      event.type === 'call.ended' ? { ...event, body: { result: 'HELLO' } } : event,
    );
    expect(findings).toEqual([{ code: 'result_digest', attempt: 1 }]);
  });

  test('of erased texts is only that they are erased', () => {
    const erased = forged(approvedByTwo(), event => ({ ...event, body: null }) as Event);
    expect(erased).toEqual([{ code: 'erased' }]);
  });

  test('is told in sentences', () => {
    const stage = approvedByTwo();
    const doc = { ...recordIn(stage), findings: forged(stage, event => ({ ...event, body: null }) as Event) };
    expect(under(doc, 'Findings')).toEqual(['texts were erased: digests over them cannot be computed again']);
    expect(under(recordIn(stage), 'Findings')).toEqual(['none']);
  });
});

describe('a record by the fold alone', () => {
  test('agrees with the one by the log where it says anything', () => {
    const stage = approvedByTwo();
    const [log, fold] = [recordIn(stage), recordOfThread(stage.thread, stage.call())];
    expect(fold.from).toBe('fold');
    for (const name of ['summary', 'outcome', 'settled', 'findings', 'questions', 'edits'] as const)
      expect(fold[name], name).toEqual(log[name]);
    expect(fold.decided).toEqual(log.decided);
    expect(fold.refused.map(({ by, code }) => [by.id, code])).toEqual(log.refused.map(({ by, code }) => [by.id, code]));
    expect(fold.ran).toMatchObject([{ how: 'succeeded', text: 'hello' }]);
  });

  test('keeps the votes of a card that was closed', () => {
    const stage = asked();
    stage.click('approve', MIA);
    stage.claim(stage.call(), { ...CALL, bind: { replicas: 8 } });
    expect(recordOfThread(stage.thread, stage.call())).toMatchObject({
      shown: [
        { round: null, card: 1, why: 'changed' },
        { round: 2, card: 2 },
      ],
      decided: [{ by: { id: MIA }, fell: { code: 'changed' } }],
    });
  });
});

describe('a record as text', () => {
  test('is a page of lines: who, when, what, by which digest', () => {
    expect(lines(recordIn(approvedByTwo())).join('\n')).toMatchSnapshot();
  });

  test('masks secrets in every place where somebody could have put one, with the fingerprint of the cards [T-A16d, T-A17a]', () => {
    const secret = 'xoxb-1234567890-abcdefghijkl';
    const stage = new Stage();
    stage.say(`use ${secret}`);
    stage.take();
    stage.start();
    stage.reply('', {
      name: 'scale',
      args: { token: 'hunter2hunter2', text: secret, [secret]: 1 },
      bind: { seen: secret },
    });
    stage.click('reject', LEO, { reason: `not ${secret}` });
    const text = lines(recordIn(stage)).join('\n');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/•••• \(28 characters, fingerprint [0-9a-f]{4}\)/);
  });

  test('lets no text move the cursor, end its line or hide', () => {
    const stage = new Stage();
    stage.say('a\u001b[2Jb\nFindings   none\u202ec');
    stage.take();
    stage.start();
    stage.reply('', CALL);
    stage.click('approve', OTTO);
    stage.click('approve', MIA);
    stage.claim(stage.call(), CALL);
    stage.ended(stage.call(), { result: 'one\ntwo\u001b[31m' });
    const all = lines(recordIn(stage));
    for (const sign of ['\u001b', '\u202e']) expect(all.join('\n')).not.toContain(sign);
    expect(all.filter(line => line.startsWith('Findings'))).toHaveLength(1);
    expect(under(recordIn(stage), 'Ran').slice(1)).toEqual(['  | one', '  | two\\u{001b}[31m']);
  });

  test('says how much of a long result it shows', () => {
    const doc = recordIn(approvedByTwo());
    const [ran] = doc.ran;
    if (!ran) throw new Error('Nothing ran.');
    const long = { ...ran, text: 'begin', result: { digest: digestOf('all'), bytes: 90_000, blob: 'B1' } };
    expect(under({ ...doc, ran: [long] }, 'Ran').slice(1)).toEqual([
      '  | begin',
      '  (its first 5 of 90000 bytes; the rest is kept as result B1)',
    ]);
  });
});
