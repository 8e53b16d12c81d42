import { describe, expect, it } from 'vitest';
import type { WorkspaceEvidence } from '../../../src/thread/evidence.ts';
import { shortId, type GrantId, type MessageTs } from '../../../src/thread/ids.ts';
import type { RunEnd, Thread } from '../../../src/thread/thread.ts';
import type { Message } from '../../../src/slack/message.ts';
import { cardKey } from '../../../src/slack/views/keys.ts';
import { render } from '../../../src/slack/views/render.ts';
import { draw, drawAll } from './drawn.ts';
import {
  aPost,
  aCall,
  anApproval,
  approvedBy,
  calm,
  cardStates,
  claimOf,
  clock,
  context,
  directThread,
  ending,
  frozen,
  ids,
  judgement,
  message,
  request,
  sre,
  terms,
  threadOf,
  type Part,
  need,
} from './fixtures.ts';

const only = (thread: Thread, key: string, workspace: WorkspaceEvidence = calm): Message | undefined =>
  render(thread, workspace, context).find(one => one.key === key);
const status = (thread: Thread, workspace: WorkspaceEvidence = calm): string => {
  const found = only(thread, 'status/r1', workspace);
  return found === undefined ? '(none)' : `\n${draw(found)}\n`;
};
const ended = (how: RunEnd['how'], code: string | null = null, detail: string | null = null): RunEnd => ({
  how,
  code,
  by: null,
  detail,
  atMs: clock(14, 20),
  number: 9,
});

const allowed = (index: number, summary: string, over = {}): Part => ({
  call: aCall(index, {
    tool: 'list_files',
    judgement: judgement({ verdict: 'allow', summary, effect: 'read' }),
    state: { is: 'allowed' },
    ...over,
  }),
});
const list = (): Part => {
  const blank = allowed(0, 'List notes/').call;
  return { call: { ...blank, state: { is: 'ended', ending: ending(blank, { effect: 'none' }) } } };
};
const asked = (index: number, summary: string, over = {}): Part => {
  const call = aCall(index, { judgement: judgement({ summary }) });
  return {
    call,
    approval: anApproval(call, {
      summary,
      expiresAtMs: clock(18, 2),
      terms: { ...terms, quorum: 1, ladder: [{ afterMs: 0, scopes: [sre] }] },
      ...over,
    }),
  };
};

