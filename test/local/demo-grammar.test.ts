import { describe, expect, test } from 'vitest';
import { languageOf, ownWords, understand } from '../../src/local/demo-grammar.ts';
import { EXAMPLES } from '../../src/local/demo-words.ts';

const execute = (...argv: string[]) => ({ tool: 'execute', args: { argv } });
const list = (path: string) => ({ tool: 'list_files', args: { path } });
const read = (path: string) => ({ tool: 'read_file', args: { path } });
const remove = (path: string) => ({ tool: 'delete_file', args: { path } });
const write = (content: string, path: string) => ({ tool: 'write_file', args: { path, content } });

describe('the demo grammar', () => {
  test.each([
    ['run echo hello', execute('echo', 'hello')],
    ['Execute ls -la "my notes"', execute('ls', '-la', 'my notes')],
    ['请执行命令 echo hello', execute('echo', 'hello')],
    ['请执行命令：echo hello', execute('echo', 'hello')],
    ['执行命令 echo hello', execute('echo', 'hello')],
    ['运行echo 你好', execute('echo', '你好')],
    ['list notes', list('notes')],
    ['list .', list('.')],
    ['please list notes.', list('notes')],
    ['列出 notes', list('notes')],
    ['读取 README.txt。', read('README.txt')],
    ['read notes/today.txt', read('notes/today.txt')],
    ['show README.txt', read('README.txt')],
    ['read "salt and pepper.txt"', read('salt and pepper.txt')],
    ['read `notes/today.txt`', read('notes/today.txt')],
    ['write "hi" to hello.txt', write('hi', 'hello.txt')],
    ['write “hi” to hello.txt', write('hi', 'hello.txt')],
    ['write "" to empty.txt', write('', 'empty.txt')],
    ['write "say \\"hi\\"\nand go, 和" to hello.txt', write('say "hi"\nand go, 和', 'hello.txt')],
    ['把 "hi" 写入 hello.txt', write('hi', 'hello.txt')],
    ['把“你好”写入hello.txt', write('你好', 'hello.txt')],
    ['delete notes/old.txt', remove('notes/old.txt')],
    ['请删除 notes/old.txt', remove('notes/old.txt')],
    ["delete Mike's.txt", remove("Mike's.txt")],
  ])('understands %j', (words, call) => {
    expect(understand(words)).toEqual({ calls: [call] });
  });

  test.each([
    [
      'ask researcher to list notes and delete a.txt',
      { tool: 'ask_researcher', args: { task: 'list notes and delete a.txt' } },
    ],
    ['让 researcher 列出 notes，读取 a.txt', { tool: 'ask_researcher', args: { task: '列出 notes，读取 a.txt' } }],
    ['hand "Draft, one" to Writer', { tool: 'hand_off_to_writer', args: { draft: 'Draft, one' } }],
    ['把“草稿”交给 writer', { tool: 'hand_off_to_writer', args: { draft: '草稿' } }],
    ['book a flight', { tool: 'ask_user', args: { question: 'From which city do you fly?', kind: 'text' } }],
    ['订机票。', { tool: 'ask_user', args: { question: '从哪个城市出发？', kind: 'text' } }],
  ])('understands %j, which goes to people or agents', (words, call) => {
    expect(understand(words)).toEqual({ calls: [call] });
  });

  test('asks for every kind of answer: text, number, yes or no, one option or other words, several, and one of deciders', () => {
    const sentences = ['book a flight', 'book a room', 'plan a lunch', 'roll back billing'];
    const asked = sentences.map(understand).flatMap(one => ('calls' in one ? one.calls : []));
    expect(asked.map(({ tool, args }) => [tool, 'kind' in args ? args.kind : null])).toEqual([
      ['ask_user', 'text'],
      ['ask_user', 'choice'],
      ['ask_user', 'number'],
      ['ask_user', 'yes_no'],
      ['ask_user', 'choices'],
      ['ask_approvers', null],
    ]);
  });

  test.each([
    [
      'list notes, delete notes/old.txt and write "hi, you and me" to hello.txt',
      [list('notes'), remove('notes/old.txt'), write('hi, you and me', 'hello.txt')],
    ],
    ['list notes, read README.txt, and delete a.txt', [list('notes'), read('README.txt'), remove('a.txt')]],
    [
      '列出 notes，读取 README.txt、删除 a.txt和把“你，好”写入 b.txt',
      [list('notes'), read('README.txt'), remove('a.txt'), write('你，好', 'b.txt')],
    ],
    ['列出 notes 和 运行 echo 1，2、3 和 4', [list('notes'), execute('echo', '1，2、3', '和', '4')]],
    ['list notes\nread README.txt', [list('notes'), read('README.txt')]],
  ])('takes each clause of %j as a call', (words, calls) => {
    expect(understand(words)).toEqual({ calls });
  });

  test('gives run the whole rest of the message, separators and all', () => {
    const words = 'read a.txt and run sh -c "date, and again" one, two and delete three';
    expect(understand(words)).toEqual({
      calls: [read('a.txt'), execute('sh', '-c', 'date, and again', 'one,', 'two', 'and', 'delete', 'three')],
    });
  });

  test.each([
    ['hello', 'hello'],
    ['', ''],
    ['run', 'run'],
    ['list', 'list'],
    ['write hi to hello.txt', 'write hi to hello.txt'],
    ['write "hi" hello.txt', 'write "hi" hello.txt'],
    ['list notes and dance', 'dance'],
    ['I would never run echo hello', 'I would never run echo hello'],
    ['read "a" b', 'read "a" b'],
    ['delete "unclosed and dance', 'dance'],
  ])('says what of %j it does not understand, and does nothing', (words, unclear) => {
    expect(understand(words)).toEqual({ unclear });
  });

  test('understands each of the sentences that it lists', () => {
    for (const example of [...EXAMPLES.en, ...EXAMPLES.zh]) expect(understand(example)).toHaveProperty('calls');
  });

  test.each([
    'run echo hello',
    '<@U0BOT0001> run echo hello',
    '<@U0BOT0001|Countersign>: run echo hello ',
    '@Countersign run echo hello',
    'From Dana Ito (U0DANA001):\nrun echo hello',
    'From the agent that gave you this task:\nrun echo hello',
    'From Dana Ito (U0DANA001):\n<@U0BOT0001>  run echo hello',
    'From Dana Ito (U0DANA001):\nrun echo hello\n\n> <@U0LEO0001>:\n> list notes, delete README.txt',
  ])('does not mind who is said to have written %j, nor the mention', content => {
    expect(ownWords(content)).toBe('run echo hello');
  });

  test('goes by the sentence for the language, not by what stands in it', () => {
    expect(languageOf('write "你好" to hello.txt')).toBe('en');
    expect(languageOf('你好')).toBe('zh');
    expect(languageOf('hello')).toBe('en');
  });
});
