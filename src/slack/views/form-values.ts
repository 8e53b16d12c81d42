/** Owns the shape in which Slack sends a form back, and the reading of single fields. */
import { FORMS } from './actions.ts';

interface Selected {
  readonly value: string;
}

/** A form's state as Slack sends it: by block id, then by action id. */
export type FormValues = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        {
          readonly value?: string | null | undefined;
          readonly selected_option?: Selected | null | undefined;
          readonly selected_options?: readonly Selected[] | null | undefined;
        }
      >
    >
  >
>;

interface Field {
  readonly block: string;
  readonly action: string;
}

/** What stands in a text field; empty when it is not there. */
export const textOf = (values: FormValues, { block, action }: Field): string => values[block]?.[action]?.value ?? '';

/** The value of the chosen option; undefined when nothing is chosen. */
export const chosenOf = (values: FormValues, { block, action }: Field): string | undefined =>
  values[block]?.[action]?.selected_option?.value;

/** The values of the chosen options. */
export const severalOf = (values: FormValues, { block, action }: Field): string[] =>
  (values[block]?.[action]?.selected_options ?? []).map(one => one.value);

/** The block of the `index`-th part of a long text. */
export const partOf = (index: number): Field =>
  index === 0 ? FORMS.text : { block: `${FORMS.text.block}.${index}`, action: FORMS.text.action };

/** The text of a form with one text (a question, a reason, a whole draft in parts), exactly as it was filled in. */
export function readText(values: FormValues): string {
  const parts: string[] = [];
  for (let index = 0; values[partOf(index).block] !== undefined; index += 1) parts.push(textOf(values, partOf(index)));
  return parts.join('\n');
}
