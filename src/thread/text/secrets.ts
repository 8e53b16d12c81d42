/**
 * Masks what looks like a secret wherever text is shown: the usual shapes of tokens and keys, passwords in addresses,
 * headers and assignments, and values under names that say so. Display only. Host, account, path and verb stay readable, and
 * a keyed fingerprint makes two different secrets look different.
 *
 * A mask is no place to hide in: the texts are the model's, and what stands in them may be carried out. Where a text could be
 * a command, nothing is masked that ends a word there, separates commands or is substituted.
 */
import { createHmac } from 'node:crypto';

const pemHeader = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [\w ,.:()/-]{0,80}`;

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
  // Mailgun, Atlassian and Bitbucket, Grafana, New Relic
  /\bkey-[a-f0-9]{32}\b/,
  /\b[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}\b/,
  /\bAT(?:A|C|S)TT3[A-Za-z0-9_-]{20,}(?:=[A-F0-9]{8}\b)?/,
  /\bATBB[A-Za-z0-9]{24,}/,
  /\bglsa_[A-Za-z0-9]{20,}_[a-f0-9]{8}\b/,
  /\bglc_[A-Za-z0-9+/]{20,}={0,2}/,
  /\bNR(?:AK|AA|II|IQ|RA|JS|BR|SP)-[A-Za-z0-9_-]{18,}/,
  /\b[A-Za-z0-9]{30,40}NRAL\b/,
  // JWT, also without its signature
  /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/,
  // Grafana's older keys: base64 of `{"k":"`
  /\beyJrIjoi[A-Za-z0-9+/]{20,}={0,2}/,
  // Keys in PEM, also cut off: only lines that such a key is made of. A line of small letters alone may be a command.
  new RegExp(
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----' +
      String.raw`(?:(?:\s|\\{1,2}[nr])+(?:${pemHeader}|(?=[a-z0-9/]*[A-Z+=])[A-Za-z0-9+/]+={0,2}|=[A-Za-z0-9+/]{4})(?=[\s\\"'-]|$))*` +
      String.raw`(?:(?:\s|\\{1,2}[nr])*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`,
  ),
] as const;

const secretName =
  '(?:password|passwd|passphrase|passcode|(?<![A-Za-z])pass|pwd|secret|token|api[_.-]?key|access[_.-]?key|account[_.-]?key|' +
  'private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|credentials?|session[_.-]?id)';

const bare = String.raw`[A-Za-z0-9+/=._~-]`;
const scheme = String.raw`(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate|AWS4-HMAC-SHA256)\b`;
/** Blanks that stay on the line. */
const gap = String.raw`[ \t]`;
/** Between a name and its value. In a shell, what stands after `NAME= ` is a command. */
const is = `(?:${gap}{0,8}:${gap}{0,8}|=|${gap}{1,8}=${gap}{0,8})`;
/** One character of a secret in any text, so also in a command: what could end a word there or run something is not hidden. */
const piece = String.raw`(?:[^\s"'\\;|&<>•$${'`'}]|\$(?![({]))`;

/** Commands that take a password behind `-p`: at once, or as the next word. What follows `-p ` of the first kind is a database. */
const joinedPassword = String.raw`(?:mysql|mariadb)[\w-]{0,20}`;
const nextPassword = String.raw`(?:mongo(?:sh|dump|restore|export|import|stat|top)?|sshpass)`;
/** One of these commands, and what of the same command stands before the option. */
const commandOf = (name: string): string => String.raw`(?<![\w.-])${name}(?:\.exe)?${gap}(?:[^\n;|&]{0,400}${gap})?`;

/** 40 characters as an AWS secret access key has them, and neither a digest nor a word. */
const awsSecret =
  String.raw`(?<![\w+/=])(?=[A-Za-z0-9+/]{40}(?![\w+/=]))` +
  String.raw`(?=[A-Za-z0-9+/]{0,39}[A-Z])(?=[A-Za-z0-9+/]{0,39}[a-z])(?=[A-Za-z0-9+/]{0,39}[0-9])`;