describe('The status message of a run', () => {
  it.each(Object.entries(cardStates))('is one row for one call: %s', (_, part) => {
    expect(status(threadOf([part]))).toMatchSnapshot();
  });

  it('is a row per call for several', () => {
    const parts = [list(), asked(1, 'Delete notes/old.txt'), asked(2, 'Run echo hello')];
    expect(status(threadOf(parts))).toMatchSnapshot();
  });

  it('lets each call have its own outcome', () => {
    const rejected = asked(
      1,
      'Delete notes/old.txt',
      cardStates['rejected, replan']?.approval && {
        state: cardStates['rejected, replan'].approval.state,
      },
    );
    const closed: Part = { ...rejected, call: { ...rejected.call, state: { is: 'closed' } } };
    const expired = asked(2, 'Run echo hello', { state: { is: 'expired', atMs: clock(18, 2) } });
    const over: Part = { ...expired, call: { ...expired.call, state: { is: 'closed' } } };
    expect(status(threadOf([list(), closed, over]))).toMatchSnapshot();
  });

  it('does not exist while nothing needs people', () => {
    expect(status(threadOf([list()]))).toBe('(none)');
    expect(status(threadOf([allowed(0, 'List notes/')]))).toBe('(none)');
    expect(status(threadOf([]))).toBe('(none)');
    expect(status(threadOf([list()], { end: ended('succeeded'), answer: 'Here they are.' }))).toBe('(none)');
  });

  it('says of a call that a standing permission let through what it was, and that it was allowed for a while', () => {
    const given = judgement({ verdict: 'allow', summary: 'Run echo hello', grant: 'G'.repeat(26) as GrantId });
    const call = aCall(0, { judgement: given });
    const state = { is: 'ended', ending: ending(call, {}) } as const;
    expect(status(threadOf([{ call: { ...call, state } }]))).toMatch(/✅ .*Run echo hello · allowed for a while/);
  });

  it.each([
    ['denied', 'Nothing runs as root from Slack.'],
    ['no_approvers', null],
    ['quorum_impossible', null],
    ['too_many_open', null],
    ['rejected_before', null],
    ['lookup_failed', null],
  ])('says why a call was not put to people: %s', (code, detail) => {
    const call = aCall(0, { state: { is: 'refused', code, detail, atMs: clock(14, 3) } });
    expect(status(threadOf([{ call }]))).toMatchSnapshot();
  });

  it('says nothing of calls that the model got wrong and corrects by itself', () => {
    const call = aCall(0, { state: { is: 'refused', code: 'invalid_arguments', detail: 'x', atMs: clock(14, 3) } });
    expect(status(threadOf([{ call }]))).toBe('(none)');
  });

  it.each([
    ['cancelled before anything ran', [cardStates['withdrawn']], ended('cancelled')],
    ['cancelled after something had run', [cardStates['done']], ended('cancelled')],
    ['cancelled while something was running', [cardStates['running']], ended('cancelled')],
    ['out of steps', [], ended('exhausted', 'steps')],
    ['out of tokens', [], ended('exhausted', 'tokens')],
    ['out of time', [], ended('exhausted', 'wall')],
    ['the model did not answer', [], ended('failed', 'model_away')],
    ['the model would not answer', [], ended('failed', 'content_filter', 'held back')],
    ['the conversation is too long', [], ended('failed', 'context_too_long', '128000 tokens')],
    ['the answer is too long', [], ended('failed', 'reply_cut_off')],
    ['the key is wrong', [], ended('failed', 'model_auth', 'HTTP 401')],
    ['not a member', [], ended('failed', 'not_a_member')],
    ['an agent that answers others', [], ended('failed', 'agent_closed', 'SRE\nDBA')],
    ['an agent that is gone', [], ended('failed', 'agent_gone')],
    ['a fault', [], ended('failed', 'internal', 'stack overflow')],
    ['stopped by a rejection', [cardStates['rejected, stop']], ended('failed', 'stopped_by_rejection')],
    ['asked to change it', [cardStates['rejected, requester']], ended('failed', 'change_asked')],
  ] as const)('says how a run ended: %s', (_, parts, end) => {
    const thread = threadOf(
      parts.flatMap((part: Part | undefined) => part ?? []),
      { end, turn: 40 },
    );
    expect(status(thread)).toMatchSnapshot();
  });

  it('says that the model is away, with a way to cancel, and that it is back', () => {
    const thread = threadOf([], { away: { code: 'timeout', untilMs: clock(14, 20) } });
    const away = status(thread);
    thread.runs['r1'] = { ...need(thread.runs['r1']), away: null };
    thread.posts['status/r1'] = posted('status/r1');
    expect(away + status(thread)).toMatchSnapshot();
  });

  it('says that everything is frozen and the request is kept', () => {
    expect(status(threadOf([request()]), frozen)).toMatchSnapshot();
  });

  it('says that the card could not be posted, and that it keeps trying [S-19, S-36]', () => {
    const part = request();
    const thread = threadOf([part]);
    const key = `card/${part.approval?.id}/1`;
    thread.posts[key] = { ...posted(key), state: 'failed', ts: null, code: 'not_in_channel' };
    expect(status(thread)).toMatchSnapshot();
  });

  it('offers Ask again until somebody has asked again [F-J8]', () => {
    const part = need(cardStates['expired']);
    const again = { ...part, call: { ...part.call, repeatedBy: ids.run } };
    expect(status(threadOf([part]))).toContain('[Ask again]');
    expect(status(threadOf([again]))).not.toContain('[Ask again]');
  });

  it('rings whoever asked when a first message tells of a failure', () => {
    const found = only(threadOf([], { end: ended('failed', 'model_away') }), 'status/r1');
    expect(JSON.stringify(found?.first)).toContain('"user_id":"U0DANA001"');
    expect(JSON.stringify(found?.content)).not.toContain('"user_id":"U0DANA001"');
  });
});

const posted = (key: string) => aPost(key, { channel: ids.ops });

