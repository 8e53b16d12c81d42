/** Questions, choices and reviews, in Chinese. */
import { t, type Line, type Part } from '../../line.ts';

type Piece = Line | Part;
const n = (value: number): string => value.toLocaleString('en-US');

export const question = {
  ask: (whom: Line, prompt: Piece) => (whom.length === 0 ? t`${prompt}` : t`${whom} ${prompt}`),
  inquiry: (whom: Line, by: Piece, prompt: Piece) =>
    whom.length === 0 ? t`${by} 在决定之前想知道：“${prompt}”` : t`${whom} ${by} 在决定之前想知道：“${prompt}”`,
  orReply: (until: Piece) => t`也可以直接在这里回复 · 截止 ${until}`,
  severalWait: (until: Piece) => t`这里有多个问题在等待：请使用按钮 · 截止 ${until}`,
  which: (given: Piece) => t`“${given}”可能回答不止一个问题，没有采用：请使用对应问题的按钮。`,
  until: (until: Piece) => t`截止 ${until}`,
  wrong: (given: Piece, why: Piece) => t`“${given}”：${why} 仍在等待回答。`,
  answered: (by: Piece, at: Piece, answer: Piece) => t`✅ ${by} 于 ${at} 回答：${answer}`,
  expired: (at: Piece) => t`⌛ 到 ${at} 无人回答。`,
  expiredAsked: (at: Piece) => t`⌛ 到 ${at} 还没有人回答。已告知助手；仍可在这里对我说。`,
  withdrawn: t`↩️ 不再需要回答。`,
  review: (whom: Line, title: Piece, count: number) =>
    whom.length === 0 ? t`待审阅的草稿：${title}，${n(count)} 词` : t`${whom} 待审阅的草稿：${title}，${n(count)} 词`,
  accepted: (by: Piece, at: Piece) => t`✅ ${by} 于 ${at} 采纳`,
  acceptedEdited: (by: Piece, at: Piece) => t`✅ ${by} 于 ${at} 修改后采纳`,
  returned: (by: Piece, at: Piece) => t`↩️ ${by} 于 ${at} 退回：`,
  reviewExpired: (at: Piece) => t`⌛ 到 ${at} 无人审阅。`,
  reviewWithdrawn: t`↩️ 不再需要审阅。`,
  draftInFile: t`完整的草稿在这条消息下方的文件里。`,
  draftPending: t`草稿太长，一条消息放不下。文件出现在下方之后才能采纳。`,
  nothing: '（无）',
  misfit: {
    empty: t`内容为空。`,
    too_long: t`内容太长。`,
    not_a_number: t`不是数字。`,
    not_whole: t`不是整数。`,
    too_small: t`数值太小。`,
    too_large: t`数值太大。`,
    not_yes_or_no: t`既不是“是”也不是“否”。`,
    not_an_option: t`不在选项之中。`,
    too_few: t`数量太少。`,
    too_many: t`数量太多。`,
    no_review: t`这不是审阅意见，请使用按钮。`,
  },
};
