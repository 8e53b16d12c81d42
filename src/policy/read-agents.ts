/**
 * Owns the section `agents`: who answers where, whom, with which model, words and tools, and to whom work is handed on.
 *
 * 1. Two agents never listen in one place. 2. Work that is handed on never comes back to where it was: hand-offs have no cycle.
 */
import type { ChannelId } from '../thread/ids.ts';
import type { HandOff } from '../worker/ports.ts';
import { nearest } from './nearest.ts';
import type { ListeningAgent } from './normal-form.ts';
import { type People, scopesNamed } from './read-people.ts';
import { AGENT, HAND_OFF, LISTEN } from './schema.ts';
import type { Entry, Read, Section, Source } from './source.ts';

/** The text of a file beside the policy file; a sentence about why there is none. */
export type Beside = (path: string) => { readonly text: string } | { readonly why: string };

/** Who answers where no agents are named: mentions everywhere and direct messages, everybody of this organisation. */
const ALONE: ListeningAgent = {
  name: 'default',
  channels: null,
  dm: true,
  requesters: null,
  followUps: 'requester',
  model: null,
  instructions: null,
  tools: null,
  handOffs: [],
};

interface Reading {
  readonly source: Source;
  readonly people: People;
  readonly beside: Beside;
  /** How long a review waits where its hand-off does not say. */
  readonly expiresInMs: number;
}

/** Reads `agents`, in their order; without it there is one. */
export function readAgents(reading: Reading, entry: Entry | undefined): readonly ListeningAgent[] {
  if (!entry) return [ALONE];
  const { source } = reading;
  const entries = source.entries(entry.node, 'agents', entry.at);
  const drafts = entries.map((each, index) => readAgent(reading, each, index === 0, entries));
  checkPlaces(source, drafts);
  checkCycles(source, drafts);
  const isDmTaken = drafts.slice(1).some(({ agent }) => agent.dm);
  return drafts.map(({ agent, saysDm }, index) => (index === 0 && !saysDm ? { ...agent, dm: !isDmTaken } : agent));
}

/** An agent, and where in the file its parts stand. */
interface Draft {
  readonly agent: ListeningAgent;
  readonly where: string;
  readonly at: number;
  readonly listen: Section<typeof LISTEN>;
  readonly saysDm: boolean;
  readonly handOffs: readonly { readonly to: string; readonly at: number }[];
}

function readAgent(reading: Reading, entry: Entry, isFirst: boolean, all: readonly Entry[]): Draft {
  const { source, people } = reading;
  const { key: name, at } = entry;
  const where = `agents.${name}`;
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name))
    source.problem(at, `${where}: a name has only small letters, digits, _ and - (at most 40)`);
  const entries = optionalEntries(source, entry, where);
  const read = source.section(entries, where, AGENT);
  const listenEntry = entries.find(({ key }) => key === 'listen');
  const listen = listenEntry
    ? source.section(source.entries(listenEntry.node, `${where}.listen`, listenEntry.at), `${where}.listen`, LISTEN)
    : {};
  const handed = entries.find(({ key }) => key === 'hand_off');
  const targets = handed ? source.entries(handed.node, `${where}.hand_off`, handed.at) : [];
  const agent: ListeningAgent = {
    name,
    channels: listen.channels?.value ?? (isFirst ? null : []),
    dm: listen.dm?.value ?? false,
    requesters: read.requesters ? scopesNamed(source, read.requesters, `${where}: requesters`, people) : null,
    followUps: listen.follow_ups?.value ?? 'requester',
    model: read.model?.value ?? null,
    instructions: instructionsOf(reading, read.instructions, where),
    tools: read.tools?.value ?? null,
    handOffs: targets.map(target => readHandOff(reading, target, where, all)),
  };
  return {
    agent,
    where,
    at,
    listen,
    saysDm: listen.dm !== undefined,
    handOffs: targets.map(({ key: to, at }) => ({ to, at })),
  };
}

/** The keys of a map that may also be empty, or not there at all. */
function optionalEntries(source: Source, entry: Entry, where: string): Entry[] {
  const value = source.plain(entry.node, entry.at);
  const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? [] : source.entries(entry.node, where, entry.at);
}

function instructionsOf({ source, beside }: Reading, path: Read<string> | undefined, where: string): string | null {
  if (!path) return null;
  const found = beside(path.value);
  if ('why' in found) {
    source.problem(path.valueAt, `${where}: instructions: ${path.value} ${found.why}`);
    return null;
  }
  if (found.text.trim() === '') source.problem(path.valueAt, `${where}: instructions: ${path.value} is empty`);
  return found.text;
}

function readHandOff(
  { source, people, expiresInMs }: Reading,
  entry: Entry,
  agent: string,
  all: readonly Entry[],
): HandOff {
  const { key: to, at } = entry;
  const where = `${agent}.hand_off.${to}`;
  const names = all.map(({ key }) => key);
  if (!names.includes(to))
    source.problem(at, `${where}: there is no such agent${nearest(to, names) || `; there are ${names.join(', ')}`}`);
  const read = source.section(optionalEntries(source, entry, where), where, HAND_OFF);
  if (!read.review)
    for (const key of ['expires', 'channel'] as const)
      if (read[key]) source.problem(read[key].at, `${where}: ${key} means nothing without review`);
  return {
    to,
    review: scopesNamed(source, read.review, `${where}: review`, people),
    channel: read.channel?.value ?? null,
    expiresInMs: read.expires?.value ?? expiresInMs,
  };
}

function checkPlaces(source: Source, drafts: readonly Draft[]): void {
  const channels = new Map<ChannelId, string>();
  let direct: string | undefined;
  for (const { agent, where, listen } of drafts) {
    for (const channel of listen.channels?.value ?? []) {
      const other = channels.get(channel);
      if (other !== undefined)
        source.problem(listen.channels?.at ?? 0, `${where}.listen: ${other} listens in ${channel} already`);
      else channels.set(channel, agent.name);
    }
    if (listen.dm?.value !== true) continue;
    if (direct !== undefined)
      source.problem(listen.dm.at, `${where}.listen: ${direct} has the direct messages already`);
    direct ??= agent.name;
  }
}

/** One problem for each cycle, where the hand-off stands that closes it. */
function checkCycles(source: Source, drafts: readonly Draft[]): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return;
    for (const { to, at } of drafts.find(({ agent }) => agent.name === name)?.handOffs ?? []) {
      const trail = [...path, name];
      const from = trail.indexOf(to);
      if (from < 0) visit(to, trail);
      else
        source.problem(
          at,
          `agents.${name}.hand_off.${to}: work would go round: ${[...trail.slice(from), to].join(' → ')}`,
        );
    }
    done.add(name);
  };
  for (const { agent } of drafts) visit(agent.name, []);
}
