import { describe, expect, it } from 'vitest';
import { render } from '../../../src/slack/views/render.ts';
import { fileText } from '../../../src/slack/views/file.ts';
import { opened } from '../../../src/slack/views/scene.ts';
import { everythingForm, reviewForm } from '../../../src/slack/views/forms.ts';
import { draw, drawView } from './drawn.ts';
import { refusedOfForm } from './limits.ts';
import { aPost, calm, cardStates, clock, context, need, request, threadOf } from './fixtures.ts';

describe('Replies under a card', () => {
  const part = need(cardStates['reminded and escalated']);
  const replies = (thread = threadOf([part])) =>
    render(thread, calm, context).filter(({ key }) => /^(?:remind|escalate)\//.test(key));

  it('remind whom the rule notifies, and tell those who may decide too [F-J6, S-91]', () => {
    expect(`\n${replies().map(draw).join('\n\n')}\n`).toMatchSnapshot();
  });

  it('read the same whoever renders next and whatever becomes of the request, so that each is posted once [F-J6]', () => {
    const first = replies();
    for (const state of ['reminded and escalated', 'expired after reminders']) {
      const thread = threadOf([need(cardStates[state])]);
      for (const { key } of first) thread.posts[key] = aPost(key);
      expect(replies(thread)).toEqual(first);
    }
  });

  it('are not posted any more once the request is over', () => {
    expect(replies(threadOf([need(cardStates['expired after reminders'])]))).toEqual([]);
  });

  it('ring nobody where the rule notifies nobody [S-91]', () => {
    const silent = need(part.approval);
    const thread = threadOf([{ ...part, approval: { ...silent, terms: { ...silent.terms, notify: null } } }]);
    const reminder = replies(thread).find(({ key }) => key.startsWith('remind/'));
    expect(draw(need(reminder))).not.toContain('subteam');
  });
});

describe('A request that only a file holds', () => {
  const args = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`key${n}`, `${n} ${'x'.repeat(900)}`]));
  const part = request({ is: 'waiting' }, { room: 'file' }, { tool: 'write_many', args });
  const approval = need(part.approval);

  it('has every argument in the file, and no Approve before it stands [T-A2b, F-H3, S-22]', () => {
    const thread = threadOf([part]);
    const messages = render(thread, calm, context);
    const file = need(messages.find(({ key }) => key.startsWith('file/')));
    for (const [key, value] of Object.entries(args))
      expect(file.file?.text).toContain(`${key}`.padEnd(6) + `  ${value}`);
    const card = (): string => draw(need(render(thread, calm, context)[0]));
    expect(card()).not.toMatch(/\[Approve|Review to approve/);
    const before = need(reviewForm(thread, approval, context));
    expect(before.submit).toBeUndefined();
    thread.posts[file.key] = { ...aPost(file.key), state: 'found' };
    expect(card()).toContain('[Review to approve primary]');
    const after = need(reviewForm(thread, approval, context));
    expect(after.submit?.text).toBe('Approve');
    expect(drawView(after)).toContain('Everything that would run stands in the file under the card');
    expect([...refusedOfForm(before), ...refusedOfForm(after)]).toEqual([]);
    expect(fileText(opened(thread, approval, context))).toBe(file.file?.text);
  });

  it('gets another file when it was edited, since the first says something else', () => {
    const key = (callDigest: string): string | undefined =>
      render(threadOf([{ ...part, approval: { ...approval, callDigest: callDigest as never } }]), calm, context).find(
        message => message.key.startsWith('file/'),
      )?.key;
    expect(key('a'.repeat(64))).not.toBe(key('b'.repeat(64)));
  });
});

describe('Show everything', () => {
  it('is the review form to read, with nothing to send', () => {
    const part = need(cardStates['everything on offer']);
    const view = need(everythingForm(threadOf([part]), need(part.approval), context));
    expect(view.submit).toBeUndefined();
    expect(drawView(view)).toContain('replicas    2');
    expect(refusedOfForm(view)).toEqual([]);
  });

  it('has a field for the way where the request offers several', () => {
    const part = need(cardStates['many ways']);
    const view = need(reviewForm(threadOf([part]), need(part.approval), context));
    expect(drawView(view)).toContain('version 29');
    expect(refusedOfForm(view)).toEqual([]);
  });
});

describe('A rejection that asks for a change', () => {
  it('is a new message that rings whoever asked', () => {
    const thread = threadOf([need(cardStates['rejected, requester'])], {
      end: { how: 'failed', code: 'change_asked', by: null, detail: null, atMs: clock(14, 4), number: 9 },
    });
    const messages = render(thread, calm, context);
    expect(draw(need(messages.find(({ key }) => key.startsWith('change/'))))).toMatchSnapshot();
    expect(draw(need(messages.find(({ key }) => key.startsWith('status/'))))).not.toMatch(/-- first[^]*<@U0DANA001>/);
  });
});
