/** Owns the forms of single values of the environment. No sentence here repeats the value. */
import { z } from 'zod';

const noControls = (text: string): boolean => [...text].every(letter => letter >= ' ' && letter !== '\u{7f}');

/** A text that is not blank and has no control characters. */
export const oneLine = z
  .string()
  .refine(text => text.trim() === text && text !== '', 'begins or ends with a space')
  .refine(noControls, 'has control characters in it');

/** A secret of a form. */
export const secretOf = (form: RegExp, otherwise: string) => z.string().regex(form, otherwise);

const addressOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** An address of a server; credentials do not belong in it. */
export const httpAddress = oneLine.superRefine((text, context) => {
  const address = addressOf(text);
  if (!address || !['http:', 'https:'].includes(address.protocol))
    context.addIssue('must be an address, http:// or https://');
  else if (address.username || address.password) context.addIssue('must not have a name or password in it');
});

/** Slack's tokens go there, so in clear text only to this machine. */
export const slackAddress = httpAddress.refine(text => {
  const address = addressOf(text);
  return address?.protocol !== 'http:' || ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
}, 'must be https:// unless it is on this machine');
