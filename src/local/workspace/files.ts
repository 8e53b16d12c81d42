/** Files that the app uploads: first a ticket, then the bytes, then a message that shows them. */
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceIds } from './time.ts';

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly announcedBytes: number;
  readonly createdAtMs: number;
  /** Absent until the bytes have arrived. */
  readonly contentBase64?: string;
  readonly complete: boolean;
}

export class Files {
  readonly #files: Collection<StoredFile>;
  readonly #tickets: Collection<string>;
  readonly #ids: WorkspaceIds;

  constructor(storage: Storage, ids: WorkspaceIds) {
    this.#files = storage.collection<StoredFile>('file');
    this.#tickets = storage.collection<string>('upload');
    this.#ids = ids;
  }

  /** Announces a file; returns its id and the ticket under which its bytes may be sent, once. */
  announce(name: string, announcedBytes: number, createdAtMs: number): { id: string; ticket: string } {
    const id = `F0${this.#ids.hex(8).toUpperCase()}`;
    const ticket = this.#ids.hex(32);
    this.#files.put(id, { id, name, title: name, announcedBytes, createdAtMs, complete: false });
    this.#tickets.put(ticket, id);
    return { id, ticket };
  }

  /** Takes the bytes that belong to a ticket; false if the ticket is not known (any more). */
  receive(ticket: string, content: Buffer): boolean {
    const file = this.#files.get(this.#tickets.get(ticket) ?? '');
    if (!file) return false;
    this.#tickets.delete(ticket);
    this.#files.put(file.id, { ...file, contentBase64: content.toString('base64') });
    return true;
  }

  get(id: string): StoredFile | undefined {
    return this.#files.get(id);
  }

  put(file: StoredFile): void {
    this.#files.put(file.id, file);
  }
}
