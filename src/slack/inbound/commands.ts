/**
 * Owns `/countersign`: what each word of it asks, answered privately to whoever typed it.
 *
 * 1. It is acknowledged before anything is read. 2. It decides nothing: what it shows has the controls of the cards, and
 * freezing is allowed to whom policy lets.
 */
import { penOf } from '../views/context.ts';
import { frozenLines, helpLines, linesContent, unfrozenLine, unknownWord } from '../views/commands.ts';
import { grantBlocks, overviewMessage } from '../views/home.ts';
import { freezeForm } from '../views/forms.ts';
import { refusalLine } from '../views/refusals.ts';
import type { RecordWanted } from '../../worker/ports.ts';
import { tsFromDigits, type ChannelId, type MessageTs } from '../../thread/ids.ts';
import type { Content } from '../message.ts';
import type { Line } from '../views/line.ts';
import type { Typed } from './interactions.ts';
import { encodeOrigin } from './origin.ts';
import type { Parts } from './performing.ts';
import type { Listener, Respond } from './privately.ts';
import { fillRecord } from './records.ts';

/** The one command in the manifest. */
export const COMMAND = '/countersign';

type Word = 'overview' | 'freeze' | 'unfreeze' | 'grants' | 'record' | 'help';
const WORDS: Readonly<Record<Word, string>> = {
  overview: ' pending mine home 待办 等待 我的',
  freeze: 'freeze 冻结',
  unfreeze: 'unfreeze thaw 解冻',
  grants: 'grants grant 授权 放行',
  record: 'record audit 记录 审计',
  help: 'help ? 帮助',
};

/** What somebody typed behind the command: its word, in English or Chinese, and the rest. */
export function readWords(text: string): { readonly word: Word | null; readonly first: string; readonly rest: string } {
  const [, first = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(text.trim()) ?? [];
  const known = Object.entries(WORDS).find(([, words]) => words.split(' ').includes(first.toLowerCase()));
  return { word: (known?.[0] as Word | undefined) ?? null, first, rest: rest.trim() };
}

const SHORT = /^(?:A-)?([A-Z2-7]{4})$/i;
const ADDRESS = /\/archives\/([A-Z0-9]{2,20})\/p(\d{7,20})(?:\?([^\s|>]*))?/;

/** A short id, or the address of a message as people paste it; undefined when it is neither. */
export function readWanted(text: string): RecordWanted | undefined {
  const short = SHORT.exec(text)?.[1];
  if (short !== undefined) return { short: short.toUpperCase() };
  const address = ADDRESS.exec(text.replaceAll('&amp;', '&'));
  if (!address) return undefined;
  const [, channel = '', digits = '', query = ''] = address;
  const threadTs = new URLSearchParams(query).get('thread_ts');
  return {
    place: {
      channel: channel as ChannelId,
      ts: tsFromDigits(digits),
      threadTs: threadTs === null ? null : (threadTs as MessageTs),
    },
  };
}

export class Commands {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Carries a command out, or says privately why not. Never throws. */
  async typed(typed: Typed, respond: Respond | null): Promise<void> {
    const { acts } = this.#parts;
    const { by, channel, trigger } = typed;
    const to: Listener = { user: by.user, channel, threadTs: null, respond, trigger };
    if (!acts.isOurs(typed.installed)) return acts.refuse(to, { code: 'not_found' }, null);
    if (typed.command !== COMMAND) return acts.refuse(to, { code: 'unknown_control' }, null);
    try {
      await this.#carryOut(typed, to);
    } catch (error) {
      await acts.failed(to, error);
    }
  }

  async #carryOut(typed: Typed, to: Listener): Promise<void> {
    const { acts, inbox, context, address, standingOf } = this.#parts;
    const { word, first, rest } = readWords(typed.text);
    if (word === 'help') return this.#lines(to, helpLines(context));
    const standing = await standingOf(typed.by.user);
    if (standing !== 'member')
      return acts.refuse(to, { code: standing === 'unknown' ? 'lookup_failed' : 'not_a_member' }, null);
    switch (word) {
      case 'overview':
        return this.#blocks(to, overviewMessage(await inbox.overview(typed.by), context, address));
      case 'grants':
        return this.#blocks(to, grantBlocks(await inbox.overview(typed.by), context));
      case 'freeze':
        return this.#freeze(typed, to, rest);
      case 'unfreeze': {
        const { refusal, workspace } = await inbox.unfreeze(typed.by);
        return acts.say(to, refusal ? refusalLine(refusal, null, context, workspace) : unfrozenLine(context));
      }
      case 'record':
        return this.#record(typed, to, rest);
      case null:
        return this.#lines(to, unknownWord(first, context));
    }
  }

  async #freeze(typed: Typed, to: Listener, why: string): Promise<void> {
    const { inbox, acts, modals, context } = this.#parts;
    if (why === '') {
      const view = { ...freezeForm(context), private_metadata: this.#origin() };
      const opened = await modals.show(typed.trigger, 'open', () => Promise.resolve(view));
      return opened ? undefined : acts.say(to, penOf(context).texts.command.freezeWhy);
    }
    const frozen = await inbox.freeze(typed.by, why);
    if (frozen.refusal) return acts.say(to, refusalLine(frozen.refusal, null, context, frozen.workspace));
    return this.#lines(to, frozenLines(frozen, context));
  }

  async #record(typed: Typed, to: Listener, text: string): Promise<void> {
    const { acts, modals, context } = this.#parts;
    const wanted = readWanted(text);
    if (!wanted) return acts.say(to, penOf(context).texts.command.recordWhat);
    const fill = async () => ({
      ...(await fillRecord(this.#parts, typed.by, wanted)),
      private_metadata: this.#origin(),
    });
    if (!(await modals.show(typed.trigger, 'open', fill))) await acts.lost(to, 'notOpened');
  }

  #origin(): string {
    const { environment } = this.#parts;
    return encodeOrigin({ environment, value: '', place: null, threadTs: null, carried: '' });
  }

  #lines(to: Listener, lines: readonly Line[]): Promise<void> {
    return this.#send(to, linesContent(lines));
  }

  #blocks(to: Listener, blocks: Content['blocks']): Promise<void> {
    return this.#send(to, { text: COMMAND, blocks });
  }

  async #send(to: Listener, content: Content): Promise<void> {
    if (!(await this.#parts.acts.send(to, content))) await this.#parts.acts.lost(to, 'notOpened');
  }
}
