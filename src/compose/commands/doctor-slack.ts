/** Owns what `doctor` says about Slack: token, socket, scopes, channels, and whether those who may decide see their cards. */
import type { PolicyFile } from '../../policy/normal-form.ts';
import type { SlackApi } from '../../slack/api.ts';
import { SlackDirectory } from '../../slack/directory.ts';
import { lookAtChannel, lookAtScopes, membersOf, socketProblem, type ScopesLook } from '../../slack/findings.ts';
import { identify, type Identity } from '../../slack/identity.ts';
import type { Scope } from '../../thread/events.ts';
import type { ChannelId } from '../../thread/ids.ts';
import { whyNot } from '../cannot-start.ts';
import { systemClock } from '../clock.ts';
import { quietApi, type SlackPlace } from '../slack-side.ts';
import { bad, good, odd, type Finding } from './finding.ts';

/** Everything about a Slack; without a policy file, channels and people are left out. */
export async function slackFindings(place: SlackPlace, file: PolicyFile | null): Promise<Finding[]> {
  const api = quietApi(place);
  let identity: Identity;
  try {
    identity = await identify(api);
  } catch (error) {
    return [bad('Slack', whyNot(error).join(' '))];
  }
  const findings = [await tokenFinding(place, identity), scopesFinding(await lookAtScopes(api, identity))];
  if (file === null) return findings;
  const channels = await Promise.all(channelsOf(file).map(channel => lookAtChannel(api, channel)));
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  for (const { id, name, isPrivate, problem } of channels) {
    const seen = `${id}, ${isPrivate ? 'private' : 'public'}, not shared, bot is a member`;
    findings.push(problem === null ? good(name, seen) : bad(name, problem));
  }
  const people = new People(api, identity);
  for (const { scope, channels: seenIn } of scopesOf(file)) findings.push(await people.finding(scope, seenIn, names));
  return findings;
}

async function tokenFinding(place: SlackPlace, { teamName, name }: Identity): Promise<Finding> {
  const startedMs = systemClock.monotonicMs();
  const problem = await socketProblem(quietApi(place, 'app'));
  const kind = place.embedded ? `embedded, at ${new URL(place.apiUrl ?? '').origin}` : 'token xoxb-…';
  const who = `${kind}  ${teamName}, @${name}`;
  if (problem !== null) return bad('Slack', `${who}; no socket for SLACK_APP_TOKEN: ${problem}`);
  const seconds = ((systemClock.monotonicMs() - startedMs) / 1000).toFixed(1);
  return good('Slack', `${who}; a socket is offered in ${seconds} s`);
}

function scopesFinding({ missing, told, needed, settings }: ScopesLook): Finding {
  if (!told) return odd('scopes', 'Slack does not say which the token has');
  if (missing.length === 0) return good('scopes', `all ${needed} are there`);
  const what = missing.map(each => `${each.scope} (${each.for})`).join(', ');
  return bad('scopes', `missing ${what} → ${settings ?? 'OAuth & Permissions of the app'}, add, reinstall`);
}

/** Every channel that agents listen in, or that messages of ours go to, other than threads. */
function channelsOf({ channels, rules, agents }: PolicyFile): ChannelId[] {
  const ruled = rules.flatMap(rule => (rule.verdict === 'ask' ? [rule.terms.channel] : []));
  const listened = agents.flatMap(agent => [
    ...(agent.channels ?? []),
    ...agent.handOffs.map(({ channel }) => channel),
  ]);
  return [...new Set([channels.approvals, channels.operators, ...ruled, ...listened])].filter(
    channel => channel !== null,
  );
}

interface Deciders {
  readonly scope: Scope;
  /** Where cards that these people decide are posted. */
  readonly channels: ReadonlySet<ChannelId>;
}

/** Everybody of `people:`, with the channels of the cards that they decide and of the drafts that they review. */
function scopesOf({ people, rules, defaults, agents }: PolicyFile): Deciders[] {
  const asking = [defaults, ...rules.flatMap(rule => (rule.verdict === 'ask' ? [rule.terms] : []))];
  return [...people.values()].map(scope => {
    const theirs = asking.filter(({ ladder }) =>
      ladder.some(step => step.scopes.some(({ name }) => name === scope.name)),
    );
    const reviewed = agents
      .flatMap(({ handOffs }) => handOffs)
      .filter(({ review }) => review.some(({ name }) => name === scope.name));
    return { scope, channels: new Set([...theirs, ...reviewed].flatMap(({ channel }) => channel ?? [])) };
  });
}

/** Names beyond these are counted. */
const NAMED = 5;

class People {
  readonly #api: SlackApi;
  readonly #directory: SlackDirectory;
  readonly #members = new Map<ChannelId, Promise<ReadonlySet<string> | undefined>>();

  constructor(api: SlackApi, { team }: Identity) {
    this.#api = api;
    this.#directory = new SlackDirectory({ api, clock: systemClock, team, admins: [] });
  }

  /** Who is in a scope, and who of them will not see the cards. */
  async finding(scope: Scope, channels: ReadonlySet<ChannelId>, names: ReadonlyMap<string, string>): Promise<Finding> {
    const deciders = await this.#directory.deciders([scope]);
    if (deciders === undefined)
      return bad('people', `${scope.name}: Slack does not say who ${await this.#unknown(scope)}`);
    if (deciders.length === 0) return bad('people', `${scope.name}: nobody who may decide`);
    const who = `${scope.name}: ${deciders.length} ${deciders.length === 1 ? 'person' : 'people'}`;
    const blind: string[] = [];
    for (const channel of channels) {
      const members = await this.#membersOf(channel);
      const outside = deciders.filter(user => members && !members.has(user));
      if (outside.length === 0) continue;
      const named = await Promise.all(outside.slice(0, NAMED).map(user => this.#directory.name(user)));
      const more = outside.length > NAMED ? [`${outside.length - NAMED} more`] : [];
      const list = [...named.map((name, index) => name || outside[index]), ...more].join(', ');
      const are = outside.length === 1 ? 'is' : 'are';
      blind.push(`${list} may decide but ${are} not in ${names.get(channel) ?? channel} and will not see cards`);
    }
    return blind.length === 0 ? good('people', who) : odd('people', `${who}; ${blind.join('; ')}`);
  }

  /** Which ids of a scope's people Slack does not know; `that is` where it is a group. */
  async #unknown({ users }: Scope): Promise<string> {
    const standings = await Promise.all(users.map(user => this.#directory.standing(user)));
    const ids = users.filter((_, index) => standings[index] === 'unknown');
    return ids.length === 0 ? 'that is' : `${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'}`;
  }

  #membersOf(channel: ChannelId): Promise<ReadonlySet<string> | undefined> {
    const known = this.#members.get(channel) ?? membersOf(this.#api, channel);
    this.#members.set(channel, known);
    return known;
  }
}
