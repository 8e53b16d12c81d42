/** Who is served and who may decide: every kind of person, in channels of ours and in shared ones. */
import { expect, test } from 'vitest';
import { SlackDirectory } from '../../src/slack/directory.ts';
import { readEvent, readMessageEvent } from '../../src/slack/inbound/bodies.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import { entitlement } from '../../src/thread/decide/rights.ts';
import type { Scope } from '../../src/thread/events.ts';
import { emptyThread } from '../../src/thread/thread.ts';
import { fold } from '../../src/thread/fold.ts';
import type { Commit } from '../../src/thread/commit.ts';
import type { UserId } from '../../src/thread/ids.ts';
import { FakeSlack } from '../support/fake-slack.ts';
import { handClock } from '../support/hand-clock.ts';
import { need, request, terms } from './views/fixtures.ts';
import { TEAM } from './stage.ts';

const WHO = 'U0WHO0001' as UserId;
const named: Scope = { name: 'named', label: 'Named', users: [WHO], groups: [] };

const people = {
  'a member': { team_id: TEAM },
  'a guest of one channel': { team_id: TEAM, is_ultra_restricted: true },
  'a guest of several channels': { team_id: TEAM, is_restricted: true },
  'somebody invited': { team_id: TEAM, is_invited_user: true },
  'a stranger': { team_id: TEAM, is_stranger: true },
  'somebody of another organisation': { team_id: 'T0PARTNER' },
  'somebody deactivated': { team_id: TEAM, deleted: true },
  'a bot': { team_id: TEAM, is_bot: true },
} as const;
type Kind = keyof typeof people;

/** Served by an agent for everybody, served by one whose rule names them, and the answer to their click. */
const verdicts: Readonly<Record<Kind, readonly [open: string, byRule: string, click: string]>> = {
  'a member': ['served', 'served', 'ok'],
  'a guest of one channel': ['not_a_member', 'served', 'guest'],
  'a guest of several channels': ['not_a_member', 'served', 'guest'],
  'somebody invited': ['not_a_member', 'served', 'guest'],
  'a stranger': ['not_a_member', 'served', 'external'],
  'somebody of another organisation': ['not_a_member', 'served', 'external'],
  'somebody deactivated': ['not_a_member', 'not_a_member', 'deactivated'],
  'a bot': ['not_a_member', 'not_a_member', 'bot'],
};
const kinds = Object.keys(people) as Kind[];

test.each(kinds.flatMap(kind => ['our own channel', 'a shared channel'].map(channel => [kind, channel] as const)))(
  '%s, writing in %s, gets the verdict of who they are: closed unless a rule names them, and never a decider [S-48]',
  async (kind, channel) => {
    const clock = handClock();
    const slack = new FakeSlack(() => clock.nowMs());
    slack.users.set(WHO, { id: WHO, ...people[kind] });
    const directory = new SlackDirectory({ api: slack.api, clock, team: TEAM, admins: [] });
    const actor = await directory.actor(WHO, [named]);
    const isShared = channel === 'a shared channel';
    const home = people[kind].team_id;
    const delivery = need(
      readEvent({
        type: 'event_callback',
        team_id: isShared ? home : TEAM,
        authorizations: [{ team_id: TEAM }],
        event: {
          type: 'app_mention',
          user: WHO,
          text: '<@U0BOT0001> run echo hello',
          ts: '1796047200.000100',
          channel: 'C0GENERAL',
          ...(isShared ? { user_team: home, source_team: home, team: home } : {}),
        },
      }),
    );
    expect(delivery.team).toBe(TEAM);
    const { thread: key, message } = need(readMessageEvent(delivery.event, TEAM, slack.self));
    expect(key.team).toBe(TEAM);

    const verdictFor = (requesters: readonly Scope[] | null): string => {
      const thread = emptyThread(key);
      const taken = { ...message, name: '', followUps: 'requester' } as const;
      const received = decide(thread, { type: 'receive', messages: [taken], salt: 's' }, clock.nowMs());
      fold(thread, { number: 1, hash: 'h', atMs: clock.nowMs(), events: received.events } as unknown as Commit);
      const started = decide(
        thread,
        { type: 'start', agent: 'main', messages: [message.ts], authors: [actor], requesters },
        clock.nowMs(),
      );
      const end = started.events.find(event => event.type === 'run.ended');
      return end?.type === 'run.ended' ? (end.code ?? '') : 'served';
    };
    const open = { ...need(request().approval), terms: { ...terms, ladder: [{ afterMs: 0, scopes: [named] }] } };
    expect([verdictFor(null), verdictFor([named]), entitlement(open, actor, open.requestedAtMs)]).toEqual(
      verdicts[kind],
    );
  },
);
