/** Control words and the small words between them, in Chinese. */
import { t } from '../../line.ts';

const n = (value: number): string => value.toLocaleString('en-US');

export const control = {
  approve: '批准',
  reject: '驳回',
  review: '查看全文后批准',
  ran: '已执行',
  notRunNow: '没有执行：现在执行',
  notRunAsk: '没有执行：重新请求审批',
  notRunOver: '没有执行',
  abandon: '放弃',
  cancel: '取消',
  askAgain: '重新请求',
  useInstead: '改用这条消息',
  keepWaiting: '继续等待',
  edit: '修改',
  ask: (who: string) => `询问${who}`,
  everything: '查看全部',
  allow: '批准，并在一段时间内放行',
  record: '查看记录',
  none: '都不选',
  choose: '选择一种',
  stop: '停止',
  answer: '回答',
  other: '其他……',
  accept: '采纳',
  editDraft: '修改',
  returnDraft: '退回',
  yes: '是',
  no: '否',
  back: '返回',
  close: '关闭',
};

export const confirm = {
  approve: {
    title: '确定批准？',
    text: (summary: string, several: boolean) =>
      several ? `${summary}。批准人数足够后会立即执行。` : `${summary}。批准后会立即执行。`,
    yes: '批准',
  },
  ran: { title: '确认已经执行？', text: '助手会按执行成功继续。这个判断会记在你的名下。', yes: '已执行' },
  notRunNow: {
    title: '现在执行？',
    text: '这等于你的批准。会先重新检查当前状况，然后执行。如果它其实已经执行过，就会执行两次。',
    yes: '现在执行',
  },
  notRunAsk: {
    title: '重新请求审批？',
    text: '会再次交给审批人决定。如果它其实已经执行过，批准后就会执行两次。',
    yes: '重新请求',
  },
  notRunOver: {
    title: '确认没有执行？',
    text: '这个判断会记在你的名下，不会因此执行任何操作。',
    yes: '没有执行',
  },
  abandon: { title: '放弃？', text: '不会再执行任何操作。助手会得知：没有人知道它是否执行过。', yes: '放弃' },
  ranOver: { title: '确认已经执行？', text: '这个判断会记在你的名下。', yes: '已执行' },
  abandonOver: { title: '放弃？', text: '不会再执行任何操作。是否执行过仍然不明。', yes: '放弃' },
  cancel: { title: '确定取消？', text: '还在等待的请求会被撤回，已经执行的不会改变。', yes: '确定取消' },
  stop: { title: '停止这个操作？', text: '已经发生的不会改变。', yes: '停止' },
};

export const list = {
  comma: '、',
  sentence: '',
  and: ' 和 ',
  or: ' 或 ',
  more: (count: number) => `另外 ${n(count)} 个`,
};

export const people = {
  requester: '请求人',
  decider: '一位审批人',
  admin: '管理员',
  anybody: t`有人`,
  channel: '审批频道',
};

export const mask = (characters: number, fingerprint: string) => `••••（${n(characters)} 个字符，指纹 ${fingerprint}）`;

export const seconds = (seconds: number) =>
  seconds < 1 ? '不到 1 秒' : seconds < 90 ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`;
