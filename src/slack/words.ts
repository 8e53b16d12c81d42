/** Owns the few words that stand outside of messages and forms: Slack's working line, a closed copy, an act that was lost. */
import type { Language } from './views/texts/texts.ts';

const en = {
  thinking: 'is thinking …',
  runs: (summary: string) => `is at work: ${summary}`,
  copy: 'Replaced: the request stands on another card.',
  notCounted: 'I could not reach my records, so this was not counted. Nothing was changed; try again in a minute.',
  notOpened: 'Slack did not open the form in time. Nothing was changed; click once more.',
};

/** What this room says by itself, in one language. */
export type Words = typeof en;

const zh: Words = {
  thinking: '正在思考…',
  runs: summary => `正在执行：${summary}`,
  copy: '已被替换：此请求在另一张卡片上。',
  notCounted: '我暂时无法访问记录，所以这次操作没有计入。什么都没有改变，请一分钟后再试。',
  notOpened: 'Slack 没有及时打开表单。什么都没有改变，请再点一次。',
};

export const words: { readonly [L in Language]: Words } = { en, zh };
