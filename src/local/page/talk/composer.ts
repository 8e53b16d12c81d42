/**
 * Owns the box that people write in: Enter sends, Shift+Enter breaks the line, `@`, `#` and `/` are completed. A draft
 * belongs to a person and a place, and survives moving about; a refused message stays in the box.
 */
import { mentionable, send } from '../act.ts';
import { icon } from '../icons.ts';
import { completeDraft, type Completing, type Completion } from '../text/drafts.ts';
import { html, useEffect, useLayoutEffect, useRef, useState, type RefObject, type VNode } from '../ui.ts';
import type { Workspace } from '../wire.ts';
import { CompletionList } from './completion.ts';

interface ComposerProps {
  workspace: Workspace;
  me: string;
  channel: string;
  thread?: string;
  label: string;
  autofocus: boolean;
}

const drafts = new Map<string, string>();
const MOST_HEIGHT_PX = 240;

/** The composer of a channel or thread. */
export function Composer({ workspace, me, channel, thread, label, autofocus }: ComposerProps): VNode {
  const key = `${me}/${channel}/${thread ?? ''}`;
  const box = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);
  const [draft, setDraft] = useState(drafts.get(key) ?? '');
  const [problem, setProblem] = useState<string>();
  const [completing, setCompleting] = useState<Completing>();
  const [picked, setPicked] = useState(0);
  const listId = `completions-${thread === undefined ? 'channel' : 'thread'}`;

  const write = (text: string, at: number): void => {
    drafts.set(key, text);
    setDraft(text);
    setProblem(undefined);
    setCompleting(completeDraft(text, at, mentionable(workspace)));
    setPicked(0);
  };
  const complete = (choice: Completion): void => {
    if (completing === undefined) return;
    const text = draft.slice(0, completing.from) + choice.insert + draft.slice(completing.to).replace(/^ /, '');
    write(text, 0);
    caret.current = completing.from + choice.insert.length;
  };
  const submit = async (): Promise<void> => {
    const text = draft.trim();
    if (text === '') return;
    write('', 0);
    const refused = await send(channel, text, thread);
    if (refused === undefined) return;
    setProblem(refused);
    if ((drafts.get(key) ?? '') === '') {
      drafts.set(key, text);
      setDraft(text);
    }
  };
  /** A command that is typed to its end is sent by Enter, not completed. */
  const isWhole = (choice: Completion): boolean => choice.kind === 'command' && draft === choice.label;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = completing?.choices[picked];
    if (completing !== undefined && step !== undefined) {
      setPicked((picked + step + completing.choices.length) % completing.choices.length);
    } else if (
      choice !== undefined &&
      (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isWhole(choice)))
    )
      complete(choice);
    else if (completing !== undefined && event.key === 'Escape') setCompleting(undefined);
    else if (event.key === 'Enter' && !event.shiftKey) void submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  useFreshDraft(key, setDraft, setProblem, setCompleting);
  useFittingHeight(box, draft);
  usePlacedCaret(box, caret);
  useEffect(() => {
    if (autofocus && !matchMedia('(pointer: coarse)').matches) box.current?.focus({ preventScroll: true });
  }, [key]);

  const mention = (): void => {
    const text = `${draft}${draft === '' || draft.endsWith(' ') ? '' : ' '}@`;
    write(text, text.length);
    caret.current = text.length;
  };
  return html`<form class="composer" onSubmit=${preventing(submit)}>
    ${completing && html`<${CompletionList} id=${listId} completing=${completing} picked=${picked} workspace=${workspace} choose=${complete} />`}
    ${problem && html`<p class="composer-problem" role="alert">${problem}</p>`}
    <div class="composer-box">
      <textarea
        ref=${box}
        rows="1"
        value=${draft}
        placeholder=${label}
        aria-label=${label}
        data-composer=${thread === undefined ? 'channel' : 'thread'}
        aria-autocomplete="list"
        aria-controls=${completing && listId}
        aria-activedescendant=${completing && `${listId}-${picked}`}
        onInput=${(event: InputEvent) => {
          if (event.target instanceof HTMLTextAreaElement) write(event.target.value, event.target.selectionEnd);
        }}
        onKeyDown=${onKeyDown}
        onBlur=${() => setCompleting(undefined)}
      ></textarea>
      <button
        type="button"
        class="composer-at"
        aria-label="Mention somebody"
        title="Mention somebody"
        onClick=${mention}
      >
        ${icon('at')}
      </button>
      <button
        type="submit"
        class="composer-send"
        aria-label="Send"
        title="Send (Enter)"
        disabled=${draft.trim() === ''}
      >
        ${icon('send')}
      </button>
    </div>
  </form>`;
}

/** Puts a text into the draft of a channel and gives the box the focus, as the suggestions of an empty channel do. */
export function startDraft(text: string): void {
  const box = document.querySelector<HTMLTextAreaElement>('textarea[data-composer=channel]');
  if (box === null) return;
  box.value = text;
  box.focus();
  box.setSelectionRange(text.length, text.length);
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function useFreshDraft(
  key: string,
  setDraft: (text: string) => void,
  ...clear: ((nothing: undefined) => void)[]
): void {
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    setDraft(drafts.get(key) ?? '');
    for (const empty of clear) empty(undefined);
  }, [key]);
}

function useFittingHeight(box: RefObject<HTMLTextAreaElement | null>, draft: string): void {
  useLayoutEffect(() => {
    if (box.current === null) return;
    box.current.style.height = 'auto';
    if (box.current.scrollHeight === 0) return; // not on screen: one line until it is
    box.current.style.height = `${Math.min(box.current.scrollHeight, MOST_HEIGHT_PX)}px`;
  }, [draft]);
}

/** Puts the caret where a completion wants it as soon as the text stands in the box, before the next key is heard. */
function usePlacedCaret(box: RefObject<HTMLTextAreaElement | null>, wanted: RefObject<number | undefined>): void {
  useLayoutEffect(() => {
    const at = wanted.current;
    if (at === undefined) return;
    wanted.current = undefined;
    box.current?.focus();
    box.current?.setSelectionRange(at, at);
  });
}

function preventing(submit: () => Promise<void>): (event: SubmitEvent) => void {
  return event => {
    event.preventDefault();
    void submit();
  };
}
