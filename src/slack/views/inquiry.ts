/** Owns the line about what an approver asked the requester: on the card, and in the reply under it. */
import type { Question } from '../../thread/thread.ts';
import { decider, type Pen } from './context.ts';
import { words, type Line, type Part } from './line.ts';
import { cut } from './text/escape.ts';
import { answerText } from './answers.ts';

/** `Mia asked Dana: “Which cluster?” Dana: “eu-1”`, each at most `max` characters. */
export function inquiryLine(pen: Pen, question: Question, whom: Part, max: number): Line {
  const { reply } = pen.texts;
  const by =
    question.askedBy === null ? pen.texts.people.anybody : decider(pen, question.askedBy.by, question.askedBy.name);
  const line = reply.inquiry(by, whom, words(cut(pen.show.line(question.prompt), max)));
  const { state } = question;
  switch (state.is) {
    case 'open':
      return line;
    case 'answered': {
      const answer = words(cut(answerText(pen, question, state.value), max));
      return [...line, ...reply.inquiryAnswered(decider(pen, state.by, state.name), answer)];
    }
    case 'expired':
    case 'withdrawn':
      return [...line, ...reply.inquiryOver];
  }
}