describe('Messages while a request waits', () => {
  const later = '1796045000.000200' as MessageTs;
  const third = '1796045001.000300' as MessageTs;
  const withMessages = (over: Parameters<typeof message>[0] = {}, part = request()): Thread => {
    const approval = { ...need(part.approval), meanwhile: [later, third], round: 3 };
    const thread = threadOf([{ ...part, approval }]);
    thread.messages[later] = message({
      ts: later,
      text: 'sorry, I meant staging',
      atMs: clock(14, 4),
      run: null,
      meanwhile: ids.run,
      ...over,
    });
    thread.messages[third] = message({
      ts: third,
      text: 'and 3 replicas',
      atMs: clock(14, 5),
      run: null,
      meanwhile: ids.run,
    });
    thread.queue = [later, third];
    return thread;
  };

  it('are acknowledged, the first with a choice, later ones with eyes, and stand on the card', () => {
    expect(drawAll(render(withMessages(), calm, context))).toMatchSnapshot();
  });

  it('keep their places when one that was written earlier comes later', () => {
    const late = '1796044999.500000' as MessageTs;
    const thread = withMessages();
    for (const approval of Object.values(thread.approvals)) approval.meanwhile.push(late);
    thread.messages[late] = message({ ts: late, run: null, meanwhile: ids.run });
    const keys = render(thread, calm, context).map(one => one.key);
    expect(keys.filter(key => /^(have|eyes)/.test(key))).toEqual([`have/${later}`, `eyes/${third}`, `eyes/${late}`]);
  });

  it.each([
    ['kept', withMessages({ kept: true })],
    ['taken in by the next run', withMessages({ run: 'r2' as typeof ids.run })],
    [
      'no longer waiting',
      withMessages(
        {},
        request(call => ({ is: 'claimed', claim: claimOf(call) }), approvedBy),
      ),
    ],
  ])('lose their buttons once %s', (_, thread) => {
    const have = only(thread, `have/${later}`);
    expect(have?.content.blocks.map(block => block.type)).toEqual(['section']);
  });

  it('get eyes when no request waits', () => {
    const thread = threadOf([list()]);
    thread.messages[later] = message({ ts: later, run: null });
    thread.queue = [later];
    expect(render(thread, calm, context).map(one => one.key)).toEqual([`eyes/${later}`]);
  });
});

describe('What leaves a private place', () => {
  it('is announced once in a thread of direct messages', () => {
    const thread = threadOf([request(), asked(1, 'Run echo hello')], {}, directThread);
    const lines = render(thread, calm, context).filter(one => one.key === 'privacy');
    expect(drawAll(lines)).toMatchSnapshot();
  });

  it('is announced in private channels, and not where the card stays', () => {
    const keys = (over: Partial<typeof context>): string[] =>
      render(threadOf([request()]), calm, { ...context, ...over }).map(one => one.key);
    expect(keys({ isPrivate: () => true })).toContain('privacy');
    expect(keys({ isPrivate: () => false })).not.toContain('privacy');
    expect(keys({ isPrivate: () => true, approvals: null })).not.toContain('privacy');
  });

  it('stays in the thread when there is no approvers’ channel', () => {
    const card = render(threadOf([request()]), calm, { ...context, approvals: null })[0];
    expect(card?.place).toEqual({ channel: ids.ops, threadTs: ids.root });
  });
});

describe('A doubt', () => {
  const doubt = (part: Part): string =>
    drawAll(render(threadOf([part]), calm, context).filter(one => one.key.startsWith('doubt')));

  it('rings those who approved, under the card, and whoever asked, in the thread', () => {
    expect(doubt(need(cardStates['in doubt']))).toMatchSnapshot();
  });

  it('about an allowed call gets a card of its own', () => {
    const blank = allowed(0, 'Write hello.txt (2 characters, new)').call;
    const call = {
      ...blank,
      attempts: 1,
      state: { is: 'in_doubt' as const, claim: claimOf(blank), sinceMs: clock(14, 7), lastSign: null },
    };
    expect(doubt({ call })).toMatchSnapshot();
  });

  it('that is settled is said to be, and its own card loses the buttons [S-31]', () => {
    const blank = allowed(0, 'Write hello.txt (2 characters, new)').call;
    const claim = claimOf(blank);
    const settledCall = {
      ...blank,
      attempts: 1,
      spent: [claim.execution],
      state: { is: 'settled' as const, as: 'ran' as const, by: ids.mia, name: 'Mia Chen', atMs: clock(14, 9), claim },
    };
    const thread = threadOf([{ call: settledCall }]);
    thread.posts[`doubt-thread/${claim.execution}`] = posted(`doubt-thread/${claim.execution}`);
    expect(drawAll(render(thread, calm, context).filter(one => one.key.startsWith('doubt')))).toMatchSnapshot();
  });

  it('of a run that is over offers no way to run anything again', () => {
    const end = ended('cancelled');
    const card = need(render(threadOf([need(cardStates['in doubt'])], { end }), calm, context)[0]);
    expect(draw(card)).toContain('[It ran confirm] [It did not run confirm] [Give it up danger confirm]');
    expect(draw(card)).toContain('The run is over, so nothing runs again.');
  });

  it('of a call that its card does not show whole offers to ask again, not to run it now [F-H3]', () => {
    const part = need(cardStates['in doubt']);
    const approval = { ...need(part.approval), terms: { ...need(part.approval).terms, quorum: 1 } };
    for (const [room, offered] of [
      ['card', '[It did not run: run it now confirm]'],
      ['form', '[It did not run: ask again confirm]'],
      ['file', '[It did not run: ask again confirm]'],
    ] as const) {
      const one = { ...part, approval: { ...approval, room } };
      expect(draw(need(render(threadOf([one]), calm, context)[0]))).toContain(offered);
    }
  });

  it('of an earlier attempt is closed when people said that it did not run', () => {
    const part = need(cardStates['in doubt']);
    const claim = claimOf(part.call);
    const again: Part = {
      approval: anApproval(part.call),
      call: {
        ...part.call,
        state: { is: 'waiting' },
        spent: [claim.execution],
        saidNotRun: [claim.execution],
        attempts: 1,
      },
    };
    const thread = threadOf([again]);
    thread.posts[`doubt-thread/${claim.execution}`] = posted(`doubt-thread/${claim.execution}`);
    expect(drawAll(render(thread, calm, context).filter(one => one.key.startsWith('doubt')))).toMatchSnapshot();
  });
});

