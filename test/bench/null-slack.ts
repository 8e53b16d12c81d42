/**
 * Owns a Slack that takes every post at once: the real rendering decides what should stand and what is behind, every post and
 * edit succeeds in no time, and what comes back to be recorded is what the real reconciler records.
 */
import { canonical } from '../../src/thread/digest.ts';
import type { MessageTs } from '../../src/thread/ids.ts';
import type { WorkspaceEvidence } from '../../src/thread/evidence.ts';
import type { Post, Thread } from '../../src/thread/thread.ts';
import type { Posted, Views } from '../../src/worker/ports.ts';
import { inOrder, needOf, recorded, type Need } from '../../src/slack/desired.ts';
import { hashOf, type Address } from '../../src/slack/links.ts';
import type { Message } from '../../src/slack/message.ts';
import type { RenderContext } from '../../src/slack/views/context.ts';
import { render } from '../../src/slack/views/render.ts';
import { room } from '../../src/slack/views/room.ts';
import type { Clock } from '../../src/worker/ports.ts';

export class NullSlack implements Views {
  /** Posts and edits so far, by what was posted. */
  readonly writes = { card: 0, status: 0, answer: 0 };
  readonly #context: RenderContext;
  readonly #clock: Clock;
  readonly #addresses = new Map<string, Address>();
  #ts = 0;

  constructor(context: RenderContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
  }

  room: Views['room'] = (call, evidence) => room(call, evidence, this.#context);

  behind: Views['behind'] = (thread, workspace) =>
    this.#render(thread, workspace).some(message => this.#need(message, thread.posts).is !== 'none');

  card: Views['card'] = (thread, of, place) => {
    const id = 'approval' in of ? of.approval : of.execution;
    const ours = Object.values(thread.posts).some(
      post => post.key.startsWith(`card/${id}/`) && post.channel === place.channel && post.ts === place.ts,
    );
    return Promise.resolve({ is: ours ? 'ours' : 'wrong', found: null });
  };

  announce: Views['announce'] = () => Promise.resolve([]);
  working: Views['working'] = () => undefined;

  reconcile: Views['reconcile'] = (thread, workspace) => {
    const posts = { ...thread.posts };
    const posted = inOrder(this.#render(thread, workspace)).flatMap(message => this.#bring(message, posts));
    return Promise.resolve({ posted, retryAtMs: null });
  };

  /** Where the message with this key stands; keys of different threads differ. */
  address(key: string): Address {
    const found = this.#addresses.get(key);
    if (!found) throw new Error(`Nothing was posted as ${key}.`);
    return found;
  }

  #bring(message: Message, posts: Record<string, Post>): Posted[] {
    const need = this.#need(message, posts);
    if (need.is === 'none') return [];
    if ('under' in message.place || need.is === 'react') throw new Error(`This work posts no ${message.key}.`);
    const address = need.is === 'update' ? need.address : { channel: message.place.channel, ts: this.#nextTs() };
    const state = need.is === 'update' ? 'updated' : 'posted';
    const post = { key: message.key, ...address, hash: '', state, code: null, atMs: this.#clock.nowMs() } as const;
    posts[message.key] = post;
    const hash = hashOf(message.content, recorded(posts));
    posts[message.key] = { ...post, hash };
    this.#addresses.set(message.key, address);
    this.#count(message.key);
    const shown = message.evidence ? { shown: canonical(message.content) } : {};
    return [{ key: message.key, ...address, hash, state, atMs: post.atMs, body: shown }];
  }

  #count(key: string): void {
    const [kind = ''] = key.split('/');
    if (kind === 'card' || kind === 'status' || kind === 'answer') this.writes[kind] += 1;
    else throw new Error(`This work posts no ${key}.`);
  }

  #render(thread: Thread, workspace: WorkspaceEvidence): Message[] {
    return render(thread, workspace, this.#context);
  }

  #need(message: Message, posts: Record<string, Post>): Need {
    return needOf(message, posts, this.#clock.nowMs());
  }

  #nextTs(): MessageTs {
    this.#ts += 1;
    return `1796047200.${String(this.#ts).padStart(6, '0')}` as MessageTs;
  }
}
