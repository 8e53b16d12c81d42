import { describe, expect, test } from 'vitest';
import { demoAnswer, type DemoAnswer } from '../../src/local/demo-answer.ts';
import type { DemoMessage } from '../../src/local/demo-message.ts';

const say = (content: string): DemoMessage => ({ role: 'user', content, toolCallId: null, calls: [] });
const wish = say('From Dana Ito (U0DANA001):\n<@U0BOT0001> write a contract with Acme');
const task = (text: string): DemoMessage => say(`From the agent that gave you this task:\n${text}`);

/** One agent's conversation: what it is given, what it may call, and what its calls are answered. */
function play(first: DemoMessage, offered: readonly string[]) {
  const messages = [first];
  let count = 0;
  const next = (): DemoAnswer => demoAnswer(messages, new Set(offered));
  const called = () => {
    const answer = next();
    if (!('calls' in answer)) throw new Error(`No call, but: ${answer.text}`);
    return answer.calls;
  };
  const resultIs = (content: string): void => {
    const [call] = called();
    const id = `c${(count += 1)}`;
    const args = JSON.stringify(call?.args);
    messages.push({ role: 'assistant', content: '', toolCallId: null, calls: [{ id, name: call?.tool ?? '', args }] });
    messages.push({ role: 'tool', content, toolCallId: id, calls: [] });
  };
  return { next, called, resultIs };
}

const textIn = (calls: readonly { readonly args: object }[]): string => {
  const [text] = calls.map(({ args }) => ('draft' in args ? args.draft : 'task' in args ? args.task : undefined));
  if (typeof text !== 'string') throw new Error('This call hands nothing on.');
  return text;
};

describe('the story of the contract', () => {
  test('goes from planner to researcher to writer, each by what it is offered, and comes back as words', () => {
    const planner = play(wish, ['list_files', 'hand_off_to_researcher']);
    expect(planner.called()).toMatchObject([{ tool: 'hand_off_to_researcher' }]);

    const researcher = play(task(textIn(planner.called())), ['list_files', 'hand_off_to_writer']);
    expect(researcher.called()).toEqual([{ tool: 'list_files', args: { path: 'notes' } }]);
    researcher.resultIs('old.txt (3 bytes)\ntoday.txt (4 bytes)');
    expect(researcher.called()).toMatchObject([{ tool: 'hand_off_to_writer' }]);
    const draft = textIn(researcher.called());
    expect(draft).toMatch(/^Contract with Acme \(draft\)\n1\. /);
    expect(draft).toContain('old.txt (3 bytes), today.txt (4 bytes)');

    const writer = play(task(draft), ['write_file']);
    expect(writer.called()).toMatchObject([{ tool: 'write_file', args: { path: 'contract-acme.txt' } }]);
    writer.resultIs('Wrote contract-acme.txt (200 characters).');
    expect(writer.next()).toEqual({ text: 'Write contract-acme.txt: Wrote contract-acme.txt (200 characters).' });
    researcher.resultIs('Noor Aziz accepted the draft.\nDone.');
    expect(researcher.next()).toEqual({ text: 'Handed to writer: Noor Aziz accepted the draft. / Done.' });
    planner.resultIs('Done.');
    expect(planner.next()).toEqual({ text: 'Handed to researcher: Done.' });
  });

  test('is the same where the planner asks the researcher and hands over by itself', () => {
    const planner = play(wish, ['ask_researcher', 'hand_off_to_writer']);
    expect(planner.called()).toMatchObject([{ tool: 'ask_researcher' }]);
    const found = play(task(textIn(planner.called())), []).next();
    if (!('text' in found)) throw new Error('The researcher did not answer.');
    planner.resultIs(found.text);
    expect(planner.called()).toEqual([{ tool: 'hand_off_to_writer', args: { draft: found.text } }]);
    expect(play(task(found.text), []).next()).toEqual({ text: expect.stringMatching(/^Contract with Acme\n\n1\. /) });
  });

  test('changes a draft as the expert asks and hands it over again, but not for ever', () => {
    const researcher = play(task('Plan: a contract with Acme.\nLook.'), ['hand_off_to_writer']);
    const first = textIn(researcher.called());
    const returned =
      'The draft was not handed over: Noor Aziz returned it, and says what to change: “clause 4” You may …';
    researcher.resultIs(returned);
    expect(textIn(researcher.called())).toBe(`${first}\nChanged as asked: clause 4`);
    researcher.resultIs(returned);
    researcher.resultIs(returned);
    researcher.resultIs(returned);
    expect(researcher.next()).toEqual({
      text: expect.stringMatching(/^Handed to writer: The draft was not handed over/),
    });
  });

  test('stops where a call did not run [T-A20b]', () => {
    const planner = play(wish, ['ask_researcher', 'hand_off_to_writer']);
    planner.resultIs('did not run: rejected by a person: "no"');
    expect(planner.next()).toEqual({ text: expect.stringContaining('did not run: rejected by a person') });
  });

  test('goes on with what the expert made of the draft, also when it is another text altogether', () => {
    const changed = 'Contract\nAll is different.';
    expect(play(task(changed), ['write_file']).called()).toEqual([
      { tool: 'write_file', args: { path: 'draft.txt', content: changed } },
    ]);
    expect(play(say(`From Dana Ito (U0DANA001):\n${changed}`), ['write_file']).next()).toHaveProperty('text');
  });

  test('says that there is nobody to hand it to, where there is nobody', () => {
    expect(play(wish, ['write_file']).next()).toEqual({
      text: 'I am not given the tool for that here (hand_off_to_researcher).',
    });
  });

  test('is told in Chinese where it was begun in Chinese', () => {
    const planner = play(say('From Dana (U0DANA001):\n起草与 Acme 的合同'), ['hand_off_to_writer']);
    const plan = textIn(planner.called());
    expect(plan).toMatch(/^计划：与 Acme 的合同。/);
    const researcher = play(task(plan), ['hand_off_to_writer']);
    const draft = textIn(researcher.called());
    expect(play(task(draft), ['write_file']).called()).toMatchObject([
      { args: { path: 'contract-acme.txt', content: expect.stringMatching(/^与 Acme 的合同\n/) } },
    ]);
    researcher.resultIs('稿件没有移交：Noor Aziz 退回了它，并指出要改什么：“第 4 条”可以修改后再次移交。');
    expect(textIn(researcher.called())).toContain('按要求修改：第 4 条');
  });
});

test('the sentences for other agents are listed where there are other agents', () => {
  const help = (...offered: string[]) => {
    const answer = demoAnswer([say('hello')], new Set(offered));
    return 'text' in answer ? answer.text : '';
  };
  expect(help('ask_user', 'ask_approvers')).not.toMatch(/contract|ask .* to list/);
  expect(help('ask_user', 'hand_off_to_writer')).toContain('• write a contract with Acme');
  expect(help('ask_user', 'ask_researcher')).toContain('• ask researcher to list notes');
});
