/** Cards and push lines, in Chinese. */
import { bold, t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;
const n = (value: number): string => value.toLocaleString('en-US');

export const card = {
  risk: { low: '低风险', medium: '中风险', high: '高风险' },
  impact: (risk: string, impact: string | null) => (impact === null ? `${risk}。` : `${risk}：${impact}`),
  waiting: (needs: number, scopes: Piece, eligible: number, until: Piece) =>
    t`${bold('等待审批')} · 需要 ${scopes} 中的 ${needs} 人批准（共 ${eligible} 人可以审批）· 截止 ${until}`,
  partly: (votes: Piece, missing: number, not: Piece) => t`${votes} 已批准 · 还需 ${missing} 人（${not} 除外）`,
  partlyChosen: (votes: Piece, missing: number) => t`${votes} 已选择 · 还需 ${missing} 人选同一方案`,
  approvedBy: (votes: Piece) => t`批准人：${votes}`,
  noLongerCounts: (votes: Piece) => t`批准人：${votes}（不再有效）`,
  askedAgain: (nth: number, changes: Line | null) =>
    changes === null
      ? t`${bold('重新请求审批')} · 第 ${nth} 次 · 核对过的内容有变化。`
      : t`${bold('重新请求审批')} · 第 ${nth} 次 · ${changes}。`,
  askedAfterDoubt: (nth: number, how: Line) => t`${bold('重新请求审批')} · 第 ${nth} 次 · 上一次：${how}`,
  wasIs: (fact: string, was: string, is: string) => t`${fact} 原为 ${was}，现为 ${is}`,
  changedFromTo: (fact: string, was: string, is: string) => t`${fact} 由 ${was} 变为 ${is}`,
  changed: (fact: string) => t`${fact} 有变化`,
  somethingChanged: t`核对过的内容有变化`,
  ruleChanged: t`规则有变化`,
  toolChanged: t`工具的定义有变化`,
  diffWas: (fact: string, value: string) => `- ${fact} 当前 ${value}`,
  diffIs: (fact: string, value: string) => `+ ${fact} 当前 ${value}`,
  frozenOpen: (by: Piece, at: Piece) => t`🧊 ${by} 于 ${at} 冻结：仍可驳回，解冻后才能批准`,
  frozenApproved: (by: Piece, at: Piece, until: Piece) =>
    t`🧊 ${bold('已冻结')} · ${by} ${at} · 已批准，若在 ${until} 前解冻就会执行。`,
  frozenWhy: (why: Piece) => t`冻结原因：“${why}”`,
  edited: (by: Piece) => t`${bold('已修改')} · ${by} · 此前的批准不再有效`,
  editedBy: (by: Piece) => t`由 ${by} 修改`,
  reminded: (times: Piece) => t`已于 ${times} 提醒`,
  mayDecideToo: (at: Piece, scopes: Piece) => t`自 ${at} 起 ${scopes} 也可以审批`,
  ownRequests: t`提出请求的人也可以批准，但要写明所有人可见的理由`,
  allowedToo: (who: Piece) => t`${who} 同时放行：`,
  choseOption: (option: Piece) => t`已选择：“${option}”`,
  suspendedOn: {
    answer: (who: Piece, at: Piece) => t`${bold('等待回答')} · ${who} · 始于 ${at}`,
    review: (who: Piece, at: Piece) => t`${bold('等待审阅')} · ${who} · 始于 ${at}`,
    request: (at: Piece) => t`${bold('等待审批')} · 始于 ${at} · 取决于另一个请求`,
    agent: (at: Piece) => t`${bold('执行中')} · 始于 ${at} · 另一个助手正在处理`,
  },
  stopAsked: (by: Piece, at: Piece) => t`${by} 于 ${at} 要求停止`,
  stoppedBy: (by: Piece, at: Piece) => t`${by} 于 ${at} 停止`,
  checked: (at: Piece, found: 'ran' | 'not_run' | 'unknown') =>
    found === 'unknown'
      ? t`已于 ${at} 核对：没有明确结果`
      : found === 'ran'
        ? t`已于 ${at} 核对：似乎已经执行`
        : t`已于 ${at} 核对：似乎没有执行`,
  expiredAsked: (scopes: Piece, reminded: Line, more: Line) => t`曾请求审批：${scopes}${reminded}${more}。`,
  expiredReminded: (times: Piece) => t`；于 ${times} 提醒`,
  expiredSince: (scopes: Piece, at: Piece) => t`；自 ${at} 起包括 ${scopes}`,
  inFile: t`内容超出卡片和表单的容量：卡片下方的文件里有全部内容。`,
  filePending: t`内容超出卡片和表单的容量。在包含全部内容的文件出现在卡片下方之前，无法批准。`,
  tooLong: (review: string) => t`内容太长，卡片放不下。点“${review}”可看到全部内容。`,
  unfaithful: (review: string) => t`有些字符无法原样显示。点“${review}”可看到它们的位置。`,
  running: (since: Piece) => t`${bold('执行中')} · 始于 ${since}`,
  starting: t`${bold('执行中')} · 即将开始`,
  done: (at: Piece, took: string) => t`${bold('已完成')} ${at}，用时 ${took} · `,
  told: (requester: Piece) => t`已告知 ${requester}`,
  failedNone: (at: Piece) => t`${bold('失败')} ${at}：没有做任何改动。`,
  failedPossible: (at: Piece, code: string | null) =>
    code === null
      ? t`${bold('失败')} ${at}：已经执行，但以错误结束。可能已有部分生效。`
      : t`${bold('失败')} ${at}：已经执行，但以错误结束（${code}）。可能已有部分生效。`,
  leftOff: (why: Line) => t`它在等待时被结束：${why}`,
  exitCode: (code: number) => `退出码 ${code}`,
  timedOut: '超时',
  aborted: '被中止',
  agentTold: t`已告知助手。`,
  inDoubt: (at: Piece) => t`${bold('结果不明')} · ${at} 开始后进程中断，没有人知道它是否执行了。系统不会自行重试。`,
  mayRun: (until: Piece) => t`它的执行不会超过 ${until}，在那之后才能认定它没有执行。`,
  lastSign: (sign: Piece, at: Piece | null) =>
    at === null ? t`最后的输出：“${sign}”` : t`最后的输出（${at}）：“${sign}”`,
  saidDone: (by: Piece, at: Piece) => t`${bold('已完成')} · 由 ${by} 于 ${at} 确认（曾经结果不明）`,
  givenUp: (by: Piece, at: Piece) => t`${bold('已放弃')} · ${by} ${at} · 不知道是否执行过`,
  notRunBefore: (how: Line) => t`${bold('未执行')} · ${how}`,
  seeNewer: t`之后的进展请看新卡片或讨论串。`,
  doneChecked: (at: Piece) => t`${bold('已完成')} · 工具于 ${at} 自行核对，确认已经执行；结果内容不明。 · `,
  reportedLate: (at: Piece) => t`曾经结果不明，执行它的进程于 ${at} 报告了这个结果。`,
  contradicted: (how: 'ran' | 'failed' | 'nothing', at: Piece) =>
    how === 'ran'
      ? t`⚠️ 执行它的进程后来报告：已于 ${at} 执行完毕。`
      : how === 'failed'
        ? t`⚠️ 执行它的进程后来报告：已于 ${at} 以错误结束，可能已有部分生效。`
        : t`⚠️ 执行它的进程后来报告：${at} 结束，没有做任何改动。`,
  rejected: (by: Piece, at: Piece) => t`${bold('已驳回')} · ${by} ${at}`,
  afterReject: {
    replan: (_: Piece) => t`没有执行任何操作。助手可以提出别的方案。`,
    read_only: (_: Piece) => t`没有执行任何操作。从现在起只能读取。`,
    requester: (requester: Piece) => t`没有执行任何操作。已请 ${requester} 修改。`,
    stop: (_: Piece) => t`没有执行任何操作。整个任务已停止。`,
  },
  expired: (at: Piece) => t`${bold('已过期')} ${at}：无人审批。没有执行任何操作。`,
  expiredShort: (at: Piece, missing: number) => t`${bold('已过期')} ${at}：还差 ${missing} 人批准。没有执行任何操作。`,
  expiredApproved: (at: Piece) => t`${bold('已过期')} ${at}：已批准，但未能及时开始。没有执行任何操作。`,
  canAskAgain: (requester: Piece) => t`${requester} 可以在讨论串中重新请求。`,
  withdrawn: (by: Piece | null, at: Piece) =>
    by === null
      ? t`${bold('已撤回')} ${at}，尚无决定，任务就已结束。没有执行任何操作。`
      : t`${bold('已撤回')} · ${by} ${at} · 当时尚无决定。没有执行任何操作。`,
  withdrawnApproved: (by: Piece | null, at: Piece) =>
    by === null
      ? t`${bold('已撤回')} ${at}，批准之后任务已结束。没有执行任何操作。`
      : t`${bold('已撤回')} · ${by} ${at} · 当时已获批准。没有执行任何操作。`,
  instead: (requester: Piece) => t`${requester} 改发了新的请求。`,
  replaced: (at: Piece, why: Line) => t`${bold('已被替换')} ${at}：等待期间，${why}。没有执行任何操作。`,
  replacedAfterDoubt: (at: Piece, how: Line) => t`${bold('已被替换')} ${at}：${how}已重新请求审批。`,
  newCard: '新卡片',
  copy: '已被替换：此请求在另一张卡片上。',
  notRun: (at: Piece, why: Line) => t`${bold('未执行')} ${at}：${why}`,
  nothingRan: t`没有执行任何操作。`,
  now: '当前：',
  asksAgain: '（若有变化，会重新请求审批）',
  noteAt: (at: Piece) => t`（${at}）`,
  inChannel: (who: Piece, where: Piece) => t`${who} 在 ${where}：`,
  inDirect: (who: Piece) => t`${who} 在与 Countersign 的私信中：`,
  wroteSince: (who: Piece, at: Piece) => t`${who} 之后又写道（${at}）：`,
  earlierToo: (count: number) => t`（略去较早的 ${n(count)} 条消息）`,
  said: (who: Piece) => t`${who}：`,
  ownRequest: (who: Piece) => t`${who} 批准自己的请求：`,
  inQuotes: (text: Piece) => t`“${text}”`,
  openThread: '打开讨论串',
  noArguments: '（没有参数）',
  moreArguments: (count: number) => `[+${n(count)} 个参数]`,
  moreChanges: (count: number) => `[+${n(count)} 处变化]`,
  moreFacts: (count: number) => `[+${n(count)} 项]`,
  resultLines: (shown: number, all: number) => `共 ${n(all)} 行，显示 ${n(shown)} 行`,
  resultElsewhere: (kilobytes: number) => `（输出 ${n(kilobytes)} KB，保存在记录中）`,
  ifRejected: {
    replan: (_: Piece, control: string | null) =>
      t`${control ?? '如果驳回'}：什么都不会执行；助手会得知原因，可以提出别的方案。`,
    read_only: (_: Piece, control: string | null) =>
      t`${control ?? '如果驳回'}：什么都不会执行；助手会得知原因，之后只能读取。`,
    requester: (requester: Piece, control: string | null) =>
      t`${control ?? '如果驳回'}：什么都不会执行；会请 ${requester} 修改。`,
    stop: (_: Piece, control: string | null) => t`${control ?? '如果驳回'}：什么都不会执行，整个任务停止。`,
  },
  ifNobody: (until: Piece) => t`如果到 ${until} 无人审批：请求过期，什么都不会执行。`,
  ifInDoubt: {
    notRunNow: t`已执行：助手按此继续。现在执行：等于你的批准，会先重新检查当前状况。放弃：不再执行，助手会得知结果不明。`,
    notRunAsk: t`已执行：助手按此继续。重新请求审批：由审批人再决定一次。放弃：不再执行，助手会得知结果不明。`,
    notRunOver: t`任务已经结束，不会再执行。已执行、没有执行：记录在案。放弃：结果仍然不明。`,
  },
  rule: (rule: string, why: string | null) => (why === null ? `规则 ${rule}` : `规则 ${rule}：${why}`),
  noRule: (why: string | null) => (why === null ? '没有匹配的规则：按默认设置需要审批。' : why),
  partOf: (summary: string, short: string | null) =>
    short === null ? `属于“${summary}”` : `属于 ${short}：“${summary}”`,
  agentWords: (text: string) => `助手自己的说法，未经核实：“${text}”`,
  short: t`Slack 没有接受完整的卡片。点“查看全文后批准”可看到全部内容。`,
  shortClosed: t`Slack 没有接受完整的卡片；记录中有全部内容。`,
};

export const push = {
  card: (what: Piece, who: Piece, until: Piece) => t`批准吗？${what} · ${who} · 截止 ${until}`,
  again: (why: Line, what: Piece) => t`再次请求批准：${why}：${what}`,
  running: (what: Piece) => t`执行中：${what}`,
  done: (what: Piece) => t`已完成：${what}`,
  failed: (what: Piece) => t`失败：${what}`,
  inDoubt: (what: Piece) => t`结果不明：“${what}”执行了吗？需要有人确认`,
  saidDone: (what: Piece) => t`经人确认已完成：${what}`,
  givenUp: (what: Piece) => t`已放弃：${what}`,
  rejected: (what: Piece) => t`已驳回：${what}`,
  expired: (what: Piece) => t`已过期，没有执行：${what}`,
  withdrawn: (what: Piece) => t`已撤回，没有执行：${what}`,
  replaced: (what: Piece) => t`已被新卡片替换：${what}`,
  notRun: (what: Piece) => t`未执行：${what}`,
  suspended: (what: Piece) => t`等待回答：${what}`,
  reminder: (what: Piece, until: Piece) => t`仍在等待：${what} · ${until} 过期`,
  escalated: (time: string, what: Piece) => t`已有 ${time} 无人审批：${what} · 现在你也可以审批`,
};

/** Replies under a card. */
export const reply = {
  reminder: (whom: Line, until: Piece) =>
    whom.length === 0 ? t`仍在等待，${until} 过期。` : t`${whom} 仍在等待，${until} 过期。`,
  escalated: (whom: Line, time: string) =>
    whom.length === 0
      ? t`已有 ${time} 无人审批。现在更多的人可以审批。`
      : t`${whom} 已有 ${time} 无人审批。你现在可以审批。`,
  inquiry: (by: Piece, whom: Piece, question: Piece) => t`${by} 询问 ${whom}：“${question}”`,
  inquiryAnswered: (by: Piece, answer: Piece) => t` ${by}：“${answer}”`,
  inquiryOver: t` 没有得到回答。`,
  fileBelow: t`将要执行的全部内容。`,
  draftFile: t`完整的草稿。`,
};

/** `1 小时`, `30 分钟`. */
export const duration = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} 分钟`;
  return minutes % 60 === 0 ? `${minutes / 60} 小时` : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`;
};