describe('The budget of messages', () => {
  const blank = allowed(7, 'List notes/').call;
  const extra: Part = { call: { ...blank, state: { is: 'ended', ending: ending(blank, { effect: 'none' }) } } };

  it('holds in every state: one status, one answer, one card per card number, each key once [F-H10]', () => {
    for (const part of Object.values(cardStates)) {
      const messages = render(threadOf([part, extra], { answer: 'Done.', end: ended('succeeded') }), calm, context);
      const keys = messages.map(one => one.key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.filter(key => key.startsWith('status/')).length).toBe(1);
      expect(keys.filter(key => key.startsWith('answer/')).length).toBe(1);
      expect(keys.filter(key => key.startsWith('card/')).length).toBe(part.approval?.card ?? 1);
    }
  });

  it('renders only live runs', () => {
    const thread = threadOf([request()]);
    thread.live = [];
    thread.current = null;
    expect(render(thread, calm, context)).toEqual([]);
  });

  it('is the same for the same thread', () => {
    const thread = threadOf([need(cardStates['in doubt']), asked(1, 'Run echo hello')]);
    expect(render(thread, frozen, context)).toEqual(render(structuredClone(thread), frozen, context));
  });
});

describe('A choice that the agent puts to those who may decide', () => {
  const outer = aCall(0, {
    tool: 'ask_approvers',
    judgement: judgement({ verdict: 'allow', summary: 'Choose: “which version?”', effect: 'read' }),
    state: { is: 'allowed' },
  });
  const inner = asked(1, 'Choose: “which version?”');
  const within = { call: outer.id, name: 'choice' };
  const thread = threadOf([{ call: outer }, { ...inner, call: { ...inner.call, within } }]);

  it('is one row, with who decides, not two of which one is done', () => {
    expect(status(thread)).toContain('⏳ Waiting for approval: Choose');
    expect(status(thread)).not.toMatch(/of 2 done/);
  });

  it('is two rows where the tool around it changes something by itself', () => {
    const effect = judgement({ verdict: 'allow', summary: 'Roll out', effect: 'write' });
    const both = threadOf([{ call: { ...outer, judgement: effect } }, { ...inner, call: { ...inner.call, within } }]);
    expect(status(both)).toContain('Roll out');
  });

  it('names the request that it is part of below its buttons, unless that says the same', () => {
    const { approval } = asked(2, 'Roll billing out');
    const around = { ...outer, approval: need(approval).id, judgement: judgement({ summary: 'Roll billing out' }) };
    const step = { ...inner, call: { ...inner.call, within } };
    const small = (of: Thread): string => JSON.stringify(only(of, cardKey(need(inner.approval), 1)));
    expect(small(thread)).not.toContain('Part of');
    const inside = threadOf([{ call: around, approval: { ...need(approval), call: outer.id } }, step]);
    expect(small(inside)).toContain(`Part of ${shortId(need(approval).id)}: “Roll billing out”`);
  });
});
