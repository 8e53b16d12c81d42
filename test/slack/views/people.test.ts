import { describe, expect, it } from 'vitest';
import { liveOf, textsOf } from './limits.ts';
import {
  calm,
  cardStates,
  context,
  frozenBy,
  ids,
  message,
  miaAndLeo,
  need,
  request,
  threadOf,
  type Part,
} from './fixtures.ts';
import { render } from '../../../src/slack/views/render.ts';
import { roomOf } from '../../../src/slack/views/room.ts';

/** A profile that says it is somebody else, in every place where a name is kept. */
const FORGED = 'Ωmia';
const named = (part: Part): Part => {
  const { approval } = part;
  if (!approval) return part;
  const { state } = approval;
  return {
    ...part,
    approval: {
      ...approval,
      votes: approval.votes.map(vote => ({ ...vote, name: FORGED })),
      closedCards: approval.closedCards.map(card => ({
        ...card,
        votes: card.votes.map(vote => ({ ...vote, name: FORGED })),
      })),
      state: state.is === 'rejected' ? { ...state, name: FORGED } : state,
    },
  };
};

describe('People on a message', () => {
  it('are mentions by id on every card and status that stands; the name of a profile is only in the push line and in first postings, where a mention would ring [T-A4d]', () => {
    let [mentions, names] = [0, 0];
    for (const part of Object.values(cardStates).map(named)) {
      const thread = threadOf([part]);
      thread.messages[ids.root] = message({ name: FORGED });
      for (const { content, first } of render(thread, { version: 1, frozen: { ...frozenBy, name: FORGED } }, context)) {
        const texts = textsOf(content.blocks);
        names += [content.text, ...textsOf([first])].filter(found => JSON.stringify(found).includes(FORGED)).length;
        expect(texts.filter(found => found.kind !== 'plain' && found.text.includes(FORGED))).toEqual([]);
        mentions += liveOf(content.blocks).filter(each => each['type'] === 'user').length;
        mentions += texts.flatMap(found => found.text.match(/<@U0[A-Z0-9]{7}>/g) ?? []).length;
      }
    }
    expect(mentions).toBeGreaterThan(Object.keys(cardStates).length);
    expect(names).toBeGreaterThan(0);
  });

  it('who decide are named on the card with their number, by the words of the policy, and never as a mention of theirs [F-D10]', () => {
    const part = request();
    const approval = need(part.approval);
    expect(roomOf({ ...approval, tool: part.call.tool, args: part.call.args }, context)).toBe('card');
    const card = need(render(threadOf([part]), calm, context).find(each => each.key.startsWith('card/')));
    const said = textsOf(card.content.blocks)
      .map(found => found.text)
      .join('\n');
    expect(said).toContain('needs 2 of SRE or Leads (7 people)');
    expect(said).not.toContain('<!subteam^S0LEADS01>');
    expect(miaAndLeo.some(vote => said.includes(vote.by))).toBe(false);
  });
});
