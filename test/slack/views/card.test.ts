import { describe, expect, it } from 'vitest';
import type { ApprovalId, CallId, RunId } from '../../../src/thread/ids.ts';
import { render } from '../../../src/slack/views/render.ts';
import type { GrantId } from '../../../src/thread/ids.ts';
import {
  approvedBy,
  calm,
  cardStates,
  clock,
  context,
  ending,
  frozen,
  ids,
  miaAndLeo,
  need,
  openStates,
  request,
  threadOf,
} from './fixtures.ts';
import { drawAll } from './drawn.ts';

const drawnCards = (part: (typeof cardStates)[string], evidence = calm): string =>
  drawAll(render(threadOf([part]), evidence, context).filter(message => message.key.startsWith('card/')));

describe('A card in every state', () => {
  it.each(Object.entries(cardStates))('reads as in the reference: %s', (_, part) => {
    expect(drawnCards(part)).toMatchSnapshot();
  });

  it('offers while everything is frozen to look at what is longer than the card, not to approve it', () => {
    const long = request({ is: 'waiting' }, {}, { args: { note: 'x'.repeat(2_000) } });
    expect(drawnCards(long, frozen)).not.toContain('Review to approve');
    expect(drawnCards(long, frozen)).toContain('[Review primary]');
    expect(drawnCards(long, calm)).toContain('[Review to approve primary]');
  });

  it('says what was allowed beside as it was shown, its time in the reader’s own zone', () => {
    const allowing = (sentence: string): string => {
      const grant = {
        grant: 'G'.repeat(26) as GrantId,
        tool: 'k8s.scale',
        toolDigest: 'a',
        who: ids.dana,
        where: { channel: ids.ops, thread: null },
        untilMs: clock(15, 5),
        uses: 5,
        sentence,
        pattern: { namespace: 'staging' },
      };
      const part = request(call => ({ is: 'ended', ending: ending(call) }), approvedBy);
      const [first, ...others] = need(part.approval).votes;
      const votes = [{ ...need(first), grant }, ...others];
      return drawnCards({ ...part, approval: { ...need(part.approval), votes } });
    };
    expect(allowing('Until 15:05 UTC, at most 5 times.')).toContain('“Until {15:05 UTC}, at most 5 times.”');
    expect(allowing('At most 5 times.')).toContain('“At most 5 times.”');
  });

  it('says while everything is frozen that Reject works', () => {
    expect(drawnCards(request(), frozen)).toMatchSnapshot();
  });

  it('says that an approved call waits for the unfreeze', () => {
    expect(drawnCards(request({ is: 'approved' }, approvedBy), frozen)).toMatchSnapshot();
  });

  it('of a choice says who chose what, and how many must still choose the same way', () => {
    const ways = [
      { value: 'v41', label: 'v41 (yesterday)' },
      { value: 'v40', label: 'v40' },
    ];
    const part = (...options: readonly string[]) => {
      const votes = miaAndLeo.map((vote, index) => ({ ...vote, option: options[index] ?? null }));
      return request({ is: 'waiting' }, { options: ways, votes }, { options: ways });
    };
    const apart = drawnCards(part('v41', 'v40'));
    expect(apart).toMatch(/Chosen by .*U0MIA0001.*, .*U0LEO0001.* · 1 more must choose the same way/);
    expect(apart).toMatch(/U0MIA0001>: “v41 \(yesterday\)”/);
    expect(apart).toMatch(/U0LEO0001>: “v40”/);
    const thread = threadOf([part('v41', 'v40')]);
    const status = drawAll(render(thread, calm, context).filter(message => message.key.startsWith('status/')));
    expect(status).toContain('1 more must choose the same');
  });

  it('has no buttons once nobody can act on it [S-31]', () => {
    for (const [name, part] of Object.entries(cardStates)) {
      const cards = render(threadOf([part]), calm, context).filter(message => message.key.startsWith('card/'));
      const present = cards.at(0);
      const buttons = present?.content.blocks.filter(block => block.type === 'actions').length;
      expect([name, buttons]).toEqual([name, openStates.includes(name) ? 1 : 0]);
      expect(
        cards
          .slice(1)
          .flatMap(card => card.content.blocks)
          .some(block => block.type === 'actions'),
      ).toBe(false);
    }
  });

  it('says who asked and in which words also when it was asked for again', () => {
    const thread = threadOf([request({ is: 'closed' }, { state: { is: 'expired', atMs: 0 } })]);
    const [first, again] = [Object.values(thread.runs)[0], request({ is: 'waiting' }, {}, { run: 'r2' as RunId })];
    const earlier = Object.values(thread.calls)[0];
    if (!first || !earlier || !again.approval) throw new Error('There is no first request.');
    const [id, approval] = ['B'.repeat(26) as CallId, 'B'.repeat(26) as ApprovalId];
    thread.calls[earlier.id] = { ...earlier, repeatedBy: 'r2' as RunId };
    thread.calls[id] = { ...again.call, id, approval };
    thread.approvals[approval] = { ...again.approval, id: approval, call: id };
    const lists = { messages: [], calls: [id], turnCalls: [id], end: null };
    thread.runs['r2'] = { ...first, ...lists, id: 'r2' as RunId, repeats: id };
    thread.live.push('r2' as RunId);
    const drawn = drawAll(render(thread, calm, context).filter(message => message.key === `card/${approval}/1`));
    expect(drawn).toContain('halve it please');
  });

  it('keeps the kinds of its blocks in their order from state to state', () => {
    const kinds = (part: (typeof cardStates)[string]): string[] =>
      render(threadOf([part]), calm, context)
        .find(message => message.key.startsWith('card/'))
        ?.content.blocks.map(block => block.type) ?? [];
    const waiting = kinds(request());
    expect(waiting).toEqual([
      'header',
      'section',
      'section',
      'rich_text',
      'rich_text',
      'rich_text',
      'actions',
      'context',
    ]);
    for (const [name, part] of Object.entries(cardStates)) {
      let at = 0;
      for (const kind of kinds(part)) {
        at = waiting.indexOf(kind, at) + 1;
        expect([name, kind, at > 0]).toEqual([name, kind, true]);
      }
    }
  });
});
