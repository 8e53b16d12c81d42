/** Owns dialogs: the browser's own modal element, which keeps the focus inside and closes on Escape. */
import type { Asking } from './store.ts';
import { html, useEffect, useRef, type ComponentChildren, type VNode } from './ui.ts';

interface DialogProps {
  label: string;
  class: string;
  close: () => void;
  data?: Record<string, string>;
  children?: ComponentChildren;
}

/** A modal dialog that is open as long as it is drawn. */
export function Dialog({ label, class: className, close, data, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const cancelled = (event: Event): void => {
    event.preventDefault();
    close();
  };
  const pressed = (event: MouseEvent): void => {
    if (event.target === dialog.current) close();
  };
  return html`<dialog
    class=${className}
    aria-label=${label}
    ref=${dialog}
    onCancel=${cancelled}
    onMouseDown=${pressed}
    ...${data}
  >
    <div class="dialog-inner">${children}</div>
  </dialog>`;
}

/** The question before a control acts. */
export function ConfirmDialog({ asking }: { asking: Asking }): VNode {
  const { confirm, answer } = asking;
  return html`<${Dialog}
    label=${confirm.title.text}
    class="confirm"
    close=${() => answer(false)}
    data=${{ 'data-dialog': 'confirm' }}
  >
    <h2>${confirm.title.text}</h2>
    <p>${confirm.text.text}</p>
    <div class="dialog-buttons">
      <button type="button" class="button plain" onClick=${() => answer(false)}>${confirm.deny.text}</button>
      <button type="button" class=${`button ${confirm.style ?? 'primary'}`} onClick=${() => answer(true)}>
        ${confirm.confirm.text}
      </button>
    </div>
  <//>`;
}
