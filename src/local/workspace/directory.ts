/** Who and where: people, user groups, channels and their members. Everything is looked up by id, as Slack does. */
import type { Channel, Group, Person, Seed } from '../world.ts';
import { APP } from '../world.ts';
import type { Collection, Storage } from './storage.ts';

export class Directory {
  readonly #people: Collection<Person>;
  readonly #groups: Collection<Group>;
  readonly #channels: Collection<Channel>;
  /** Lists come in the order of the cast; whoever joined later comes last. */
  readonly #order: ReadonlyMap<string, number>;

  /** Takes from the seed what is not stored yet; what people changed since stays. */
  constructor(storage: Storage, seed: Seed) {
    this.#people = storage.collection<Person>('person');
    this.#groups = storage.collection<Group>('group');
    this.#channels = storage.collection<Channel>('channel');
    const cast = [...seed.people, ...seed.groups, ...seed.channels];
    this.#order = new Map(cast.map((one, index) => [one.id, index]));
    storage.transaction(() => {
      for (const one of seed.people) if (!this.#people.get(one.id)) this.#people.put(one.id, one);
      for (const one of seed.groups) if (!this.#groups.get(one.id)) this.#groups.put(one.id, one);
      for (const one of seed.channels) if (!this.#channels.get(one.id)) this.#channels.put(one.id, one);
    });
  }

  person(id: string): Person | undefined {
    return this.#people.get(id);
  }

  people(): Person[] {
    return this.#inOrder(this.#people.list());
  }

  group(id: string): Group | undefined {
    return this.#groups.get(id);
  }

  groups(): Group[] {
    return this.#inOrder(this.#groups.list());
  }

  channel(id: string): Channel | undefined {
    return this.#channels.get(id);
  }

  channels(): Channel[] {
    return this.#inOrder(this.#channels.list());
  }

  /** The channel with this name (with or without `#`). */
  channelNamed(name: string): Channel | undefined {
    const bare = name.replace(/^#/, '');
    return this.channels().find(channel => channel.imUser === undefined && channel.name === bare);
  }

  /** The direct message between the app and this person. */
  directMessage(userId: string): Channel | undefined {
    return this.channels().find(channel => channel.imUser === userId);
  }

  /** Says whether the app sits in the channel and so hears what is said there. */
  appIsIn(channel: Channel): boolean {
    return channel.members.includes(APP.userId);
  }

  #inOrder<T extends { readonly id: string }>(all: T[]): T[] {
    const place = ({ id }: T): number => this.#order.get(id) ?? this.#order.size;
    return all.sort((one, other) => place(one) - place(other));
  }

  putPerson(person: Person): void {
    this.#people.put(person.id, person);
  }

  putGroup(group: Group): void {
    this.#groups.put(group.id, group);
  }

  putChannel(channel: Channel): void {
    this.#channels.put(channel.id, channel);
  }
}
