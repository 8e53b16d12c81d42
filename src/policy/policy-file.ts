/**
 * Owns the policy file: from its text to people, rules and limits that can be used, or to every problem in it at once.
 * After this nothing about the file can be wrong any more.
 */
import type { PolicyFile } from './normal-form.ts';
import { type Beside, readAgents } from './read-agents.ts';
import { readLimits } from './read-limits.ts';
import { readPeople, readRoles } from './read-people.ts';
import { readChannels, readDefaults, readRules } from './read-rules.ts';
import { readTests } from './read-tests.ts';
import { FILE, FILE_LATER } from './schema.ts';
import { Source } from './source.ts';

/**
 * Reads a policy file. `problems` are in the order of the file, each as `  31:5   what is wrong`, with further lines under
 * it where a place in a condition is shown. `beside` reads the files that it names, by their paths relative to it.
 */
export function loadPolicyFile(
  text: string,
  fileName: string,
  beside: Beside = () => ({ why: 'cannot be read' }),
): { ok: PolicyFile } | { problems: string[] } {
  const source = new Source(text);
  const file = readFile(source, beside);
  const problems = source.problems();
  if (problems.length > 0 || !file) return { problems };
  return { ok: { ...file, fileName, text, notes: notesOn(file) } };
}

/** The whole refusal: the first line, then every problem. */
export const problemsText = (fileName: string, problems: readonly string[]): string =>
  [`${fileName} has ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}; nothing was started.`]
    .concat(problems)
    .join('\n');

type Content = Omit<PolicyFile, 'fileName' | 'text' | 'notes'>;

function readFile(source: Source, beside: Beside): Content | undefined {
  if (!source.readable) return undefined;
  if (source.root === null) {
    source.problem(0, 'the file is empty; the shortest one has version, people and defaults');
    return undefined;
  }
  const entries = source.entries(source.root, 'the file', 0);
  if (entries.length === 0) return undefined; // and that is a problem that has been told
  const file = source.section(entries, '', FILE, FILE_LATER);
  const top = new Map(entries.map(entry => [entry.key, entry]));
  if (!top.has('version')) source.problem(0, 'version is missing; write version: 1');

  const people = readPeople(source, top.get('people'));
  const channels = readChannels(source, top.get('channels'));
  const defaults = readDefaults(source, top.get('defaults'), people, channels.approvals);
  const rules = readRules(source, top.get('rules'), people, defaults);
  return {
    environment: file.environment?.value ?? 'local',
    language: file.language?.value ?? 'en',
    people,
    roles: readRoles(source, top.get('roles'), people),
    channels,
    agents: readAgents({ source, people, beside, expiresInMs: defaults.expiresInMs }, top.get('agents')),
    defaults,
    rules,
    limits: readLimits(source, top.get('limits')),
    tests: readTests(source, top.get('tests'), rules),
  };
}

function notesOn(file: Content): string[] {
  const notes: string[] = [];
  if (file.channels.approvals === null)
    notes.push('No channels.approvals: a card goes into the thread of the person who asked.');
  if (file.channels.operators === null) notes.push('No channels.operators: trouble is told only here and by /health.');
  if (file.roles.admins.length === 0) notes.push('No roles.admins: nobody can settle or unfreeze as an admin.');
  return notes;
}
