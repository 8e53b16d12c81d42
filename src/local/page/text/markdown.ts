/** Owns the reading of Markdown, as streams and markdown blocks carry it, into Slack's mrkdwn. Code stays as it is. */

/** Headings, bold, struck, links and list marks in mrkdwn's form; anything else is the same in both. */
export function markdownAsMrkdwn(text: string): string {
  const pieces = text.split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/);
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : converted(piece))).join('');
}

function converted(text: string): string {
  return text
    .replaceAll(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, '**$1**')
    .replaceAll(/^([ \t]*)[-*+][ \t]+/gm, '$1• ')
    .replaceAll(/\[([^\]\n]+)\]\((https?:[^\s)]+)\)/g, '<$2|$1>')
    .replaceAll(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g, (_all, stars?: string, lines?: string) => `*${stars ?? lines}*`)
    .replaceAll(/~~([^~\n]+)~~/g, '~$1~');
}
