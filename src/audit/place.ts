/**
 * Owns how people name a request or a thread to a command: a link to a message as Slack or the embedded workspace writes it,
 * or a short id; and the link that is printed back. Pure.
 */
import {
  parseThreadLog,
  tsFromDigits,
  type ChannelId,
  type LogKey,
  type MessageTs,
  type TeamId,
  type ThreadKey,
} from '../thread/ids.ts';

/** What somebody asked for. */
export type Wanted =
  | { readonly is: 'short'; readonly short: string }
  /** A message; `thread` where the link says in which thread it stands, `team` where it says in which workspace. */
  | {
      readonly is: 'message';
      readonly channel: ChannelId;
      readonly ts: MessageTs;
      readonly thread: MessageTs | null;
      readonly team: TeamId | null;
    };

const TS = /^\d{9,12}\.\d{6}$/;

/** Reads `A-7F3K`, a permalink, an address of Slack's own page, or `<channel>/<ts>`; undefined for anything else. */
export function readWanted(word: string): Wanted | undefined {
  const short = /^(?:A-)?([A-Z2-7]{4}|[A-Z2-7]{26})$/i.exec(word.trim())?.[1];
  if (short !== undefined) return { is: 'short', short: short.toUpperCase() };
  const plain = /^([CDG][A-Z0-9]{2,20})\/(\d{9,12}\.\d{6})$/.exec(word.trim());
  if (plain) return message(plain[1] ?? '', (plain[2] ?? '') as MessageTs);
  // Slack puts links between angle brackets.
  const address = word.trim().replace(/^<|(?:\|[^>]*)?>$/g, '');
  return URL.canParse(address) ? readAddress(new URL(address)) : undefined;
}

const message = (channel: string, ts: MessageTs, more: { thread?: MessageTs | null; team?: string } = {}): Wanted => ({
  is: 'message',
  channel: channel as ChannelId,
  ts,
  thread: more.thread ?? null,
  team: more.team === undefined ? null : (more.team as TeamId),
});

function readAddress({ pathname, searchParams }: URL): Wanted | undefined {
  const archive = /^\/archives\/([CDG][A-Z0-9]{2,20})\/p(\d{15,18})\/?$/.exec(pathname);
  if (archive) {
    const asked = searchParams.get('thread_ts') ?? '';
    return message(archive[1] ?? '', tsFromDigits(archive[2] ?? ''), {
      thread: TS.test(asked) ? (asked as MessageTs) : null,
    });
  }
  const client = /^\/client\/([TE][A-Z0-9]{2,20})\/([CDG][A-Z0-9]{2,20})\/thread\/\2-(\d{9,12}\.\d{6})\/?$/.exec(
    pathname,
  );
  if (!client) return undefined;
  const ts = (client[3] ?? '') as MessageTs;
  return message(client[2] ?? '', ts, { thread: ts, team: client[1] ?? '' });
}

/** Where threads can be opened: in Slack's own page, in the embedded workspace at an address, or nowhere now. */
export type Opens =
  { readonly in: 'slack' } | { readonly in: 'workspace'; readonly url: string } | { readonly in: 'none' };

/** Where a thread stands, as it is printed. */
export interface ThreadPlace {
  /** `#ops (C0OPS0001)`. */
  readonly channel: string;
  readonly address: string;
}

/** `#ops (C0OPS0001)`; a direct message as one; the id alone where `name` is ''. */
export function channelWords(id: ChannelId, name: string): string {
  if (id.startsWith('D')) return `a direct message (${id})`;
  return name === '' ? id : `${name} (${id})`;
}

/** The address of a thread; where it cannot be opened, `<channel>/<ts>`. */
export function threadAddress({ team, channel, ts }: ThreadKey, opens: Opens): string {
  if (opens.in === 'none') return `${channel}/${ts}`;
  if (opens.in === 'workspace') return `${opens.url}/archives/${channel}/p${ts.replace('.', '')}`;
  return `https://app.slack.com/client/${team}/${channel}/thread/${channel}-${ts}`;
}

/** How a log is called to people: `the thread <address>`; any other log by its key. */
export function logWords(log: LogKey, opens: Opens): string {
  const key = parseThreadLog(log);
  return key === undefined ? log : `the thread ${threadAddress(key, opens)}`;
}
