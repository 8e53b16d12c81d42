/** Owns the box in which an author changes a message: Enter saves, Escape keeps it as it was. */
import { editMessage } from '../act.ts';
import { patchDesk } from '../store.ts';
import { typedAgain } from '../text/again.ts';
import { readDesk } from '../store.ts';
import { html, useEffect, useRef, useState, type VNode } from '../ui.ts';
import type { Message } from '../wire.ts';

/** The box in place of the message's words. */
export function EditBox({ message, channel }: { message: Message; channel: string }): VNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(typedAgain(message.text ?? '', readDesk().workspace));
  const [problem, setProblem] = useState<string>();
  const close = (): void => patchDesk({ editing: undefined });
  const save = async (): Promise<void> => {
    if (text.trim() === '') return setProblem('A message needs words. Delete it instead.');
    const refused = await editMessage(channel, message.ts, text.trim());
    if (refused === undefined) close();
    else setProblem(refused);
  };
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && !event.shiftKey) void save();
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  };
  const onInput = (event: InputEvent): void => {
    if (event.target instanceof HTMLTextAreaElement) setText(event.target.value);
    setProblem(undefined);
  };
  return html`<div class="edit-box">
    <textarea
      ref=${box}
      aria-label="Edit message"
      rows=${Math.min(8, text.split('\n').length)}
      value=${text}
      onInput=${onInput}
      onKeyDown=${onKeyDown}
    ></textarea>
    ${problem && html`<p class="field-error" role="alert">${problem}</p>`}
    <div class="actions">
      <button type="button" class="button plain" onClick=${close}>Cancel</button>
      <button type="button" class="button primary" onClick=${() => void save()}>Save</button>
    </div>
  </div>`;
}
