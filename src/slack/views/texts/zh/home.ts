/** Home, `/countersign` and the shortcuts, in Chinese. */
import { bold, t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;

export const home = {
  title: (environment: string) => t`${bold('Countersign')} · ${environment}`,
  waiting: (count: number) => `等你决定（${count}）`,
  questions: (count: number) => `等你回答（${count}）`,
  asked: (count: number) => `你的请求（${count}）`,
  grants: (count: number) => `暂时放行（${count}）`,
  lately: '最近',
  more: (count: number) => `……另外 ${count} 项`,
  empty: t`没有事情在等你。直接给我发消息，或在频道里 @Countersign。`,
  incomplete: t`有些内容没能读到，这里可能不完整。请稍后再看。`,
  closed: t`我只为本组织的成员工作。请让其中一位代你提出请求。`,
  frozen: (by: Piece, at: Piece, why: Piece | null) =>
    why === null
      ? t`🧊 ${by} 于 ${at} 冻结。可以驳回，解冻后才能批准。`
      : t`🧊 ${by} 于 ${at} 冻结：“${why}”。可以驳回，解冻后才能批准。`,
  freezeUnknown: t`没能读到当前是否处于冻结状态。`,
  didItRun: (what: string) => `“${what}” 执行了吗？`,
  risk: { low: '', medium: '', high: '高风险' },
  until: (until: Piece) => t`截止 ${until}`,
  votes: (votes: number, quorum: number) => t`${votes}/${quorum}`,
  started: (at: Piece) => t`开始于 ${at}`,
  asks: (who: Piece) => t`${who} 提问`,
  allowed: (until: Piece, used: number, uses: number) => t`截止 ${until}，已用 ${used}/${uses} 次`,
  usedUp: t`已用完`,
  idle: t`规则或工具已变，目前不起作用`,
  where: (where: Piece) => t`在 ${where}`,
  whereThread: (where: Piece) => t`在 ${where} 的一个讨论串中`,
  allowedLike: (tool: string, where: string) => `${tool}，条件为 ${where}`,
  allowedBy: (by: Piece, who: Piece) => t`${by} 为 ${who} 放行`,
  message: '消息',
  thread: '讨论串',
  review: '查看',
  settle: '确认结果',
  answer: '回答',
  record: '查看记录',
  revoke: '撤销',
  freeze: '冻结',
  unfreeze: '解冻',
};

export const houseConfirm = {
  revoke: { title: '确定撤销？', text: '从下一次调用起会重新请求审批。', yes: '撤销' },
  unfreeze: { title: '全部解冻？', text: '期间已批准的操作会重新检查，然后执行。', yes: '解冻' },
};

export const settleWords = {
  title: '它执行了吗？',
  label: '据你所知',
  ran: '已执行：助手按此继续',
  ranOver: '已执行：记录在案',
  notRunNow: '没有执行：现在执行',
  notRunAsk: '没有执行：重新请求审批',
  notRunOver: '没有执行：记录在案',
  abandon: '放弃：结果仍然未知',
  submit: '确认',
};

export const told = {
  frozen: (environment: string, by: Piece, at: Piece) =>
    t`🧊 ${by} 于 ${at} 冻结了 ${environment} 的一切。那里不会再开始新的操作，仍可驳回。`,
  unfrozen: (environment: string) => t`已解冻：${environment}。期间已批准的操作会重新检查，然后执行。`,
  running: (count: number) => t`仍在执行（${count}），已通知其停止：`,
  nothingRuns: t`没有正在执行的操作。`,
  moreRunning: (count: number) => t`……另外 ${count} 项`,
  revoked: t`已撤销。从下一次调用起会重新请求审批。`,
  noGrants: t`没有暂时放行的操作。`,
  done: t`已完成。`,
  editGone: t`这里展示过的内容已不再保留，因此没有任何改变。请返回并重新查看。`,
  notInChannel: t`我不在这个频道。请先把我加进来，再使用快捷方式。`,
  asked: t`已收到；回答会出现在那条消息的讨论串里。`,
  notAsked: t`这个讨论串不听取你的消息，因此没有提出任何请求。`,
  about: (who: Piece, text: Piece) => t`${who}：“${text}”`,
};

export const command = {
  help: (where: Piece) =>
    t`提及我，或直接给我发消息。我不能独自做的事，由人在 ${where} 审批。在讨论串里说“取消”即可停止。/countersign 显示等待中的事项。`,
  words: t`/countersign · 冻结 [原因] · 解冻 · 授权 · 记录 <链接或 A-7F3K> · 帮助`,
  threads: '讨论串',
  unknown: (word: Piece) => t`我不认识“${word}”。`,
  recordWhat: t`请说明是哪一条：/countersign record A-7F3K，或消息的链接。`,
  freezeWhy: t`请说明原因，所有人都会看到：/countersign freeze 部署出错`,
};

export const prompts = [
  { title: '你能做什么？', message: '你能做什么？哪些需要审批？' },
  { title: '什么在等待？', message: '我有哪些请求在等待审批？' },
  { title: '看看有什么', message: '列出 notes' },
  { title: '请求一项敏感操作', message: '请执行命令 echo hello' },
];
