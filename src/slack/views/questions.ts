/**
 * Owns the messages that ask people something: a question, a choice, a review, and what an approver asks the requester.
 *
 * 1. A new message that rings whoever may answer; edited when an answer was not taken and when it is over. 2. No buttons once
 * it is over; it has them again when a tool does not take the answer. 3. A draft that no message holds stands in a file
 * below, and nobody can accept it before the file stands.
 */
import type { ActionsBlockElement, KnownBlock, RichTextBlock } from '@slack/web-api';
import { reviewSchema } from '../../thread/answer-form.ts';
import { WHICH_QUESTION } from '../../thread/question.ts';
import { openQuestions, type Question, type Run, type Thread } from '../../thread/thread.ts';
import type { Message } from '../message.ts';
import { answerText } from './answers.ts';
import * as block from './blocks.ts';
import { decider, somebody, type Pen } from './context.ts';
import { draftFile, hasDraftFile, isLongDraft, wordsIn } from './draft.ts';
import { ROOM } from './limits.ts';
import { nobody, pushText, t, words, type Line, type Part, type Quiet } from './line.ts';
import { misfitLine } from './misfit.ts';
import { questionButtons, reviewButtons } from './question-buttons.ts';
import { spoken } from './spoken.ts';
import { ringsOf } from './suspended.ts';
import { cut, shorten } from './text/escape.ts';
import { clockFace } from './time.ts';

interface Asked {
  readonly pen: Pen;
  readonly thread: Thread;
  readonly run: Run;
  readonly question: Question;
}

/** The key of a question's own message. */
export const questionKey = (question: Pick<Question, 'id'>): string => `question/${question.id}`;

/** Where a question stands; elsewhere than in its thread only where it names a channel. */
function place({ thread, question }: Asked): Message['place'] {
  return question.channel === null || question.channel === thread.key.channel
    ? { channel: thread.key.channel, threadTs: thread.key.ts }
    : { channel: question.channel };
}

/** True where a reply in the thread can be an answer: to a question that stands there, and is no review. */
const takesReplies = ({ question }: Asked): boolean => question.channel === null && question.kind !== 'review';

/** True where another question waits for the same person: no message in the thread says which of them it answers. */
const isOneOfSeveral = (asked: Asked): boolean =>
  takesReplies(asked) &&
  openQuestions(asked.thread).some(
    ({ id, kind, to }) =>
      id !== asked.question.id && kind !== 'review' && to.some(user => asked.question.to.includes(user)),
  );

function opening({ pen, question }: Asked, whom: Line): Line {
  const texts = pen.texts.question;
  const prompt = words(cut(pen.show.text(question.prompt), ROOM.prompt));
  if (question.form.type === 'review')
    return texts.review(whom, words(cut(pen.show.line(question.form.title), ROOM.why)), wordsIn(question.form.draft));
  if (question.askedBy !== null)
    return texts.inquiry(whom, decider(pen, question.askedBy.by, question.askedBy.name), prompt);
  return texts.ask(whom, prompt);
}

/** Why the latest answer was not taken. */
function wrongLine(asked: Asked): Line[] {
  const { pen, question } = asked;
  const { wrong } = question;
  if (question.state.is !== 'open' || wrong === null) return [];
  const given = (text: string): Part => words(cut(pen.show.line(text), ROOM.given));
  if (wrong.why !== WHICH_QUESTION) return [pen.texts.question.wrong(given(wrong.given), misfitLine(pen, wrong.why))];
  // Where only one question is left, it says that a reply will do.
  if (!isOneOfSeveral(asked)) return [];
  return [pen.texts.question.which(given(spoken(wrong.given, pen.context.botUser)))];
}

/** Whom the agent has asked can still say it: it is read when the run is over. */
function expired({ pen, question }: Asked, at: Part): Line {
  const texts = pen.texts.question;
  if (question.kind === 'review') return texts.reviewExpired(at);
  return question.askedBy === null && question.to.length > 0 ? texts.expiredAsked(at) : texts.expired(at);
}

