/**
 * Owns the names of the emoji that messages and reactions use. Emoji are drawn as Unicode characters by the system's own
 * font; a name that is not in the table is shown as its name between colons.
 */
const BY_NAME: Record<string, string> = {
  '+1': '👍',
  thumbsup: '👍',
  '-1': '👎',
  thumbsdown: '👎',
  eyes: '👀',
  wave: '👋',
  ok_hand: '👌',
  clap: '👏',
  pray: '🙏',
  raised_hands: '🙌',
  raised_hand: '✋',
  hand: '✋',
  point_right: '👉',
  muscle: '💪',
  smile: '😄',
  grinning: '😀',
  joy: '😂',
  slightly_smiling_face: '🙂',
  wink: '😉',
  thinking_face: '🤔',
  neutral_face: '😐',
  cry: '😢',
  sob: '😭',
  sweat_smile: '😅',
  heart: '❤️',
  tada: '🎉',
  rocket: '🚀',
  fire: '🔥',
  sparkles: '✨',
  star: '⭐',
  zap: '⚡',
  bulb: '💡',
  bell: '🔔',
  no_bell: '🔕',
  white_check_mark: '✅',
  heavy_check_mark: '✔️',
  ballot_box_with_check: '☑️',
  x: '❌',
  warning: '⚠️',
  question: '❓',
  exclamation: '❗',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  octagonal_sign: '🛑',
  rotating_light: '🚨',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  arrow_forward: '▶️',
  double_vertical_bar: '⏸️',
  leftwards_arrow_with_hook: '↩️',
  repeat: '🔁',
  arrows_counterclockwise: '🔄',
  ice_cube: '🧊',
  snowflake: '❄️',
  lock: '🔒',
  unlock: '🔓',
  key: '🔑',
  robot_face: '🤖',
  gear: '⚙️',
  hammer_and_wrench: '🛠️',
  wrench: '🔧',
  mag: '🔍',
  memo: '📝',
  page_facing_up: '📄',
  file_folder: '📁',
  link: '🔗',
  paperclip: '📎',
  wastebasket: '🗑️',
  calendar: '📆',
  date: '📅',
  alarm_clock: '⏰',
  stopwatch: '⏱️',
  email: '✉️',
  package: '📦',
  chart_with_upwards_trend: '📈',
  chart_with_downwards_trend: '📉',
  bug: '🐛',
  construction: '🚧',
  coffee: '☕',
  beers: '🍻',
  100: '💯',
  large_green_circle: '🟢',
  red_circle: '🔴',
  large_yellow_circle: '🟡',
  large_blue_circle: '🔵',
  speech_balloon: '💬',
};

/** The character for an emoji's name, or undefined when the name is not known here. */
export function emojiFor(name: string): string | undefined {
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
}

/** What is shown for an emoji: its code points (hyphen-joined hex) if Slack sent them, else by name, else `:name:`. */
export function emojiText(name: string, unicode?: string): string {
  if (unicode !== undefined && /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(unicode)) {
    const points = unicode.split('-').map(hex => Number.parseInt(hex, 16));
    if (points.every(point => point <= 0x10ffff)) return String.fromCodePoint(...points);
  }
  return emojiFor(name) ?? `:${name}:`;
}

/** Turns `:name:` into emoji in a plain_text object that allows it. */
export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+'-]+):/g, (whole, name: string) => emojiFor(name) ?? whole);
}
