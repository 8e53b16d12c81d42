/** Forms and operators' messages, in Chinese. */
import { t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;
const n = (value: number): string => value.toLocaleString('en-US');

export const form = {
  reject: '驳回这个请求',
  review: '查看全文后批准',
  loading: '请稍候',
  loadingText: '正在读取请求……',
  notice: 'Countersign',
  reason: (requester: string) => `原因（${requester}和助手都会看到）`,
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
  beginning: '参数的开头如下，全部内容在文件中：',
  everything: '全部内容',
  inFile: t`内容超出表单的容量。将要执行的全部内容在卡片下方的文件里，请先阅读再批准。`,
  noFile: t`包含全部内容的文件还没有出现在卡片下方，所以现在无法批准。请一分钟后再打开。`,
  way: '选择哪一种？',
  edit: '修改这个请求',
  showEdited: '查看将要执行的内容',
  approveEdited: '批准修改后的请求',
  askEdited: '按修改后的内容请求审批',
  votesFall: t`此前的批准对修改后的请求无效。`,
  stays: '以下内容不变：',
  changed: '修改之处：',
  runsThen: '修改后的全部参数：',
  restStays: '其余内容保持原样。',
  tooMuchEdited: t`一次修改的内容太多，这里无法完整展示，所以无法批准。请返回并减少修改。`,
  editNeeds: (needs: number, scopes: Piece) => t`修改后的请求需要 ${scopes} 中的 ${needs} 人批准。`,
  editFree: t`没有规则要求审批修改后的请求。`,
  editApproves: t`批准修改后的请求即计入你的批准，并会执行。`,
  editAsks: t`你对修改后请求的批准会计入，但还需要其他人批准。`,
  whenEmpty: { kept: '已隐藏。留空则保持不变。', left_out: '留空则不提供。', value: '可以为空。' },
  notGiven: '（不提供）',
  fieldHint: { text: '', number: '', yes_no: 'true 或 false。', lines: '每行一项。', json: 'JSON。' },
  fieldWrong: { number: '必须是数字。', yes_no: '必须是 true 或 false。', json: '必须是有效的 JSON。' },
  mustBeNumber: (least: number | null, most: number | null) =>
    most === null
      ? `必须是不小于 ${least} 的数字。`
      : least === null
        ? `必须是不大于 ${most} 的数字。`
        : `必须是 ${least} 到 ${most} 的数字。`,
  ask: (who: string) => `询问${who}`,
  askLabel: (who: string) => `你的问题（会在讨论串中询问${who}）`,
  send: '发送',
  askAbout: '询问 Countersign',
  askAboutLabel: '你想了解什么，或者想做什么？',
  freeze: '冻结一切操作',
  freezeWhy: '原因（所有人都会看到）',
  freezeNow: '冻结',
  grant: '批准并放行',
  forHowLong: '有效时间',
  howOften: '次数',
  forTime: (minutes: number) =>
    minutes < 60
      ? `${n(minutes)} 分钟`
      : minutes % 60 === 0
        ? `${n(minutes / 60)} 小时`
        : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`,
  usesTimes: (uses: number) => `最多 ${n(uses)} 次`,
  grantScope: { thread: '仅限本讨论串', channel: '仅限本频道', anywhere: '任何地方' },
  nothingElse: (where: string) => `${where}，且没有其他参数`,
  grantSentence: (g: { until: Piece; uses: number; scope: string; who: string; tool: string; where: string }) =>
    t`截止 ${g.until}，最多 ${n(g.uses)} 次，${g.scope}，限 ${g.who}：${g.tool}，条件为 ${g.where}。其他情况仍需审批。撤销：/countersign grants。`,
  answer: '回答',
  answerLabel: '你的回答',
  otherLabel: '其他',
  answerIt: '回答',
  yes: '是',
  no: '否',
  draft: '修改草稿',
  draftLabel: '草稿',
  draftPart: (nth: number, all: number) => `草稿，第 ${nth} 部分，共 ${all} 部分`,
  draftTooLong: t`草稿太长，无法在这里修改。可以退回并说明应如何修改。`,
  acceptEdited: '按修改后采纳',
  returned: '退回草稿',
  returnWhy: '应如何修改',
  returnIt: '退回',
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
  content_filter: '模型拒绝回答。',
  context_too_long: '某段对话对模型来说太长了。',
  reply_too_long: '模型的某个回答太长，无法接收。',
  reply_cut_off: '模型的某个回答因长度上限被截断。',
  model_auth: '模型服务器不接受密钥。',
  model_not_found: '模型服务器不认识这个模型。',
  model_bad_request: '模型服务器无法理解请求。',
  table_unavailable: '数据表没有响应。在恢复之前不会接收新消息；Slack 会重新发送。',
  thread_damaged: '某个讨论串的记录前后不一致。其中不会再执行任何操作。',
  condition_failed: '策略文件中的某个条件出错，因此它的规则没有匹配。',
  tool_changed: '某个工具修改了自己的描述。在管理员查看之前不能使用。',
  too_many_connections: 'Slack 统计的本应用连接数超出预期：可能有别的进程在使用它的令牌。',
  slack_away: '与 Slack 的连接已断开。',
  internal: '本程序的一个故障中断了一项工作，会再次尝试。',
  other: '有情况需要查看。',
  open: (sentence: string) => t`⚠️ ${sentence}`,
  closed: (sentence: string) => t`✅ 已结束：${sentence}`,
};
