/**
 * Owns forms (Slack's modals): the stack of open views with the topmost on screen, the values typed into each, errors
 * under fields. Values stay while a view is updated from behind or covered by another one.
 */
import { click, closeForm, submitForm } from './act.ts';
import { drawBlocks } from './blocks/list.ts';
import type { FormValues } from './api.ts';
import type { BlockHost, FormHost } from './blocks/host.ts';
import { Dialog } from './dialog.ts';
import { icon } from './icons.ts';
import { html, useEffect, useRef, useState, type VNode } from './ui.ts';
import type { View } from './wire.ts';

const typed = new Map<string, FormValues>();

/** The topmost open form. `depth` counts the views below it. */
export function FormDialog({ view, depth }: { view: View; depth: number }): VNode {
  const [, redraw] = useState(0);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const body = useRef<HTMLFormElement>(null);
  const form: FormHost = {
    id: view.id,
    value: (block, action) => typed.get(view.id)?.[block]?.[action],
    change: (block, action, value) => {
      const values = typed.get(view.id) ?? {};
      typed.set(view.id, { ...values, [block]: { ...values[block], [action]: value } });
      const { [block]: _mended, ...others } = errors;
      setErrors(others);
      redraw(count => count + 1);
    },
    errors,
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !view.submit) return;
    setBusy(true);
    const outcome = await submitForm(view, typed.get(view.id) ?? {});
    setBusy(false);
    setErrors(outcome.errors);
    setRefused(outcome.refused);
  };
  useEffect(() => focusFirstField(body.current), [view.hash]);
  useEffect(() => {
    body.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid=true] input')?.focus();
  }, [errors]);

  const title = view.title?.text ?? 'Form';
  const host: BlockHost = {
    click: press => click({ view_id: view.id, values: typed.get(view.id) ?? {} }, press),
    form,
  };
  return html`<${Dialog}
    label=${title}
    class="form"
    close=${() => void closeForm(view)}
    data=${{ 'data-view': view.id }}
  >
    <form ref=${body} onSubmit=${submit} onKeyDown=${submitOnControlEnter} novalidate>
      <header>
        ${depth > 0 && html`<button type="button" class="icon-button" aria-label="Back" onClick=${() => void closeForm(view)}>${icon('back')}</button>`}
        <h2>${title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick=${() => void closeForm(view)}>
          ${icon('close')}
        </button>
      </header>
      <div class="form-body" tabindex="-1">
        ${refused && html`<p class="form-refused" role="alert">${refused}</p>`} ${drawBlocks(view.blocks, host)}
      </div>
      <footer>
        <button type="button" class="button plain" onClick=${() => void closeForm(view)}>
          ${view.close?.text ?? 'Cancel'}
        </button>
        ${view.submit && html`<button type="submit" class="button primary" aria-busy=${busy} aria-disabled=${busy}>${view.submit.text}</button>`}
      </footer>
    </form>
  <//>`;
}

/** Puts the focus where typing begins, unless it already is in a field; a form without fields can be scrolled by keys. */
function focusFirstField(form: HTMLFormElement | null): void {
  const fields = '.form-body :is(input, textarea, select)';
  if (form === null || document.activeElement?.matches(`${fields}:not([type=radio], [type=checkbox])`)) return;
  const first = form.querySelector<HTMLElement>(`${fields}:not([type=radio]:not(:checked))`);
  (first ?? form.querySelector<HTMLElement>('.form-body'))?.focus();
}

function submitOnControlEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
}
