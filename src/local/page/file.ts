/** Owns the window in which a text file is read, with a link that downloads it. */
import { api } from './api.ts';
import { Dialog } from './dialog.ts';
import { icon } from './icons.ts';
import { patchDesk } from './store.ts';
import { html, useEffect, useState, type VNode } from './ui.ts';
import type { SharedFile } from './wire.ts';

/** The file as text; nothing in it is drawn as anything else. */
export function FileDialog({ file }: { file: SharedFile }): VNode {
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const address = file.url_private ?? '';
  useEffect(() => {
    api.file(pathOf(address)).then(setText, (error: unknown) => setProblem(String(error)));
  }, [address]);
  const close = (): void => patchDesk({ file: undefined });
  const title = file.title ?? file.name ?? file.id;
  return html`<${Dialog} label=${title} class="reader" close=${close} data=${{ 'data-dialog': 'file' }}>
    <header>
      <h2>${title}</h2>
      <a class="button plain" href=${pathOf(address)} download=${file.name ?? ''}>Download</a>
      <button type="button" class="icon-button" aria-label="Close" onClick=${close}>${icon('close')}</button>
    </header>
    ${problem && html`<p class="form-refused" role="alert">${problem}</p>`}
    <pre tabindex="0" aria-busy=${text === undefined && problem === undefined}>${text}</pre>
  <//>`;
}

/** Files are read from this page's own address, whatever name for it stands in the message. */
function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address;
}
