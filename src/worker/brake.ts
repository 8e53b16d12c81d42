/**
 * Owns the brake on everything, and the end of single permissions.
 *
 * 1. The freeze stands in the workspace's log before it is answered; every execution reads that log after its claim. 2. Cards
 * are drawn anew in the background, and nothing that runs is hidden: the answer lists it.
 */
import { standing, type Rights } from '../thread/decide/rights.ts';
import type { ActorEvidence, WorkspaceEvidence } from '../thread/evidence.ts';
import type { WorkspaceEvent } from '../thread/events.ts';
import type { Grant } from '../thread/grant.ts';
import type { GrantId, UserId } from '../thread/ids.ts';
import type { RefusalCode } from '../thread/refusal.ts';
import { at } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type { Acting } from './acting.ts';
import { runningIn } from './open-calls.ts';
import type { Frozen, Inbox, OpenCall, Person, Policy } from './ports.ts';

/** Threads that are read to say what still runs. */
const MOST = 100;

/** May this person pull the brake? Whom the policy names, and admins. */
export function mayFreeze(policy: Pick<Policy, 'freeze'>, actor: ActorEvidence): Rights {
  const person = standing(actor);
  if (person !== 'ok' || policy.freeze === null) return person;
  const named = policy.freeze.some(scope => actor.scopes.includes(scope.name));
  if (named || actor.admin === true) return 'ok';
  const unread = policy.freeze.some(scope => actor.unknownScopes.includes(scope.name));
  return unread || actor.admin === 'unknown' ? 'lookup_failed' : 'may_not_freeze';
}

/** May this person lift it? Admins. */
export function mayUnfreeze(actor: ActorEvidence): Rights {
  const person = standing(actor);
  if (person !== 'ok') return person;
  if (actor.admin === true) return 'ok';
  return actor.admin === 'unknown' ? 'lookup_failed' : 'not_admin';
}

export class Brake {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** Nothing starts after this; `running` is what still runs. A freeze that stands is left as it is. */
  async freeze(person: Person, why: string): Promise<Frozen> {
    const { policy } = this.#acting.parts.ports;
    const actor = await this.#acting.actor(person, policy.freeze ?? []);
    const rights = mayFreeze(policy, actor);
    if (rights !== 'ok') return this.#refuse(rights, person.user);
    const reason = why.trim();
    if (reason === '') return this.#refuse('reason_needed', person.user);
    await this.#write(({ frozen }) =>
      frozen === null ? [{ type: 'freeze.set', by: person.user, body: { why: reason, name: actor.name } }] : [],
    );
    return { refusal: null, workspace: this.#known, running: await this.#running() };
  }

  /** Lifts the freeze; what waits is looked at again. */
  async unfreeze(person: Person): Promise<Frozen> {
    const actor = await this.#acting.actor(person, []);
    const rights = mayUnfreeze(actor);
    if (rights !== 'ok') return this.#refuse(rights, person.user);
    let lifted = false;
    await this.#write(({ frozen }) => {
      lifted = frozen !== null;
      return lifted ? [{ type: 'freeze.cleared', by: person.user, body: { name: actor.name } }] : [];
    });
    return lifted ? { refusal: null, workspace: this.#known, running: [] } : this.#refuse('nothing_to_do', person.user);
  }

  /** Ends a permission for everything that has not started, by who gave it or an admin. */
  async revokeGrant(person: Person, id: GrantId): ReturnType<Inbox['revokeGrant']> {
    const { workspace } = this.#acting.parts;
    const actor = await this.#acting.actor(person, []);
    const read = await workspace.tail();
    const grant = at(read.grants ?? {}, id);
    const code = read.grants === undefined ? 'lookup_failed' : mayRevoke(grant, actor);
    if (code !== 'ok')
      return {
        refusal: {
          code,
          actor: person.user,
          ...(code === 'not_yours' && grant ? { by: grant.by, detail: 'grant' } : {}),
        },
        grant: grant ?? null,
      };
    await workspace.write(({ grants }) =>
      at(grants, id)?.revoked === null ? [{ type: 'grant.revoked', grant: id, by: person.user, body: {} }] : [],
    );
    return { refusal: null, grant: at(workspace.workspace.grants, id) ?? null };
  }

  get #known(): WorkspaceEvidence {
    return this.#acting.parts.workspace.known;
  }

  #refuse(code: RefusalCode, actor: UserId): Frozen {
    return { refusal: { code, actor }, workspace: this.#known, running: [] };
  }

  async #write(events: (workspace: Workspace) => readonly WorkspaceEvent[]): Promise<void> {
    const { workspace, background, signalOpen } = this.#acting.parts;
    await workspace.write(events);
    background.run('draw cards anew', signalOpen);
  }

  async #running(): Promise<readonly OpenCall[]> {
    const { threads } = await this.#acting.parts.open.threads(MOST);
    return threads.flatMap(runningIn);
  }
}

function mayRevoke(grant: Grant | undefined, actor: ActorEvidence): Rights {
  if (!grant) return 'not_found';
  if (grant.revoked !== null) return 'nothing_to_do';
  if (grant.by === actor.user || actor.admin === true) return 'ok';
  return actor.admin === 'unknown' ? 'lookup_failed' : 'not_yours';
}
