/** Who did something, or what, is said as it was: nobody is named for what no person did, and nobody who did is left out. */
import { describe, expect, it } from 'vitest';
import { render } from '../../../src/slack/views/render.ts';
import { refusalLine } from '../../../src/slack/views/refusals.ts';
import { plain } from '../../../src/slack/views/line.ts';
import { resultText } from '../../../src/slack/views/result.ts';
import { outcomeOf } from '../../../src/thread/outcome.ts';
import { executionId } from '../../../src/thread/ids.ts';
import type { Approval, Call, DoubtEnd, Edit, Run } from '../../../src/thread/thread.ts';
import { drawAll } from './drawn.ts';
import {
  aCall,
  aPost,
  approvedBy,
  calm,
  cardStates,
  claimOf,
  clock,
  context,
  ending,
  ids,
  judgement,
  miaAndLeo,
  need,
  request,
  threadOf,
  type Part,
} from './fixtures.ts';

const chinese = { ...context, language: 'zh' as const };
const shown = (part: Part, where = context, posts: readonly string[] = []): string => {
  const thread = threadOf([part]);
  for (const key of posts) thread.posts[key] = aPost(key);
  return drawAll(render(thread, calm, where));
};
const told = (part: Part): string => {
  const thread = threadOf([part]);
  return resultText(outcomeOf(thread, need(thread.calls[part.call.id])), context);
};
const first = executionId(aCall(0).id, 1);
const end = (over: Partial<DoubtEnd>): DoubtEnd => ({
  execution: first,
  how: 'said',
  as: 'not_run',
  by: { id: ids.mia, name: 'Mia Chen' },
  atMs: clock(14, 9),
  ...over,
});
const [mia, leo] = miaAndLeo;

describe('Who or what ended a doubt', () => {
  const posts = [`doubt-thread/${first}`, `doubt-ring/${first}`];
  const again = (doubtEnd: DoubtEnd, over: Partial<Approval> = {}): Part =>
    request({ is: 'waiting' }, over, { attempts: 1, spent: [first], saidNotRun: [first], doubtEnds: [doubtEnd] });

  it.each([
    [end({}), 'it did not run, says <@U0MIA0001>', '没有执行，由 <@U0MIA0001>'],
    [end({ how: 'checked', by: null }), "it did not run, its tool's own check found", '工具于 {14:09 UTC} 自行核对'],
    [end({ how: 'reported', by: null }), 'it had not started, its process reported', '执行它的进程于'],
  ])('is said on the card, under it and in the thread: %#', (doubtEnd, english, inChinese) => {
    for (const [where, words] of [
      [context, english],
      [chinese, inChinese],
    ] as const) {
      const drawn = shown(again(doubtEnd), where, posts);
      expect(drawn.split(words).length - 1).toBeGreaterThanOrEqual(3);
      expect(drawn).not.toMatch(/a person said|有人确认/);
    }
  });

  it('stands on the card of an earlier attempt of an allowed call, and on a card that was replaced', () => {
    const free = aCall(0, {
      judgement: judgement({ verdict: 'allow' }),
      state: { is: 'claimed', claim: claimOf(aCall(0), 2) },
      spent: [first],
      doubtEnds: [end({ how: 'checked', by: null })],
    });
    const card = shown({ call: free }, context, posts);
    expect(card).toContain("*Not run*: it did not run, its tool's own check found {14:09 UTC}.");
    expect(card).not.toContain('a person');
    const closed = { card: 1, summary: 'S', atMs: clock(14, 9), changes: [], votes: [], code: 'not_run' };
    const drawn = shown(again(end({}), { card: 2, round: 2, closedCards: [closed] }));
    expect(drawn).toContain(
      '*Replaced* {14:09 UTC}: it did not run, says <@U0MIA0001> {14:09 UTC}. It was asked again.',
    );
    expect(drawn).toContain('*Asked again* (2nd time): it did not run, says <@U0MIA0001> {14:09 UTC}');
    expect(drawn).not.toContain('has changed');
  });

  it('is nobody where an attempt was only lost', () => {
    expect(shown(request({ is: 'waiting' }, {}, { attempts: 1, spent: [first] }))).not.toContain('Asked again');
  });

  const overAs = (doubtEnd: DoubtEnd, code: string | null): Part =>
    request(call => ({ is: 'ended', ending: ending(call, { code, result: code === null ? 'ok' : '' }) }), approvedBy, {
      attempts: 1,
      spent: [first],
      doubtEnds: [doubtEnd],
    });

  it('is the tool’s own check, to people and to the model, without a length of time that nobody measured', () => {
    const part = overAs(end({ how: 'checked', as: 'ran', by: null, atMs: clock(14, 7) }), 'checked');
    const drawn = shown(part, context, posts);
    expect(drawn).toContain("*Done*: its tool's own check found {14:07 UTC} that it ran");
    expect(drawn).toContain("✅ Done, its tool's own check found {14:07 UTC}:");
    expect(drawn).toContain("Settled: it ran, its tool's own check found {14:07 UTC}.");
    expect(drawn).not.toMatch(/took|its process reported/);
    expect(told(part)).toBe("ran, as the tool's own check found; its result is not known");
  });

  it('is its process, when it reported late', () => {
    const drawn = shown(overAs(end({ how: 'reported', as: 'ran', by: null }), null), context, posts);
    expect(drawn).toContain('It was in doubt until its process reported this {14:09 UTC}.');
    expect(drawn).toContain('Settled: its process reported {14:09 UTC} what came of it.');
  });

  it('is awaited: that it may still run is not said once it is on record that it cannot', () => {
    const doubt = need(cardStates['in doubt']);
    expect(shown(doubt)).toContain('It cannot run past {14:06 UTC}; only from then on');
    const { state } = doubt.call;
    if (state.is !== 'in_doubt') throw new Error('no doubt');
    const checked = { execution: state.claim.execution, found: 'unknown', atMs: state.claim.endsByMs } as const;
    expect(shown({ ...doubt, call: { ...doubt.call, checked } })).not.toContain('It cannot run past');
  });
});

