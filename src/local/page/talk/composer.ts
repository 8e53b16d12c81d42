/** Owns the box that people write in, as it looks; what is written in it is `writing.ts`'s. */
import { icon } from '../icons.ts';
import { html, useEffect, useLayoutEffect, useRef, type RefObject, type VNode } from '../ui.ts';
import type { Workspace } from '../wire.ts';
import { CompletionList } from './completion.ts';
import { useWriting } from './writing.ts';

interface ComposerProps {
  workspace: Workspace;
  me: string;
  channel: string;
  thread?: string;
  label: string;
  autofocus: boolean;
}

const MOST_HEIGHT_PX = 240;

/** The composer of a channel or thread. */
export function Composer({ workspace, me, channel, thread, label, autofocus }: ComposerProps): VNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const writing = useWriting({ workspace, me, channel, thread }, box);
  const { draft, problem, completing, picked } = writing;
  const listId = `completions-${thread === undefined ? 'channel' : 'thread'}`;

  useFittingHeight(box, draft);
  useEffect(() => {
    if (autofocus && !matchMedia('(pointer: coarse)').matches) box.current?.focus({ preventScroll: true });
  }, [writing.key]);

  return html`<form class="composer" onSubmit=${preventing(writing.submit)}>
    ${completing && html`<${CompletionList} id=${listId} completing=${completing} picked=${picked} workspace=${workspace} choose=${writing.complete} />`}
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
          if (event.target instanceof HTMLTextAreaElement) writing.write(event.target.value, event.target.selectionEnd);
        }}
        onKeyDown=${writing.onKeyDown}
        onBlur=${writing.stopCompleting}
      ></textarea>
      <button
        type="button"
        class="composer-at"
        aria-label="Mention somebody"
        title="Mention somebody"
        onClick=${writing.mention}
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

function useFittingHeight(box: RefObject<HTMLTextAreaElement | null>, draft: string): void {
  useLayoutEffect(() => {
    if (box.current === null) return;
    box.current.style.height = 'auto';
    if (box.current.scrollHeight === 0) return; // not on screen: one line until it is
    box.current.style.height = `${Math.min(box.current.scrollHeight, MOST_HEIGHT_PX)}px`;
  }, [draft]);
}

function preventing(submit: () => Promise<void>): (event: SubmitEvent) => void {
  return event => {
    event.preventDefault();
    void submit();
  };
}
