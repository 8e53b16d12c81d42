/** Forms and operators' messages, in Chinese. */
import { t } from '../../line.ts';

export const form = {
  reject: '驳回这个请求',
  review: '查看全文后批准',
  loading: '请稍候',
  loadingText: '正在读取请求……',
  notice: 'Countersign',
  reason: (requester: string) => `原因（${requester}和助手都会看到）`,
  reasonHint: '可以不填。',
  selfReason: '为什么批准自己的请求（所有审批人都会看到）',
  then: '之后',
  thenOption: {
    replan: '助手可以提出别的方案',
    read_only: '从现在起只能读取',
    requester: (requester: string) => `请${requester}修改`,
    stop: '停止整个任务',
  },
  tool: (tool: string) => `工具 ${tool}`,
  arguments: '全部参数：',
};

export const operators = {
  undelivered: '有一张卡片无法发出，因此有一个请求在等待，却没有人能看到。',
  channel_shared: '审批频道与其他组织共享。在取消共享之前，不会在那里发卡片。',
  approvers_unreadable: 'Slack 没有告诉我审批组里有谁。在恢复之前，点击不会计入。',
  no_approvers: '有一个请求被拒绝，因为已经没有人可以审批。',
  quorum_impossible: '有一个请求需要的批准人数多于现在可以审批的人数。',
  in_doubt: '没有人知道某个操作是否执行了。需要有人在卡片上确认。',
  approved_not_run: '有一个已批准的操作 5 分钟内没有开始。',
  contradiction: '某个进程报告的结果与人们对该操作的判断不一致。',
  budget: '有一次任务因达到上限而停止。',
  model_away: '模型没有响应，任务在等待它。',
  model_refused: '模型拒绝回答。',
  table_unavailable: '数据表没有响应。在恢复之前不会接收新消息；Slack 会重新发送。',
  thread_damaged: '某个讨论串的记录前后不一致。其中不会再执行任何操作。',
  policy_error: '策略文件中的某个条件出错，因此它的规则没有匹配。',
  tool_changed: '某个工具修改了自己的描述。在管理员查看之前不能使用。',
  connections: 'Slack 统计的本应用连接数超出预期：可能有别的进程在使用它的令牌。',
  slack_away: '与 Slack 的连接已断开。',
  internal: '本程序的一个故障中断了一项工作，会再次尝试。',
  other: '有情况需要查看。',
  open: (sentence: string) => t`⚠️ ${sentence}`,
  closed: (sentence: string) => t`✅ 已结束：${sentence}`,
  detail: (code: string, cause: string) => `${cause} · ${code}`,
};