describe('That something was approved', () => {
  const refused = (votes: Approval['votes'], code = 'denied', over: Partial<Call> = {}): Part =>
    request({ is: 'closed' }, { votes, state: { is: 'refused', code, detail: null, atMs: clock(14, 5) } }, over);
  const expired = (votes: Approval['votes']): Part =>
    request({ is: 'closed' }, { votes, state: { is: 'expired', atMs: clock(16, 5) } });

  it('is said only where it was, to people and to the model', () => {
    for (const votes of [[], [need(mia)]]) {
      expect(shown(refused(votes))).not.toContain('Approved, but');
      expect(shown(refused(votes))).toContain('🚫 Not run: a rule does not allow it any more.');
      expect(shown(refused(votes), chinese)).not.toContain('已批准，但');
      expect(told(refused(votes))).toMatch(/^did not run: a rule does not allow it any more/);
    }
    expect(shown(refused([...miaAndLeo]))).toContain('🚫 Approved, but not run:');
    expect(told(refused([...miaAndLeo]))).toContain('approved, but');
  });

  it('is told apart from a decision of too few, and from none, when the time is over', () => {
    expect(told(expired([]))).toContain('nobody decided');
    expect(told(expired([need(mia)]))).toContain('fewer people than needed had approved');
    expect(told(expired([...miaAndLeo]))).toContain('approved, but it could not start');
    expect(shown(expired([need(mia)]))).toContain('⌛ 1 more had to approve by');
    expect(shown(expired([need(mia)]))).not.toContain('Nobody decided');
  });

  it('is not claimed of what was closed without it when somebody clicks later', () => {
    const said = (votes: Approval['votes']): string => {
      const part = refused(votes);
      const { id } = need(part.approval);
      const by = votes.at(-1)?.by;
      const refusal = { code: 'already_decided', approval: id, actor: ids.ana, atMs: clock(14, 5) } as const;
      return plain(refusalLine({ ...refusal, ...(by ? { by } : {}) }, threadOf([part]), context));
    };
    for (const votes of [[], [need(mia)]])
      expect(said(votes)).toBe(
        'This was closed at 14:05 UTC and did not run: a rule does not allow it any more. Nothing more to do.',
      );
  });

  it('leads to asking again only where that can come to something', () => {
    expect(shown(refused([]))).not.toMatch(/can ask again|Ask again/);
    expect(shown(refused([], 'requester_gone'))).not.toMatch(/can ask again|Ask again/);
    expect(shown(refused([], 'rights'))).toMatch(/can ask again[^]*\[Ask again\]/);
    const within = { call: aCall(1).id, name: 'go' };
    expect(shown(refused([], 'rights', { within }))).not.toMatch(/can ask again|Ask again/);
  });
});

