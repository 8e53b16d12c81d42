/** What stands in the requester's thread, in Chinese. */
import { t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;
const n = (value: number): string => value.toLocaleString('en-US');

export const row = {
  waiting: (what: Piece) => t`等待审批：${what}`,
  decide: (scopes: Piece, _: boolean, needed: number, until: Piece) =>
    t`由 ${scopes} 决定，还需 ${needed} 人 · 截止 ${until}`,
  waitingShort: (what: Piece, scopes: Piece, until: Piece) => t`${what} · ${scopes}，截止 ${until}`,
  partly: (votes: Piece, missing: number) => t` · ${votes} 已批准，还需 ${missing} 人`,
  partlyChosen: (votes: Piece, missing: number) => t` · ${votes} 已选择，还需 ${missing} 人选同一方案`,
  replaced: (why: Line) => t`重新请求审批：${why}`,
  replacedShort: (what: Piece, why: Line) => t`重新请求审批（${why}）：${what}`,
  running: (what: Piece) => t`执行中：${what}`,
  approvedBy: (votes: Piece) => t`，批准人：${votes}`,
  approved: (votes: Piece) => t` · 批准人：${votes}`,
  done: (at: Piece, what: Piece) => t`已完成 ${at}：${what}`,
  failedNone: (at: Piece, what: Piece) => t`失败 ${at}：${what} · 没有做任何改动`,
  failedPossible: (at: Piece, what: Piece) => t`失败 ${at}：${what} · 可能已有部分生效`,
  leftOff: (why: Line) => t` · 等待时被结束：${why}`,
  inDoubt: (what: Piece) => t`结果不明：${what}`,
  doneChecked: (at: Piece, what: Piece) => t`已完成，工具于 ${at} 自行核对确认：${what}`,
  saidDone: (by: Piece, at: Piece, what: Piece) => t`已完成，由 ${by} 于 ${at} 确认（曾经结果不明）：${what}`,
  givenUp: (by: Piece, at: Piece, what: Piece) => t`${by} 于 ${at} 放弃，不知道是否执行过：${what}`,
  rejected: (by: Piece, what: Piece | null, reason: Piece | null) =>
    what === null
      ? reason === null
        ? t`${by} 驳回了。没有执行任何操作。`
        : t`${by} 驳回了：“${reason}” 没有执行任何操作。`
      : reason === null
        ? t`${by} 驳回了：${what} · 没有执行`
        : t`${by} 驳回了：${what} · “${reason}” · 没有执行`,
  editedApproved: (by: Piece, changes: Line) => t` · ${by} 修改了 ${changes} 并批准`,
  edited: (by: Piece, changes: Line) => t` · ${by} 修改了 ${changes}`,
  underGrant: t` · 在放行期内`,
  chose: (option: Piece) => t` · 已选择：“${option}”`,
  suspendedOn: {
    answer: (what: Piece, who: Piece) => t`等待 ${who} 回答：${what}`,
    review: (what: Piece, who: Piece) => t`等待 ${who} 审阅：${what}`,
    request: (what: Piece) => t`等待其中一步的审批：${what}`,
    agent: (what: Piece) => t`处理中：${what}`,
  },
  stopping: (what: Piece, by: Piece) => t`${by} 要求停止，正在停止：${what}`,
  stopped: (by: Piece) => t` · 由 ${by} 停止`,
  ofAgent: (agent: Piece) => t`${agent}：`,
  fromTo: (name: string, was: string, is: string) => `${name} ${was} → ${is}`,
  expired: (at: Piece, what: Piece | null) =>
    what === null ? t`到 ${at} 无人审批。没有执行任何操作。` : t`到 ${at} 无人审批：${what} · 没有执行`,
  expiredApproved: (at: Piece, what: Piece | null) =>
    what === null
      ? t`已批准，但到 ${at} 仍未能开始。没有执行任何操作。`
      : t`已批准，但到 ${at} 仍未能开始：${what} · 没有执行`,
  expiredShort: (at: Piece, what: Piece | null, missing: number) =>
    what === null
      ? t`到 ${at} 还差 ${missing} 人批准。没有执行任何操作。`
      : t`到 ${at} 还差 ${missing} 人批准：${what} · 没有执行`,
  withdrawn: (what: Piece, instead: boolean) =>
    instead ? t`已撤回，改用你的新消息：${what} · 没有执行` : t`已撤回：${what} · 没有执行`,
  approvedNotRun: (why: Line, what: Piece | null) =>
    what === null ? t`已批准，但没有执行：${why}` : t`已批准，但没有执行：${what} · ${why}`,
  notRun: (why: Line, what: Piece | null) => (what === null ? t`没有执行：${why}` : t`没有执行：${what} · ${why}`),
  whenSettled: t`等稳定下来再重新请求。`,
  refused: (why: Line, what: Piece | null) => (what === null ? why : t`未执行：${what} · ${why}`),
  undelivered: (what: Piece, where: Piece, why: string, until: Piece) =>
    t`我无法把卡片发到 ${where}（${why}）：${what}。没有执行任何操作；已通知管理员，我会一直重试到 ${until}。`,
  contradicted: t` · 执行它的进程后来有不同的报告，见卡片`,
  askedAgainBy: t` · 已重新请求`,
  counts: (c: {
    all: number;
    done: number;
    waiting: number;
    running: number;
    doubt: number;
    failed: number;
    givenUp: number;
    notRun: number;
  }) =>
    [
      c.done > 0 || c.notRun < c.all ? `${c.all} 项中已完成 ${c.done} 项` : '',
      c.waiting > 0 ? `${c.waiting} 项等待审批` : '',
      c.running > 0 ? `${c.running} 项执行中` : '',
      c.doubt > 0 ? `${c.doubt} 项结果不明` : '',
      c.failed > 0 ? `${c.failed} 项失败` : '',
      c.givenUp > 0 ? `${c.givenUp} 项已放弃` : '',
      c.notRun > 0 ? `${c.notRun} 项未执行` : '',
    ]
      .filter(part => part !== '')
      .join('，'),
  earlier: (count: number) => `…… 较早的 ${n(count)} 项`,
  card: '卡片',
};

export const run = {
  cancelled: t`已取消。没有执行任何操作。`,
  cancelledBy: (by: Piece) => t`由 ${by} 取消。`,
  cancelledAfter: (what: Piece, more: number) =>
    more === 0 ? t`已取消，但“${what}”此前已经执行。` : t`已取消，但“${what}”和另外 ${more} 项此前已经执行。`,
  cancelledDuring: (what: Piece, done: boolean) =>
    done
      ? t`已取消，但“${what}”当时正在执行：已经执行完毕。`
      : t`已取消，但“${what}”当时正在执行：已被停止，可能已有部分生效。`,
  cancelledWhile: (what: Piece) => t`已取消，但“${what}”当时正在执行：结果会在卡片上确认。`,
  cancelledWhileHere: (what: Piece) => t`已取消，但“${what}”当时正在执行：正在停止，已经发生的不会改变。`,
  changeAsked: (requester: Piece, by: Piece, what: Piece, reason: Piece | null) =>
    reason === null
      ? t`${requester} ${by} 请你先修改再审批：${what}。没有执行任何操作；告诉我该怎么改。`
      : t`${requester} ${by} 请你修改：${what}。“${reason}” 没有执行任何操作；告诉我该怎么改。`,
  frozen: (by: Piece, at: Piece, why: Piece) => t`${by} 于 ${at} 冻结：“${why}”。你的请求会保留。`,
  frozenSilent: (by: Piece, at: Piece) => t`${by} 于 ${at} 冻结。你的请求会保留。`,
  steps: (steps: number) => t`已在 ${n(steps)} 步后停止，这是单次任务的上限。已完成的不受影响；发消息可以继续。`,
  tokens: (tokens: number) =>
    t`已在用完 ${n(tokens)} 个 token 后停止，这是单次任务的上限。已完成的不受影响；发消息可以继续。`,
  wall: (minutes: number) =>
    t`已在工作 ${n(minutes)} 分钟后停止，这是单次任务的上限。已完成的不受影响；发消息可以继续。`,
  exhausted: t`已达到单次任务的上限而停止。已完成的不受影响；发消息可以继续。`,
  away: (until: Piece) => t`模型没有响应，会一直重试到 ${until}。什么都不会丢失。`,
  back: t`模型恢复响应了。`,
  modelAway: (at: Piece) => t`已于 ${at} 停止：模型没有响应。发消息可以再试一次。`,
  modelRefused: (at: Piece) => t`已于 ${at} 停止：模型不愿回答这个请求。换个说法可以再试一次。`,
  contextTooLong: (at: Piece) => t`已于 ${at} 停止：这段对话对模型来说太长了。新开一个讨论串可以继续。`,
  modelSetUp: (at: Piece) => t`已于 ${at} 停止：模型的配置有问题，已通知管理员。稍后发消息可以再试一次。`,
  replyTooLong: (at: Piece) => t`已于 ${at} 停止：模型的回答太长。请一次少要一些。`,
  agentClosed: (answers: Piece | null) =>
    answers === null
      ? t`这个助手不接受你的请求。可以问管理员谁能提出。`
      : t`这个助手只答复 ${answers}。请他们中的一位或管理员代你提出。`,
  agentGone: t`这个讨论串的助手已不存在，所以什么也没有做。请在新的讨论串里写。`,
  notAMember: t`我只为本组织的成员工作。可以请一位成员替你提出。`,
  lookupFailed: (at: Piece) => t`已于 ${at} 停止：Slack 没有告诉我你是谁，所以我什么都没做。发消息可以再试一次。`,
  damaged: t`这个讨论串的记录前后不一致，我已在此停止。不会再执行任何操作；已通知管理员。`,
  failed: (at: Piece) => t`因为我这边的故障，已于 ${at} 停止。已完成的不受影响；发消息可以继续。`,
  ended: t`已完成。`,
};

/** What stands behind the app's name in Slack's own line while it works. */
export const working = {
  thinking: '正在思考…',
  runs: (summary: string) => `正在执行：${summary}`,
};

export const meanwhile = {
  have: t`已收到，审批人会在卡片上看到这条消息。`,
  privacy: (where: Piece) => t`${where} 中的审批人会看到你的消息和将要执行的内容。`,
};

export const doubt = {
  ring: (people: Piece) => t`${people} 需要有人确认它是否执行了。`,
  ringNobody: t`需要有人确认它是否执行了。`,
  settled: (how: Line) => t`已有结论：${how}`,
  ran: (by: Piece, at: Piece) => t`已经执行，由 ${by} 于 ${at} 确认。`,
  givenUp: (by: Piece, at: Piece) => t`${by} 于 ${at} 放弃，没有人知道它是否执行过。`,
  notRunSaid: (by: Piece, at: Piece) => t`没有执行，由 ${by} 于 ${at} 确认。`,
  notRunChecked: (at: Piece) => t`没有执行，工具于 ${at} 自行核对确认。`,
  notRunReported: (at: Piece) => t`没有开始执行，执行它的进程于 ${at} 报告。`,
  notRunSomebody: t`没有执行。`,
  ranChecked: (at: Piece) => t`已经执行，工具于 ${at} 自行核对确认。`,
  reported: (at: Piece) => t`执行它的进程于 ${at} 报告了结果。`,
  over: t`结果现已知道。`,
  thread: (requester: Piece, what: Piece, deciders: Piece) =>
    t`${requester} 没有人知道它是否执行了：${what}。${deciders}会来确认，在那之前请不要重复提出同样的请求。`,
  threadSettled: (what: Piece, how: Line) => t`曾不清楚它是否执行了：${what}。已有结论：${how}`,
  somebody: (scopes: Piece) => t`${scopes} 中的一位或管理员`,
  anAdmin: t`管理员`,
  allowed: t`没有规则要求审批这一项，它是直接允许的。`,
};

export const answer = {
  empty: '我没有要补充的。',
  more: (count: number) => `…… 还有 ${n(count)} 个字符放不下。需要的话请让我继续。`,
};

/** Why Slack did not take a card. */
export const slackSays = {
  not_in_channel: '我不在那个频道里',
  channel_not_found: '我看不到那个频道',
  is_archived: '频道已归档',
  channel_shared: '频道与其他组织共享',
  restricted_action: '那里限制发消息',
  too_large: 'Slack 认为内容太大',
  other: (code: string) => `Slack 返回 ${code}`,
};
