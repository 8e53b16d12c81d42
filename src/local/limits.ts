/**
 * Every number that Slack enforces and this workspace therefore enforces too. Lengths are in characters after escaping
 * (`&`, `<`, `>` count as they are stored), times in milliseconds.
 */
export const limits = {
  message: {
    blocks: 50,
    /** Slack publishes no figure for all block text of a message together; above about this it answers `msg_blocks_too_long`. */
    blockText: 9_000,
    text: 40_000,
    updateText: 4_000,
    markdownText: 12_000,
    metadataBytes: 16_000,
    reactionsEach: 23,
  },
  text: { object: 3_000, blockId: 255, actionId: 255 },
  header: { text: 150 },
  section: { text: 3_000, fields: 10, fieldText: 2_000 },
  context: { elements: 10 },
  actions: { elements: 25 },
  image: { altText: 2_000, title: 2_000, url: 3_000 },
  input: { label: 2_000, hint: 2_000, placeholder: 150, maxLength: 3_000 },
  button: { text: 75, value: 2_000, url: 3_000, accessibilityLabel: 75 },
  option: {
    text: 75,
    value: 150,
    description: 75,
    perSelect: 100,
    groups: 100,
    groupLabel: 75,
    perRadio: 10,
    perOverflow: 5,
  },
  confirm: { title: 100, text: 300, confirm: 30, deny: 30 },
  richText: { listIndent: 8 },
  view: {
    blocks: 100,
    title: 24,
    submit: 24,
    close: 24,
    privateMetadata: 3_000,
    callbackId: 255,
    externalId: 255,
    bytes: 250_000,
    stack: 3,
  },
  trigger: { livesMs: 3_000 },
  responseUrl: { livesMs: 30 * 60_000, uses: 5 },
  status: { livesMs: 2 * 60_000, text: 50, prompts: 4 },
  stream: { livesMs: 5 * 60_000 },
  file: { bytes: 1_000_000, previewBytes: 500 },
  delivery: {
    acknowledgeMs: 3_000,
    retryAfterMs: [0, 60_000, 300_000],
    /** How long a click waits for an app that is just starting or reconnecting. */
    clickWaitMs: 30_000,
    /** How long a person waits for the app's answer to a form or command. */
    formAnswerMs: 10_000,
    remembered: 200,
  },
  page: { default: 100, most: 1_000, shown: 500 },
  ephemeralsKept: 100,
} as const;
