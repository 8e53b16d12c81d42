/**
 * Masks what looks like a secret wherever text is shown: the usual shapes of tokens and keys, passwords in addresses,
 * headers and assignments, and values under names that say so. Display only. Host, account, path and verb stay readable, and
 * a keyed fingerprint makes two different secrets look different.
 */
import { createHmac } from 'node:crypto';
import { characters } from './escape.ts';

/** Whole tokens that are recognised by their own shape. */
const tokens = [
  // Slack, GitHub, GitLab, npm, PyPI, Hugging Face, Docker, DigitalOcean, Linear, Vault, Databricks, Shopify, Terraform
  /\bxox[a-z]-[A-Za-z0-9.-]{8,}/,
  /\bxoxe\.xox[a-z]-[A-Za-z0-9.-]{8,}/,
  /\b(?:xapp|xwfp)-[A-Za-z0-9-]{8,}/,
  /\bgh[a-z]_[A-Za-z0-9]{16,}/,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/,
  /\bgl[a-z]{2,6}-[A-Za-z0-9_-]{16,}/,
  /\bnpm_[A-Za-z0-9]{20,}/,
  /\bpypi-[A-Za-z0-9_-]{16,}/,
  /\bhf_[A-Za-z0-9]{20,}/,
  /\bdckr_pat_[A-Za-z0-9_-]{16,}/,
  /\bdo[opr]_v1_[a-f0-9]{32,}/,
  /\blin_api_[A-Za-z0-9]{20,}/,
  /\bhv[sbr]\.[A-Za-z0-9_-]{20,}/,
  /\bdapi[a-f0-9]{32}\b/,
  /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b/,
  // AWS, Google, OpenAI and Anthropic, Stripe, SendGrid, Twilio, Telegram, age
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  /\bya29\.[A-Za-z0-9_-]{16,}/,
  /\bGOCSPX-[A-Za-z0-9_-]{16,}/,
  /\bsk-[A-Za-z0-9_-]{16,}/,
  /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /\b(?:SK|AC)[a-f0-9]{32}\b/,
  /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{40,}/,
  // JWT, also without its signature; keys in PEM, also cut off
  /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/,
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/,
] as const;

const secretName =
  '(?:password|passwd|passphrase|passcode|(?<![A-Za-z])pass|pwd|secret|token|api[_.-]?key|access[_.-]?key|account[_.-]?key|' +
  'private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|credentials?|session[_.-]?id)';

const bare = String.raw`[A-Za-z0-9+/=._~-]`;
const scheme = String.raw`(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate|AWS4-HMAC-SHA256)\b`;

/** What stands before a secret, in a look-behind (of bounded length, so that no text is slow); only the secret is matched. */
const placed = [
  // scheme://user:secret@host, and a long user alone before @
  /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:)[^\s/@]+(?=@)/i,
  /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[A-Za-z0-9_-]{20,}(?=@)/i,
  // Slack's and Discord's webhooks, signed addresses
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]+\/[A-Z0-9]+\/)[A-Za-z0-9]{8,}/,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{16,}/,
  /(?<=[?&\s,](?:sig|signature|X-Amz-Signature|X-Goog-Signature)=)[^\s&"'#]{8,}/i,
  // Authorization: Bearer …, Basic …, anything; Bearer … alone; X-…-Key: …; Cookie: name=…
  new RegExp(
    `(?<=\\bAuthorization\\\\?["']?\\s{0,8}[:=]\\s{0,8}\\\\?["']?(?:[A-Za-z-]{1,30}\\s{1,8})?)(?!${scheme})${bare}{4,}`,
    'i',
  ),
  new RegExp(`(?<=\\bBearer\\s{1,8})(?:(?=\\S*\\d)${bare}{8,}|${bare}{20,})`, 'i'),
  /(?<=\b(?:X-[A-Za-z-]{0,60}(?:Key|Token|Secret)|Private-Token)\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)[^\s"',;\\]{6,}/i,
  /(?<=\b(?:Set-)?Cookie\\?["']?\s{0,8}:\s{0,8}\\?["']?[^\s=;"']{1,60}=)[^\s;"']{8,}/i,
  // password=…, "token": "…", PGPASSWORD=…, --api-key …; a value in quotes is taken whole
  new RegExp(`(?<=${secretName}["']?\\s{0,8}[:=]\\s{0,8}")[^"\\n]+`, 'i'),
  new RegExp(`(?<=${secretName}["']?\\s{0,8}[:=]\\s{0,8}')[^'\\n]+`, 'i'),
  new RegExp(`(?<=${secretName}\\\\?["']?\\s{0,8}[:=]\\s{0,8}\\\\?["']?)[^\\s"'&,;\\\\{}()[\\]|<>•]{4,}`, 'i'),
  new RegExp(
    `(?<=(?<!\\S)--?(?:[a-z]{1,20}-){0,4}${secretName}(?:=|\\s{1,8})["']?)[^\\s"'&;|<>•-][^\\s"'&;|<>•]{3,}`,
    'i',
  ),
  /(?<=\bcurl\b[^\n]{0,400}\s(?:-u|--user)\s{1,8}["']?[^\s:"']{1,200}:)[^\s"']+/,
] as const;

const shapes: readonly RegExp[] = [...tokens, ...placed].map(shape => new RegExp(shape, `${shape.flags}g`));

/** A reference to a secret is not one: `$NAME`, `${NAME}`, `<name>`, a path. */
const reference = /^(?:\$\{?\w+\}?|\$\(.*|<[^>]*>|\{\{.*\}\}|(?:\.{0,2}|~)\/[\w./-]+|true|false|null|none|undefined)$/i;

const secretNames = new RegExp(`(?:${secretName}|authorization|(?<![A-Za-z])cookie)$`, 'i');
const secretFlag = new RegExp(`^--?(?:[a-z]+-)*${secretName}$`, 'i');
const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');

const alreadyMasked = /^•••• ?[(（]/;

/** How a masked value is written: `•••• (40 characters, fingerprint 7c2e)`. */
export type MaskWord = (characters: number, fingerprint: string) => string;

export interface Mask {
  /** Masks what looks like a secret inside a text. */
  readonly text: (text: string) => string;
  /** Masks the whole value of something called `name`, if the name says that it is secret; else what is inside. */
  readonly named: (name: string, value: string) => string;
  /** Masks words of a command: also what follows `--password` as a word of its own. */
  readonly list: (words: readonly string[]) => string[];
}

/** A mask whose fingerprints are HMAC-SHA256 under `key`, four hex digits. */
export function maskWith(key: string | Uint8Array, word: MaskWord): Mask {
  const masked = (secret: string): string =>
    alreadyMasked.test(secret) || reference.test(secret)
      ? secret
      : word(characters(secret), createHmac('sha256', key).update(secret).digest('hex').slice(0, 4));
  const text = (raw: string): string => {
    let out = raw;
    for (const shape of shapes) out = out.replace(shape, masked);
    return out;
  };
  const named = (name: string, value: string): string =>
    value !== '' && secretNames.test(snake(name)) ? masked(value) : text(value);
  const list = (words: readonly string[]): string[] =>
    words.map((item, index) => {
      const before = words[index - 1] ?? '';
      if (secretFlag.test(before) && !item.startsWith('-')) return masked(item);
      if (/^(?:-u|--user)$/.test(before)) return item.replace(/(?<=^[^:]+:).+$/s, masked);
      return text(item);
    });
  return { text, named, list };
}
