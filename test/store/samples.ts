/** Keys, events and small steps that the store's tests share. */
import type { Commit, Head } from '../../src/thread/commit.ts';
import type { Event, Json } from '../../src/thread/events.ts';
import {
  threadLog,
  type CallId,
  type ChannelId,
  type ExecutionId,
  type LogKey,
  type MessageTs,
  type RunId,
  type TeamId,
  type UserId,
} from '../../src/thread/ids.ts';
import type { Log, OpenItem } from '../../src/worker/ports.ts';

export const TEAM = 'T0ACME001' as TeamId;
export const EMPTY: Head = { number: 0, hash: '' };

let threads = 0;
/** A thread that no other test writes to. */
export const freshKey = (team = TEAM): LogKey =>
  threadLog({
    team,
    channel: 'C0OPS0001' as ChannelId,
    ts: `1790000000.${String(++threads).padStart(6, '0')}` as MessageTs,
  });

export const message = (text: string, ts = '1790000000.000001'): Event => ({
  type: 'message.received',
  ts: ts as MessageTs,
  channel: 'C0OPS0001' as ChannelId,
  author: 'U0DANA001' as UserId,
  team: TEAM,
  mention: true,
  direct: false,
  body: { text, name: 'Dana Ito', files: [] },
});

export const answer = (value: Json): Event => ({
  type: 'question.answered',
  question: 'Q1',
  by: 'U0DANA001' as UserId,
  key: 'V1.h1',
  body: { value, name: 'Dana Ito' },
});

export const result = (call: string): Event => ({
  type: 'call.ended',
  call: call as CallId,
  execution: `${call}.1` as ExecutionId,
  how: 'succeeded',
  effect: 'done',
  startedAtMs: 1,
  endedAtMs: 2,
  body: { result: `result of ${call}` },
});

export const proposal = (args: Json): Event => ({
  type: 'model.replied',
  run: 'r1' as RunId,
  turn: 1,
  model: 'demo',
  usage: { input: 1, output: 1 },
  calls: [{ call: 'CALL' as CallId, tool: 'execute' }],
  body: { text: '', calls: [{ args }] },
});

export const openItem = (id: string, summary = 'Run echo hello'): OpenItem => ({
  id,
  kind: 'approval',
  summary,
  by: 'U0DANA001' as UserId,
  untilMs: Date.UTC(2026, 10, 30, 18, 0),
});

/** The texts of the messages in a row of commits. */
export const textsOf = (commits: readonly Commit[]): string[] =>
  commits.flatMap(commit =>
    commit.events.flatMap(event => (event.type === 'message.received' ? [event.body?.text ?? ''] : [])),
  );

/** The head of a log as a cold reader finds it. */
export async function headOf(log: Log, key: LogKey): Promise<Head> {
  const { commits, snapshot } = await log.load(key);
  const last = commits.at(-1);
  return last ? { number: last.number, hash: last.hash } : (snapshot?.head ?? EMPTY);
}

/** Appends behind whatever is there, reading the tail again after each lost race: the new head, and how many races it lost. */
export async function insist(log: Log, key: LogKey, events: readonly Event[], from: Head = EMPTY) {
  let head = from;
  for (let lost = 0; ; lost++) {
    const appended = await log.append(key, head, events);
    if ('won' in appended) return { head: appended.won, lost };
    head = (await log.load(key, head)).commits.at(-1) ?? head;
  }
}

/** Appends one message per commit behind the log's head. */
export async function write(log: Log, key: LogKey, ...texts: string[]): Promise<Commit[]> {
  const won: Commit[] = [];
  let head = await headOf(log, key);
  for (const text of texts) {
    const appended = await log.append(key, head, [message(text)]);
    if ('lost' in appended) throw new Error(`Somebody else wrote to ${key}.`);
    won.push(appended.won);
    head = appended.won;
  }
  return won;
}
