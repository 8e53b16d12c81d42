/**
 * Owns link tokens on their way to Slack: which messages a rendering points to, and the permalinks put in their place. What
 * cannot be resolved (yet) becomes its label, and the hash says so, so that the message is edited once the link is known.
 */
import { sha256, canonical } from '../thread/digest.ts';
import type { Place } from '../worker/ports.ts';
import { z } from 'zod';
import type { SlackApi } from './api.ts';
import type { Content } from './message.ts';
import { parseLink } from './views/links.ts';

/** Where a message of the same rendering stands; undefined while it has not been posted. */
export type Whereabouts = (key: string) => Place | undefined;

const IN_MRKDWN = /<(countersign:link:[^|<>]+)\|([^<>]*)>/g;

/** The tokens in places where links can stand. */
function tokensIn(content: Content): string[] {
  const found = new Set<string>();
  replaced(content, token => {
    found.add(token);
    return undefined;
  });
  return [...found];
}

const placeOf = (token: string, where: Whereabouts): Place | undefined => {
  const target = parseLink(token);
  if (target === undefined) return undefined;
  return 'key' in target ? where(target.key) : target;
};

/** Stands for what a message shows: its content with tokens, and which of them lead nowhere yet. */
export function hashOf(content: Content, where: Whereabouts): string {
  const open = tokensIn(content).filter(token => placeOf(token, where) === undefined);
  return sha256(canonical({ text: content.text, blocks: content.blocks, open: open.sort() }));
}

/** Replaces tokens; one whose message does not stand yet becomes its label. */
function replaced(content: Content, url: (token: string) => string | undefined): Content {
  const inMrkdwn = (text: string): string =>
    text.replace(IN_MRKDWN, (_, token: string, label: string) => {
      const to = url(token);
      return to === undefined ? label : `<${to}|${label}>`;
    });
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const object = value as Readonly<Record<string, unknown>>;
    if (object['type'] === 'mrkdwn' && typeof object['text'] === 'string')
      return { ...object, text: inMrkdwn(object['text']) };
    if (object['type'] === 'link' && typeof object['url'] === 'string' && parseLink(object['url'])) {
      const to = url(object['url']);
      return to === undefined ? { type: 'text', text: object['text'] ?? '' } : { ...object, url: to };
    }
    return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, walk(inner)]));
  };
  return { text: inMrkdwn(content.text), blocks: walk(content.blocks) as Content['blocks'] };
}

const permalink = z.looseObject({ permalink: z.string() });

export class Links {
  readonly #api: SlackApi;
  readonly #teamUrl: string;
  readonly #known = new Map<string, string>();

  /** `teamUrl` (with a slash at the end) makes an address where Slack does not give one. */
  constructor(api: SlackApi, teamUrl: string) {
    this.#api = api;
    this.#teamUrl = teamUrl;
  }

  /** The content with permalinks in place of tokens. */
  async resolve(content: Content, where: Whereabouts): Promise<Content> {
    const urls = new Map<string, string>();
    for (const token of tokensIn(content)) {
      const place = placeOf(token, where);
      if (place) urls.set(token, await this.#permalink(place));
    }
    return replaced(content, token => urls.get(token));
  }

  async #permalink({ channel, ts }: Place): Promise<string> {
    const name = `${channel}/${ts}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const answer = await this.#api('chat.getPermalink', { channel, message_ts: ts });
    const read = answer.is === 'ok' ? permalink.safeParse(answer.data) : undefined;
    if (!read?.success) return `${this.#teamUrl}archives/${channel}/p${ts.replace('.', '')}`;
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(name, read.data.permalink);
    return read.data.permalink;
  }
}

const KEPT = 5_000;
