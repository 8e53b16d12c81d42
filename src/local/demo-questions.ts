/** Owns the sentences at which the demo model asks people something back, and what it asks then. Pure. */

export type Language = 'en' | 'zh';

interface Option {
  readonly label: string;
  readonly value?: string;
}

/** A question to the person, or a choice for those who may decide. */
export interface DemoQuestion {
  readonly question: string;
  readonly kind?: 'text' | 'number' | 'yes_no' | 'choice' | 'choices';
  readonly options?: readonly Option[];
  readonly other?: boolean;
}

type AskingCall =
  | { readonly tool: 'ask_user'; readonly args: DemoQuestion }
  | { readonly tool: 'ask_approvers'; readonly args: DemoQuestion };

/** A sentence with what it asks; its first group, where it has one, is what it is about. */
interface Sentence {
  readonly sentence: RegExp;
  readonly calls: (about: string) => readonly AskingCall[];
}

const user = (args: DemoQuestion): AskingCall => ({ tool: 'ask_user', args });
const deciders = (question: string, options: readonly Option[]): AskingCall => ({
  tool: 'ask_approvers',
  args: { question, options },
});
const labels = (...words: readonly string[]): Option[] => words.map(label => ({ label }));

/** A free text; a number, a yes or no and several options side by side; one option with other words; a choice for deciders. */
export const QUESTIONS: readonly Sentence[] = [
  {
    sentence: /^(?:please\s+)?book\s+a\s+flight$/i,
    calls: () => [user({ question: 'From which city do you fly?', kind: 'text' })],
  },
  { sentence: /^(?:请\s*)?(?:订|预订)机票$/, calls: () => [user({ question: '从哪个城市出发？', kind: 'text' })] },
  {
    sentence: /^(?:please\s+)?plan\s+a\s+lunch$/i,
    calls: () => [
      user({ question: 'For how many guests?', kind: 'number' }),
      user({ question: 'Is there somebody who eats no meat?', kind: 'yes_no' }),
      user({ question: 'Which days would do?', kind: 'choices', options: labels('Monday', 'Tuesday', 'Wednesday') }),
    ],
  },
  {
    sentence: /^(?:请\s*)?安排午餐$/,
    calls: () => [
      user({ question: '有几位客人？', kind: 'number' }),
      user({ question: '有人不吃肉吗？', kind: 'yes_no' }),
      user({ question: '哪几天可以？', kind: 'choices', options: labels('周一', '周二', '周三') }),
    ],
  },
  {
    sentence: /^(?:please\s+)?book\s+a\s+room$/i,
    calls: () => [user({ question: 'Which room?', kind: 'choice', options: labels('Small', 'Large'), other: true })],
  },
  {
    sentence: /^(?:请\s*)?(?:订|预订)会议室$/,
    calls: () => [user({ question: '哪一间？', kind: 'choice', options: labels('小会议室', '大会议室'), other: true })],
  },
  {
    sentence: /^(?:please\s+)?roll\s+back\s+(\S+)$/i,
    calls: service => [
      deciders(`Roll ${service} back: to which version?`, [
        { label: 'v41 (yesterday)', value: 'v41' },
        { label: 'v40 (Monday)', value: 'v40' },
      ]),
    ],
  },
  {
    sentence: /^(?:请\s*)?回滚\s*(\S+)$/,
    calls: service => [
      deciders(`把 ${service} 回滚到哪个版本？`, [
        { label: 'v41（昨天）', value: 'v41' },
        { label: 'v40（周一）', value: 'v40' },
      ]),
    ],
  },
];
