/** Owns how an answer is shown: an option by its label, everything else as it was given, masked and visible. */
import { canonical } from '../../thread/digest.ts';
import { reviewSchema } from '../../thread/answer-form.ts';
import type { Json } from '../../thread/events.ts';
import type { Question } from '../../thread/thread.ts';
import type { Pen } from './context.ts';

function labelOf(pen: Pen, { form }: Pick<Question, 'form'>, value: Json): string {
  const options = 'options' in form ? form.options : [];
  const option = options.find(one => canonical(one.value) === canonical(value));
  if (option) return pen.show.line(option.label);
  if (form.type === 'yes_no' && typeof value === 'boolean') return value ? pen.texts.control.yes : pen.texts.control.no;
  return typeof value === 'string' ? pen.show.line(value) : pen.show.json(value);
}

/** An answer on one line; untrusted words. */
export function answerText(pen: Pen, question: Pick<Question, 'form'>, value: Json): string {
  const { form } = question;
  if (form.type === 'choices' && Array.isArray(value))
    return value.length === 0
      ? pen.texts.question.nothing
      : value.map(one => labelOf(pen, question, one)).join(pen.texts.list.comma);
  const review = form.type === 'review' ? reviewSchema.safeParse(value).data : undefined;
  if (review?.action === 'return') return pen.show.line(review.why);
  if (review !== undefined) return review.action;
  const text = labelOf(pen, question, value);
  return text === '' ? pen.texts.question.nothing : text;
}
