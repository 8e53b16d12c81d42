/** Why something was not done, in Chinese. */
import { t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;
const n = (value: number): string => value.toLocaleString('en-US');

export const notRun = {
  rights: t`有批准人已无权审批。`,
  incompatible: t`助手已没有这个工具。`,
  requester_gone: t`提出请求的人已不再是本组织的成员。`,
  agent_closed: t`助手不再接受提出请求的人。`,
  agent_gone: t`提出它的助手已不存在。`,
  invalid_arguments: t`参数已不再有效。`,
  inspect_failed: t`执行之前无法核对当前状况。`,
  denied: t`规则已不再允许。`,
  too_late: t`三次都没能及时开始。`,
  altered: t`将要执行的内容与批准的内容不一致。`,
  changed_too_often: t`等待期间一再变化。`,
  no_approvers: t`已经没有人可以审批。`,
  quorum_impossible: t`现在可以审批的人数不够。`,
  too_long: t`内容变得太长，无法完整展示。`,
  other: t`执行之前的核对没有通过。`,
};

/** Why a tool that waited from inside did not go on; where it is not named here, `notRun` says it. */
export const leftOff = {
  cancelled: t`任务已经结束。`,
  read_only: t`驳回之后，本次任务只允许读取。`,
  asked_again: t`它再次询问了已经得到答复的内容。`,
  too_deep: t`助手之间的调用层数过多。`,
};

export const refused = {
  unknown_tool: t`我没有这个工具。`,
  invalid_arguments: t`参数无效。`,
  inspect_failed: t`无法为它核对当前状况。`,
  too_long: t`内容太长，无法完整展示，所以没有人能审批。`,
  denied: t`这里不允许。`,
  deniedWhy: (why: Piece) => t`这里不允许：${why}`,
  read_only: t`驳回之后，本次任务只允许读取。`,
  rejected_before: t`本次任务中有人驳回过完全相同的请求。`,
  no_more_requests: t`驳回之后，本次任务中我只能再请求一次。`,
  in_doubt_before: t`还没有人知道同样的操作是否已执行，要先确认这一点。`,
  duplicate: t`同样的请求已经在等待。`,
  lookup_failed: t`Slack 没有告诉我谁可以审批，所以我没有提出请求。发消息可以再试一次。`,
  no_approvers: (scopes: Piece) =>
    t`没有其他人可以审批：${scopes} 中只有你，而谁都不能批准自己的请求。没有执行任何操作；请让管理员添加审批人，试用期间也可以设置 self_approval: with_reason。`,
  quorum_impossible: (needed: number) =>
    t`这需要 ${n(needed)} 人批准，而现在可以审批的人不够。没有执行任何操作；已通知管理员。`,
  quorum_unknown: t`需要的批准人数多于现在可以审批的人数。没有执行任何操作；已通知管理员。`,
  too_many_open: t`等待中的请求已经太多。请先处理或取消一个。`,
  too_late: t`三次都没能及时开始。`,
  cancelled: t`开始之前已取消。`,
  requester_gone: t`提出请求的人已不再是本组织的成员。`,
  tool_changed: t`它的描述在获准使用之后有变化。在管理员查看之前不能使用。`,
  agent_closed: t`助手不接受提出请求的人。`,
  agent_gone: t`提出它的助手已不存在。`,
  other: t`无法交给任何人审批。`,
};

/** When it is not the person's doing that their act came to nothing. */
export const lost = {
  notCounted: t`我暂时无法访问记录，所以这次操作没有计入。什么都没有改变，请一分钟后再试。`,
  notOpened: t`Slack 没有及时打开表单。什么都没有改变，请再点一次。`,
};

export const refusal = {
  too_early: (until: Piece | null) =>
    until === null ? t`它可能仍在执行。请稍后再确认。` : t`${until} 之前它可能仍在执行。请在那之后再确认。`,
  other_environment: t`这张卡片属于另一个 Countersign。请使用你要答复的那一个的卡片。`,
  thread_damaged: t`这个讨论串的记录前后不一致，我已在此停止。不会再执行任何操作；已通知管理员。`,
  not_found: t`这里没有这个请求。如果卡片看起来仍然有效，请告诉管理员：它可能属于另一个 Countersign。`,
  approvedBefore: (by: Piece, at: Piece, now: 'done' | 'running' | 'doubt' | 'ended') =>
    now === 'running'
      ? t`${by} 已于 ${at} 批准，正在执行。无需再操作。`
      : now === 'done'
        ? t`${by} 已于 ${at} 批准，并已完成。无需再操作。`
        : now === 'doubt'
          ? t`${by} 已于 ${at} 批准，但没有人知道它是否执行了。请再看看卡片。`
          : t`${by} 已于 ${at} 批准。无需再操作。`,
  rejectedBefore: (by: Piece, at: Piece) => t`${by} 已于 ${at} 驳回。无需再操作。`,
  settledBefore: (by: Piece, at: Piece) => t`${by} 已于 ${at} 确认。无需再操作。`,
  stoppedBefore: (by: Piece, at: Piece) => t`${by} 已于 ${at} 停止它。无需再操作。`,
  notRunBefore: (at: Piece, why: Line) => t`这件事已于 ${at} 了结，没有执行：${why}无需再操作。`,
  decidedBefore: t`此前已有决定。无需再操作。`,
  expired: (at: Piece | null) =>
    at === null
      ? t`请求已过期，你点得太晚，没有执行任何操作。`
      : t`请求已于 ${at} 过期，你点得太晚，没有执行任何操作。`,
  withdrawn: (by: Piece | null, at: Piece | null) =>
    by === null || at === null ? t`请求已撤回。没有执行任何操作。` : t`${by} 已于 ${at} 撤回。没有执行任何操作。`,
  superseded: (at: Piece | null, why: Line) =>
    at === null
      ? t`因为 ${why}，它已被替换。请在新卡片上决定。`
      : t`因为 ${why}，它已于 ${at} 被替换。请在新卡片上决定。`,
  stale_round: (requester: Piece) => t`你打开之后 ${requester} 又写了消息。请再看一遍卡片，然后决定。`,
  changed_since: t`你打开之后内容有变化。请再看一遍卡片，然后决定。`,
  key_reused: t`这个表单此前已用不同的内容提交过。请重新打开卡片再决定。`,
  wrong_card: (where: Piece | null) =>
    where === null
      ? t`这个按钮不属于这张卡片。请使用讨论串里的卡片。`
      : t`这个按钮不属于这张卡片。请使用 ${where} 里的卡片。`,
  requester: (scopes: Piece) => t`这是你提出的请求，所以要由别人决定：${scopes}。你可以在讨论串中取消它。`,
  not_approver: (scopes: Piece, several: boolean) =>
    several
      ? t`这由 ${scopes} 决定，而你都不在其中。没有任何改变。`
      : t`这由 ${scopes} 决定，而你不在其中。没有任何改变。`,
  already_counted: (at: Piece | null, missing: number) =>
    at === null ? t`你的批准已计入。还需 ${n(missing)} 人。` : t`你于 ${at} 的批准已计入。还需 ${n(missing)} 人。`,
  guest: t`访客不能审批。`,
  external: t`其他组织的人不能审批。`,
  deactivated: t`这个账号已停用。`,
  bot: t`只有人可以审批。`,
  lookup_failed: (scopes: Piece | null) =>
    scopes === null
      ? t`Slack 没有告诉我需要的信息，所以这次点击没有计入。请一分钟后再试。`
      : t`Slack 没有告诉我 ${scopes} 里有谁，所以这次点击没有计入。请一分钟后再试。`,
  frozen: (at: Piece | null, why: Piece | null) =>
    at === null
      ? t`目前一切操作已冻结。这次点击没有计入；仍可驳回。`
      : why === null
        ? t`自 ${at} 起一切操作已冻结。这次点击没有计入；仍可驳回。`
        : t`自 ${at} 起一切操作已冻结（“${why}”）。这次点击没有计入；仍可驳回。`,
  may_not_stop: (requester: Piece) => t`只有 ${requester}、有权审批的人或管理员可以停止它。`,
  not_yours: {
    cancel: (requesters: Piece) => t`只有 ${requesters} 或管理员可以取消。`,
    again: (requesters: Piece) => t`只有 ${requesters} 可以重新请求。你可以给我发消息，自己提出。`,
    keep: (author: Piece) => t`这是 ${author} 的消息，只有本人可以这样做。`,
    grant: (giver: Piece) => t`只有 ${giver} 或管理员可以撤销。`,
  },
  nothing_to_do: t`这件事已经结束。没有任何改变。`,
  nothing_to_cancel: t`我没有在处理这个讨论串里的事，没有什么可取消的。`,
  busy: t`我还在处理这个讨论串里的事。等我做完再重新请求。`,
  reason_needed: t`这是你自己的请求，需要写明理由。请点“查看全文后批准”并填写理由。`,
  review_needed: t`内容太长，卡片放不下。请点“查看全文后批准”，那里有全部内容。`,
  not_asked: (whom: Piece | null) =>
    whom === null ? t`这个问题是问别人的。没有任何改变。` : t`这个问题是问 ${whom} 的。没有任何改变。`,
  bad_answer: (why: Piece | null) =>
    why === null ? t`这个回答不符合要求。问题仍然等待回答。` : t`没有采纳：${why} 问题仍然等待回答。`,
  bad_edit: (why: Piece | null) =>
    why === null ? t`修改后的请求无效。没有任何改变。` : t`修改后的请求无效：${why} 没有任何改变。`,
  not_editable: t`规则不允许修改它。可以驳回并说明应如何修改。`,
  denied: (why: Piece | null) =>
    why === null ? t`规则不允许修改后的请求。没有任何改变。` : t`这里不允许：${why} 没有任何改变。`,
  unchanged: t`内容与原请求没有区别。可以按原样批准，或者修改一些内容。`,
  quorum_impossible: (needed: number, who: Piece | null) =>
    who === null
      ? t`这需要 ${n(needed)} 人批准，而现在可以审批的人不够。已通知管理员。`
      : t`这需要 ${n(needed)} 人批准，而现在只有 ${who} 可以审批。已通知管理员。`,
  option_needed: t`请选择其中一种；仅批准无法说明是哪一种。`,
  no_grant: t`规则不允许在一段时间内放行，或不允许这么久。可以只批准这一次。`,
  not_admin: t`只有管理员可以这样做。没有任何改变。`,
  may_not_freeze: t`你不能在这里冻结；策略规定了谁可以。没有任何改变。`,
  not_your_record: t`你不能查看这份记录。提出请求的人、可以审批的人和审计人员可以查看。`,
  question_expired: (at: Piece | null) =>
    at === null ? t`这个问题已过期。没有任何改变。` : t`这个问题已于 ${at} 过期。没有任何改变。`,
  question_withdrawn: t`不再需要回答。没有任何改变。`,
  unknown_control: t`这个按钮来自旧版本。请重新打开卡片，或者给我发消息。`,
  use_buttons: t`我不从文字中读取决定。请使用卡片上的按钮。`,
  not_a_member: t`我只为本组织的成员工作。可以请一位成员替你提出。`,
};