describe('Who changed and who approved a call', () => {
  const was = { deployment: 'billing', namespace: 'production', replicas: 2 };
  const edit: Edit = { by: ids.mia, name: 'Mia Chen', was };
  const changed = (editedBy: Edit, votes: Approval['votes'], replicas = 12): Part =>
    request(
      call => ({ is: 'ended', ending: ending(call) }),
      { ...approvedBy, editedBy, votes },
      { args: { ...was, replicas } },
    );

  it('are named, all of them', () => {
    expect(shown(changed(edit, [need(mia), need(leo)]))).toContain(
      '<@U0MIA0001> changed replicas 2 → 12 · approved by <@U0MIA0001> and <@U0LEO0001>',
    );
    expect(shown(changed(edit, [need(leo)]))).toContain('changed replicas 2 → 12 · approved by <@U0LEO0001>');
    expect(shown(changed(edit, [need(mia)]))).toContain('<@U0MIA0001> changed replicas 2 → 12 and approved');
    const both = { ...edit, before: [{ by: ids.ana, name: 'Ana Ruiz' }] };
    expect(shown(changed(both, [need(mia)]))).toContain(
      '<@U0ANA0001> and <@U0MIA0001> changed replicas 2 → 12 · approved by <@U0MIA0001>',
    );
    expect(shown(changed(both, [need(mia)]))).toContain('Edited by <@U0ANA0001> and <@U0MIA0001>');
  });

  it('are named also where it runs, failed, or is said to have run', () => {
    for (const name of ['running', 'failed, effect possible', 'said done', 'given up'])
      expect(shown(need(cardStates[name]))).toMatch(/status\/r1[^]*approved by <@U0MIA0001> and <@U0LEO0001>/);
  });

  it('changed nothing when it was taken back', () => {
    const back = shown(changed(edit, [need(mia), need(leo)], 2));
    expect(back).not.toMatch(/changed|Edited/);
    expect(back).toContain('approved by <@U0MIA0001> and <@U0LEO0001>');
  });
});

describe('Who cancelled a run', () => {
  const head = (by: typeof ids.mia, name: string): string => {
    const end = { how: 'cancelled', code: null, by, detail: null, atMs: clock(14, 20), number: 9 } as const;
    const cancelled = { by, name, key: 'k', source: 'button' } as const;
    return drawAll(render(threadOf([need(cardStates['withdrawn'])], { end, cancelled }), calm, context));
  };

  it('is named in the thread where it was nobody who had asked', () => {
    expect(head(ids.ana, 'Ana Ruiz')).toContain('↩️ Cancelled. Nothing ran. <@U0ANA0001> cancelled it.');
    expect(head(ids.dana, 'Dana Ito')).not.toContain('cancelled it');
  });
});

describe('What only some may do', () => {
  const said = (detail: string | undefined, by?: typeof ids.mia): string =>
    plain(
      refusalLine(
        { code: 'not_yours', actor: ids.ana, ...(detail ? { detail } : {}), ...(by ? { by } : {}) },
        threadOf([request()], { requesters: [ids.dana, ids.leo] }),
        context,
      ),
    );

  it('is said of exactly those', () => {
    expect(said(undefined)).toMatch(/^Only .*Dana.* or .* or an admin can cancel this\.$/);
    expect(said('again')).toMatch(/^Only .*Dana.* can ask for this again\. Write to me/);
    expect(said('again')).not.toContain('admin');
    expect(said('keep', ids.mia)).not.toContain('admin');
    expect(said('grant', ids.mia)).toContain('or an admin can revoke this');
  });
});

