/**
 * Owns how controls meet their surroundings: what a click does, and which values a form keeps. Every value is a string as
 * the people's API takes it: text, an option's value, or a JSON list of option values.
 */
import type { Confirm, Element } from './shape.ts';

/** One use of a control. */
export interface Press {
  blockId: string;
  actionId: string;
  value: string | undefined;
  confirm: Confirm | undefined;
}

/** What a control needs from the message or view that it stands in. */
export interface BlockHost {
  click: (press: Press) => Promise<void>;
  /** Present in views: the values typed so far and the errors under fields. */
  form?: FormHost;
}

/** The values of a form, by block and action. */
export interface FormHost {
  id: string;
  value: (blockId: string, actionId: string) => string | undefined;
  change: (blockId: string, actionId: string, value: string) => void;
  errors: Record<string, string>;
}

/** A control and where it stands. */
export interface Standing {
  host: BlockHost;
  blockId: string;
}

/** Uses an element with a value, as a person does. */
export function press({ host, blockId }: Standing, element: Element, value: string | undefined): Promise<void> {
  return host.click({ blockId, actionId: element.action_id, value, confirm: element.confirm });
}

/** Reads a JSON list of option values; anything else is an empty list. */
export function readChoices(value: string | undefined): string[] {
  if (value === undefined || value === '') return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.filter(item => typeof item === 'string') : [];
}
