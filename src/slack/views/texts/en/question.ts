/** Questions, choices and reviews, in English. */
import { t, type Line, type Part } from '../../line.ts';
import { many } from './count.ts';

type Piece = Line | Part;

export const question = {
  ask: (whom: Line, prompt: Piece) => (whom.length === 0 ? t`${prompt}` : t`${whom} ${prompt}`),
  inquiry: (whom: Line, by: Piece, prompt: Piece) =>
    whom.length === 0 ? t`${by} asks before deciding: “${prompt}”` : t`${whom} ${by} asks before deciding: “${prompt}”`,
  orReply: (until: Piece) => t`or just reply here · until ${until}`,
  severalWait: (until: Piece) => t`several questions wait here: use the buttons · until ${until}`,
  which: (given: Piece) =>
    t`“${given}” may answer more than one question, so it was not taken: use the button of the right one.`,
  until: (until: Piece) => t`until ${until}`,
  wrong: (given: Piece, why: Piece) => t`“${given}”: ${why} Still waiting for an answer.`,
  answered: (by: Piece, at: Piece, answer: Piece) => t`✅ Answered by ${by} ${at}: ${answer}`,
  expired: (at: Piece) => t`⌛ Nobody answered by ${at}.`,
  expiredAsked: (at: Piece) => t`⌛ Nobody answered by ${at}. The agent was told; write to me here to say it anyway.`,
  withdrawn: t`↩️ An answer is no longer needed.`,
  review: (whom: Line, title: Piece, count: number) =>
    whom.length === 0
      ? t`Draft for review: ${title}, ${many(count, 'word', 'words')}`
      : t`${whom} Draft for review: ${title}, ${many(count, 'word', 'words')}`,
  accepted: (by: Piece, at: Piece) => t`✅ Accepted by ${by} ${at}`,
  acceptedEdited: (by: Piece, at: Piece) => t`✅ Edited and accepted by ${by} ${at}`,
  returned: (by: Piece, at: Piece) => t`↩️ Returned by ${by} ${at}: `,
  reviewExpired: (at: Piece) => t`⌛ Nobody reviewed this by ${at}.`,
  reviewWithdrawn: t`↩️ A review is no longer needed.`,
  draftInFile: t`The whole draft stands in the file below this message.`,
  draftPending: t`The draft is too long for a message. It can be accepted once the file with it is below.`,
  nothing: 'nothing',
  misfit: {
    empty: t`that is empty.`,
    too_long: t`that is too long.`,
    not_a_number: t`that is not a number.`,
    not_whole: t`that is not a whole number.`,
    too_small: t`that is too small.`,
    too_large: t`that is too large.`,
    not_yes_or_no: t`that is neither yes nor no.`,
    not_an_option: t`that is none of the options.`,
    too_few: t`that is too few.`,
    too_many: t`that is too many.`,
    no_review: t`that is no review; use the buttons.`,
  },
};