describe('The head above several calls', () => {
  const row = (index: number, part: Part): Part => {
    const call = aCall(index, { state: part.call.state });
    return {
      call,
      ...(part.approval ? { approval: { ...part.approval, call: call.id, id: `${index}` as never } } : {}),
    };
  };
  const head = (...names: string[]): string =>
    need(
      drawAll(render(threadOf(names.map((name, index) => row(index, need(cardStates[name])))), calm, context))
        .split('\n')
        .find(line => /did not run|done|given up/.test(line) && /\d/.test(line)),
    );

  it('has no ✅ where nothing was done', () => {
    expect(head('withdrawn', 'expired')).toContain('🚫 2 did not run');
    expect(head('done', 'expired')).toContain('✅ 1 of 2 done, 1 did not run');
    expect(head('given up', 'expired')).toContain('⚠️ 0 of 2 done, 1 given up, 1 did not run');
  });
});

describe('A tool that was ended while it waited from inside', () => {
  const leftOff = (code: string, effect: 'none' | 'possible' = 'possible'): Part =>
    request(call => ({ is: 'ended', ending: ending(call, { how: 'failed', code, effect, result: null }) }), approvedBy);

  it.each([
    ['read_only', 'after a rejection only reading is allowed in this run.'],
    ['denied', 'a rule does not allow it any more.'],
    ['requester_gone', 'somebody who asked for it is no longer a member of this organisation.'],
    ['asked_again', 'it asked again for what it had been told.'],
    ['too_deep', 'agents had called one another too deeply.'],
    ['cancelled', 'the run was over.'],
  ])('says why, on the card, in the thread and to the model: %s', (code, why) => {
    const drawn = shown(leftOff(code));
    expect(drawn).toContain(`While it waited it was ended: ${why}`);
    expect(drawn).toContain(`ended while it waited: ${why}`);
    expect(told(leftOff(code))).toContain(why);
    expect(shown(leftOff(code), chinese)).toContain('它在等待时被结束');
  });

  it('is no tool that failed by itself', () => {
    for (const code of ['exit_code', 'timed_out', 'whatever', 'other'])
      expect(shown(leftOff(code))).not.toContain('While it waited');
  });
});

const withdrawn = { is: 'withdrawn', by: null, instead: false, atMs: clock(14, 9) } as const;

describe('A run that is cancelled', () => {
  const over: Partial<Run> = {
    end: { how: 'cancelled', code: null, by: ids.dana, detail: null, atMs: clock(14, 4), number: 9 },
    cancelled: { by: ids.dana, name: 'Dana Ito', key: 'k', source: 'button' },
  };
  const drawn = (part: Part, where = context): string => drawAll(render(threadOf([part], over), calm, where));
  const stopped = (atMs: number): Part =>
    request(
      call => ({
        is: 'ended',
        ending: ending(call, { how: 'failed', code: 'aborted', effect: 'possible', endedAtMs: atMs }),
      }),
      approvedBy,
    );

  it('while a call ran says that it was stopped, not that it had already run, and by whom; no agent was told', () => {
    const during = drawn(stopped(clock(14, 5)));
    expect(during).toContain('was running: it was stopped, and part of it may have happened.');
    expect(during).toContain('<@U0DANA001> cancelled it.');
    expect(during).not.toMatch(/had already run|The agent was told/);
    const before = drawn(stopped(clock(14, 3)));
    expect(before).toContain('had already run');
    expect(before).toContain('The agent was told');
  });

  it('while a call ran to its end says that', () => {
    const done = request(call => ({ is: 'ended', ending: ending(call, { endedAtMs: clock(14, 5) }) }), approvedBy);
    expect(drawn(done)).toContain('was running: it ran to its end.');
  });

  it('with a doubt offers answers that say what they lead to then: nothing but the record', () => {
    const text = JSON.stringify(render(threadOf([need(cardStates['in doubt'])], over), calm, context));
    expect(text).toContain('That is put on record with your name.');
    expect(text).not.toMatch(/The agent goes on|The agent is told/);
  });

  it('with a doubt that was settled as not run names who said so', () => {
    const part = request(
      { is: 'closed' },
      { ...approvedBy, state: withdrawn },
      {
        attempts: 1,
        spent: [first],
        saidNotRun: [first],
        doubtEnds: [
          { execution: first, how: 'said', as: 'not_run', by: { id: ids.leo, name: 'Leo Park' }, atMs: clock(14, 9) },
        ],
      },
    );
    expect(drawn(part)).toContain('*Not run*: it did not run, says <@U0LEO0001> {14:09 UTC}');
  });
});
