/**
 * Every number of characters, blocks and lines that the views keep to. Slack counts after escaping; we count UTF-16 units
 * after escaping, which is never less.
 */

/** Slack's own limits. */
export const SLACK = {
  /** All block text of a message together, to be safe from `msg_blocks_too_long`. */
  messageText: 9_000,
  messageBlocks: 50,
  header: 150,
  section: 3_000,
  contextElements: 10,
  button: 75,
  confirm: { title: 100, text: 300, button: 30 },
  title: 24,
  label: 2_000,
  option: 75,
  /** Options of one select, characters of one text field, blocks of one form. */
  options: 100,
  input: 3_000,
  formBlocks: 100,
} as const;

/** What each part of a card, form or line may take of that. */
export const ROOM = {
  push: 140,
  /** A header longer than Slack's limit shows this much, and the whole below it. */
  header: 140,
  /** Summary (when it does not fit into the header) and impact together. */
  impact: 1_000,
  /** Arguments on the card, changes included. */
  arguments: 2_600,
  /** Below the arguments: what a person edited, and what changed since people were asked before. */
  changed: 250,
  /** One value on the card. */
  value: 200,
  changes: 12,
  facts: 900,
  result: 900,
  resultLines: 5,
  quote: 300,
  agentWords: 300,
  why: 300,
  reason: 500,
  /** What an approver may ask the requester. */
  inquiry: 500,
  /** One row of the thread's status message, and how many there are at most. */
  summaryInRow: 160,
  rows: 24,
  answer: 8_200,
  /** Text in one block of the review form, and bytes of the whole form. */
  formBlock: 2_800,
  formBytes: 200_000,
  formBlocks: 80,
  /** Blocks of summary, impact and facts in a form. */
  formRest: 8,
  /** Slack takes files of text up to 1 MB. */
  fileBytes: 900_000,
  /** Fields of an edit; blocks of summary and facts beside what may be long. */
  editFields: 20,
  editText: 100_000,
  factBlocks: 8,
  /** Parts of a draft in a form: 3,000 characters each. */
  draftParts: 20,
  /** A draft in the message that asks for its review; a prompt; a given answer that was not taken. */
  draft: 6_000,
  prompt: 2_000,
  given: 200,
  /** All options of a question in its message, all ways of a choice on its card. */
  options: 3_000,
  ways: 1_000,
  /** Deeper arguments cannot be shown faithfully. */
  depth: 32,
  firstName: 12,
  control: 26,
  placeholder: 75,
  label: 40,
  labels: 6,
  people: 8,
  /** A link's token is replaced by an address that may be this long. */
  address: 200,
} as const;
