import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/slack/message.ts';
import { render } from '../../../src/slack/views/render.ts';
import { draw } from './drawn.ts';
import { liveOf, refusedOfMessage, textsOf } from './limits.ts';
import { calm, context, ids, threadOf, need } from './fixtures.ts';

const answer = (text: string, over = {}): Message =>
  need(render(threadOf([], { answer: text, ...over }), calm, context).find(one => one.key === 'answer/r1'));

const markdown = `# Billing

It has **2 replicas** now, *as asked*; \`kubectl get\` says so.
Second line.

1. night
2. day
   - nested ~~old~~

> quoted

\`\`\`sh
kubectl scale --replicas=2
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

See [the page](https://evil.example/x) or ![img](https://evil.example/i.png) <https://evil.example|here> <!channel> <@U666> @everyone.`;

describe('The answer', () => {
  it('keeps the form of markdown and makes nothing of it live [S-29]', () => {
    expect(draw(answer(markdown))).toMatchSnapshot();
    const live = liveOf(answer(markdown).content.blocks);
    expect(live).toEqual([{ type: 'user', user_id: ids.dana }]);
  });

  it('is a new message that rings whoever asked, first of all', () => {
    const { content, rank, place } = answer('Done.');
    expect(content.text).toBe('<@U0DANA001> Done.');
    expect([rank, place]).toEqual(['final', { channel: ids.ops, threadTs: ids.root }]);
    const first = content.blocks[0];
    expect(first?.type === 'rich_text' && first.elements[0]?.elements[0]).toEqual({ type: 'user', user_id: ids.dana });
  });

  it('says how much did not fit', () => {
    const long = answer('word '.repeat(5000));
    expect(refusedOfMessage(long)).toEqual([]);
    expect(textsOf(long.content.blocks).at(-1)?.text).toMatch(
      /^\n?… [\d,]+ more characters did not fit here\. Ask me for the rest\.$/,
    );
  });

  it('with nothing in it still says something', () => {
    expect(draw(answer('  \n'))).toContain('I have nothing to add.');
  });

  it('is absent when the run ended otherwise', () => {
    const thread = threadOf([], {
      answer: 'half',
      end: { how: 'failed', code: 'internal', by: null, detail: null, atMs: 0, number: 3 },
    });
    expect(render(thread, calm, context).map(one => one.key)).toEqual(['status/r1']);
  });

  it.each(['```', '```\n', '- ', '> ', '|', '**', '# ', '1. \n\n2. ', '_', '[](', '[a](b'])(
    'of odd markdown is still a message: %j',
    odd => expect(refusedOfMessage(answer(odd))).toEqual([]),
  );
});