const awsName = String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}|(?:[Ss]ecret|SECRET)[ _-]?(?:(?:[Aa]ccess|ACCESS)[ _-]?)?(?:[Kk]ey|KEY)`;

/** What is recognised by what stands beside it, which is itself masked afterwards. */
const beside = [
  new RegExp(`${awsSecret}(?<=(?:${awsName})[^]{0,80})[A-Za-z0-9+/]{40}`),
  new RegExp(`${awsSecret}[A-Za-z0-9+/]{40}(?=[^]{0,80}(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9]))`),
] as const;

/** Between two words of a `.netrc`. */
const apart = String.raw`(?:\s|\\[nrt]){1,40}`;

/** What stands before a secret, in a look-behind (of bounded length, so that no text is slow); only the secret is matched. */
const placed = [
  // scheme://user:secret@host, and a long user alone before @
  new RegExp(
    String.raw`(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:)(?:(?![/@])${piece})+(?=[^\s/@]{0,200}@)`,
    'i',
  ),
  /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[A-Za-z0-9_-]{20,}(?=@)/i,
  // Slack's and Discord's webhooks, signed addresses
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]+\/[A-Z0-9]+\/)[A-Za-z0-9]{8,}/,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{16,}/,
  new RegExp(String.raw`(?<=[?&\s,](?:sig|signature|X-Amz-Signature|X-Goog-Signature)=)(?:(?!#)${piece}){8,}`, 'i'),
  // Authorization: Bearer …, Basic …, anything; Bearer … alone; X-…-Key: …; Cookie: name=…
  new RegExp(
    `(?<=\\bAuthorization\\\\?["']?${is}\\\\?["']?(?:[A-Za-z-]{1,30}${gap}{1,8})?)(?!${scheme})${bare}{4,}`,
    'i',
  ),
  new RegExp(`(?<=\\bBearer${gap}{1,8})(?:(?=\\S*\\d)${bare}{8,}|${bare}{20,})`, 'i'),
  new RegExp(
    `(?<=\\b(?:X-[A-Za-z-]{0,60}(?:Key|Token|Secret)|Private-Token)\\\\?["']?${is}\\\\?["']?)(?:(?!,)${piece}){6,}`,
    'i',
  ),
  new RegExp(`(?<=\\b(?:Set-)?Cookie\\\\?["']?${gap}{0,8}:${gap}{0,8}\\\\?["']?[^\\s=;"']{1,60}=)${piece}{8,}`, 'i'),
  // password=…, "token": "…", PGPASSWORD=…, --api-key …
  new RegExp(`(?<=${secretName}["']?${is}["'])${piece}+`, 'i'),
  new RegExp(`(?<=${secretName}\\\\?["']?${is}\\\\?["']?)(?:(?![,{}()[\\]])${piece}){4,}`, 'i'),
  new RegExp(`(?<=(?<!\\S)--?(?:[a-z]{1,20}-){0,4}${secretName}(?:=|${gap}{1,8})["']?)(?!-)${piece}{4,}`, 'i'),
  new RegExp(`(?<=\\bcurl\\b[^\\n]{0,400}\\s(?:-u|--user)${gap}{1,8}["']?[^\\s:"']{1,200}:)${piece}+`),
  // mysql -psecret, mysql --password=…, sshpass -p secret, and lines of a .netrc
  new RegExp(`(?<=${commandOf(joinedPassword)}(?:-p|--password=)["']?)${piece}+`),
  new RegExp(`(?<=${commandOf(nextPassword)}(?:-p(?:${gap}{1,8})?|--password(?:=|${gap}{1,8}))["']?)(?!-)${piece}+`),
  new RegExp(
    String.raw`(?<=(?:\bmachine${apart}\S{1,200}|\bdefault)${apart}login${apart}\S{1,200}${apart}` +
      String.raw`(?:account${apart}\S{1,200}${apart})?password${gap}{1,8}["']?)${piece}+`,
  ),
  new RegExp(String.raw`(?<=\bmachine${apart}\S{1,200}${apart}password${gap}{1,8})${piece}+(?=${apart}login\s)`),
] as const;

/** In a text that is JSON as a whole, quotes are what they seem to be: there a value is taken whole, blanks and all. */
const quoted = new RegExp(`(?<=${secretName}"\\s{0,8}:\\s{0,8}")(?:[^"\\\\$${'`'}]|\\\\.|\\$(?![({]))+`, 'gi');

const shapes: readonly RegExp[] = [...beside, ...tokens, ...placed].map(shape => new RegExp(shape, `${shape.flags}g`));

/** A reference to a secret is not one: `$NAME`, `${NAME}`, `<name>`, a path. */
const reference = /^(?:\$\{?\w+\}?|\$\(.*|<[^>]*>|\{\{.*\}\}|(?:\.{0,2}|~)\/[\w./-]+|true|false|null|none|undefined)$/i;

const secretNames = new RegExp(`(?:${secretName}|authorization|(?<![A-Za-z])cookie)$`, 'i');
const secretFlag = new RegExp(`^--?(?:[a-z]+-)*${secretName}$`, 'i');
const nextCommand = new RegExp(String.raw`^(?:.*[\\/])?${nextPassword}(?:\.exe)?$`);
const anyCommand = new RegExp(String.raw`^(?:.*[\\/])?(?:${joinedPassword}|${nextPassword})(?:\.exe)?$`);
const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');

const alreadyMasked = /^•••• ?[(（]/;

/** How a masked value is written: `•••• (40 characters, fingerprint 7c2e)`. */
export type MaskWord = (characters: number, fingerprint: string) => string;

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface Mask {
  /** Masks what looks like a secret inside a text. */
  readonly text: (text: string) => string;
  /** Masks the whole value of something called `name`, if the name says that it is secret; else what is inside. */
  readonly named: (name: string, value: string) => string;
  /** Masks words of a command: also what follows `--password` as a word of its own. */
  readonly list: (words: readonly string[]) => string[];
}

/** Where the first of these commands stands; infinity where none does. */
function firstOf(words: readonly string[], command: RegExp): number {
  const index = words.findIndex(word => command.test(word));
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** A mask whose fingerprints are HMAC-SHA256 under `key`, four hex digits. */
export function maskWith(key: string | Uint8Array, word: MaskWord): Mask {
  const masked = (secret: string): string =>
    alreadyMasked.test(secret) || reference.test(secret)
      ? secret
      : word(Array.from(secret).length, createHmac('sha256', key).update(secret).digest('hex').slice(0, 4));
  const text = (raw: string): string => {
    let out = isJson(raw) ? raw.replace(quoted, masked) : raw;
    for (const shape of shapes) out = out.replace(shape, masked);
    return out;
  };
  const named = (name: string, value: string): string =>
    value !== '' && secretNames.test(snake(name)) ? masked(value) : text(value);
  const list = (words: readonly string[]): string[] => {
    const joined = firstOf(words, anyCommand);
    const next = firstOf(words, nextCommand);
    return words.map((item, index) => {
      const before = words[index - 1] ?? '';
      const isNext = secretFlag.test(before) || (before === '-p' && next < index - 1);
      if (isNext && /^[^-\s]\S*$/.test(item)) return masked(item);
      if (joined < index && /^-p\S+$/.test(item)) return `-p${masked(item.slice(2))}`;
      if (/^(?:-u|--user)$/.test(before)) return item.replace(/(?<=^[^:\s]+:)\S+$/, masked);
      return text(item);
    });
  };
  return { text, named, list };
}