/** How it ended; none while it is open. */
function ending(asked: Asked): Line[] {
  const { pen, thread, run, question } = asked;
  const { state, form } = question;
  const texts = pen.texts.question;
  const clock = clockFace(question.askedAtMs);
  const isReview = form.type === 'review';
  switch (state.is) {
    case 'open':
      return [];
    case 'expired':
      return [expired(asked, clock.at(question.expiresAtMs))];
    case 'withdrawn':
      return [isReview ? texts.reviewWithdrawn : texts.withdrawn];
    case 'answered': {
      const by = question.to.includes(state.by)
        ? somebody(pen, thread, run, state.by)
        : decider(pen, state.by, state.name);
      const when = clock.at(state.atMs);
      const review = isReview ? reviewSchema.safeParse(state.value).data : undefined;
      if (review?.action === 'accept') return [texts.accepted(by, when)];
      if (review?.action === 'edit') return [texts.acceptedEdited(by, when)];
      const said = t`“${words(cut(answerText(pen, question, state.value), ROOM.reason))}”`;
      return [review ? t`${texts.returned(by, when)}${said}` : texts.answered(by, when, said)];
    }
  }
}

/** The draft as far as a message holds it; as edited once an expert has edited it. */
function draftBlocks({ pen, question }: Asked): KnownBlock[] {
  if (question.form.type !== 'review') return [];
  const review = question.state.is === 'answered' ? reviewSchema.safeParse(question.state.value).data : undefined;
  const draft = review?.action === 'edit' ? review.text : question.form.draft;
  return [block.preformatted(cut(pen.show.text(draft), ROOM.draft))];
}

function buttons(asked: Asked): ActionsBlockElement[] {
  const { pen, thread, question } = asked;
  if (question.state.is !== 'open') return [];
  if (question.form.type !== 'review') return questionButtons(pen, thread, question);
  const ready = !isLongDraft(pen, question) || hasDraftFile(thread, question);
  return reviewButtons(pen, thread, question, ready);
}

function below(asked: Asked): Line {
  const { pen, thread, question } = asked;
  const texts = pen.texts.question;
  const until = clockFace(question.askedAtMs).at(question.expiresAtMs);
  const alone = takesReplies(asked) ? texts.orReply(until) : texts.until(until);
  const line = isOneOfSeveral(asked) ? texts.severalWait(until) : alone;
  if (!isLongDraft(pen, question)) return line;
  return t`${hasDraftFile(thread, question) ? texts.draftInFile : texts.draftPending} ${line}`;
}

/** What stands below one that is over: Slack lets a message that is rich text alone never have buttons again. */
const environment = ({ pen }: Asked): Line => t`${shorten(pen.context.environment, ROOM.label)}`;

function text(lines: readonly Line[], quiet: Quiet): RichTextBlock {
  const [first = [], ...more] = lines;
  return block.paragraph(
    more.reduce<Line>((all, line) => t`${all}${'\n'}${line}`, first),
    quiet,
  );
}

function message(asked: Asked): Message {
  const { question, run } = asked;
  const open = question.state.is === 'open';
  const wrong = wrongLine(asked);
  const lines = [opening(asked, ringsOf(asked.pen, question)), ...wrong, ...ending(asked)];
  const controls = buttons(asked);
  const blocks = (quiet: Quiet): KnownBlock[] => [
    text(lines, quiet),
    ...draftBlocks(asked),
    ...(controls.length === 0 ? [] : [block.actions(controls)]),
    block.fine([open ? below(asked) : environment(asked)], quiet),
  ];
  const push = pushText(open && wrong.length === 0 ? opening(asked, []) : (lines.at(-1) ?? []));
  const rung = [...question.to, ...question.scopes.flatMap(scope => scope.users)];
  // Whoever asked is named but not rung, unless the question is for them.
  const quiet: Quiet = { allBut: rung };
  return {
    key: questionKey(question),
    rank: 'final',
    place: place(asked),
    content: { text: push, blocks: blocks(nobody) },
    first: { text: pushText(opening(asked, [])), blocks: blocks(rung.length === 0 ? new Set(run.requesters) : quiet) },
    evidence: true,
  };
}

/** The messages of the questions that some runs have asked; what is over may stand where nobody has recorded it. */
export function questionMessages(pen: Pen, thread: Thread, run: Run, runs: ReadonlySet<string>): Message[] {
  return Object.values(thread.questions).flatMap(question => {
    if (!runs.has(question.run)) return [];
    const asked = { pen, thread, run, question };
    const file = draftFile(pen, thread, question, questionKey(question));
    return [message(asked), ...(file ? [file] : [])];
  });
}
