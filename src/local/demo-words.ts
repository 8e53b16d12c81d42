/** Owns what the demo model says, in both languages. */
import type { Language } from './demo-grammar.ts';

/** One example of each sentence; the grammar understands every one. */
export const EXAMPLES: Record<Language, readonly string[]> = {
  en: [
    'run echo hello',
    'list notes',
    'read README.txt',
    'write "hi" to hello.txt',
    'delete notes/old.txt',
    'book a flight',
    'book a room',
    'plan a lunch',
    'roll back billing',
  ],
  zh: [
    '请执行命令 echo hello',
    '列出 notes',
    '读取 README.txt',
    '把 "hi" 写入 hello.txt',
    '删除 notes/old.txt',
    '订机票',
    '订会议室',
    '安排午餐',
    '回滚 billing',
  ],
};

/** Sentences for several agents; each is listed where it goes to an agent that is there. */
export const CONTRACT: Record<Language, string> = { en: 'write a contract with Acme', zh: '起草与 Acme 的合同' };
export const ASK_AGENT: Record<Language, (agent: string) => string> = {
  en: agent => `ask ${agent} to list notes`,
  zh: agent => `让 ${agent} 列出 notes`,
};

interface Words {
  readonly verbs: Record<string, string>;
  readonly askAgent: (agent: string) => string;
  readonly handOff: (agent: string) => string;
  readonly nothingChosen: (question: string, why: string) => string;
  readonly colon: string;
  readonly noOutput: string;
  readonly cut: (characters: number) => string;
  readonly didNotRun: (what: string, why: string) => string;
  readonly stop: string;
  readonly notOffered: (tools: string) => string;
  readonly unclear: (clause: string) => string;
  readonly intro: string;
  readonly joined: string;
  readonly other: string;
}

export const WORDS: Record<Language, Words> = {
  en: {
    verbs: {
      ask_user: 'Ask',
      ask_approvers: 'Ask the approvers',
      execute: 'Run',
      list_files: 'List',
      read_file: 'Read',
      write_file: 'Write',
      delete_file: 'Delete',
    },
    askAgent: agent => `Answer of ${agent}`,
    handOff: agent => `Handed to ${agent}`,
    nothingChosen: (question, why) => `${question} Nothing was chosen: ${why}`,
    colon: ': ',
    noOutput: 'done, no output',
    cut: characters => `… (+${characters} characters)`,
    didNotRun: (what, why) => `${what} did not run: ${why}`,
    stop: 'I stop here.',
    notOffered: tools => `I am not given the tool for that here (${tools}).`,
    unclear: clause => `I do not understand “${clause}”.`,
    intro: 'I am a demo of rules, not a language model. I understand:',
    joined:
      'Several in one message work too, joined by a comma or “and”; “run” and “ask … to” take the rest of the message.',
    other: '也懂中文：',
  },
  zh: {
    verbs: {
      ask_user: '提问',
      ask_approvers: '请审批人选择',
      execute: '运行',
      list_files: '列出',
      read_file: '读取',
      write_file: '写入',
      delete_file: '删除',
    },
    askAgent: agent => `${agent} 的答复`,
    handOff: agent => `已交给 ${agent}`,
    nothingChosen: (question, why) => `${question} 没有选定：${why}`,
    colon: '：',
    noOutput: '完成，没有输出',
    cut: characters => `…（还有 ${characters} 个字符）`,
    didNotRun: (what, why) => `${what} 没有执行：${why}`,
    stop: '到此为止。',
    notOffered: tools => `这里没有给我相应的工具（${tools}）。`,
    unclear: clause => `我不明白“${clause}”。`,
    intro: '我是按规则回答的演示，不是语言模型。我能听懂：',
    joined: '一条消息里可以有几句，用逗号、顿号或“和”连接；“运行”和“让 …”后面的内容全部算在内。',
    other: 'English works too: ',
  },
};
