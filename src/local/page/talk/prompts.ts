/** Owns the suggestions over a composer: what the app proposes to write, sent with one press. */
import { send, sendPrompt } from '../act.ts';
import { notifyError } from '../notices.ts';
import { html, type VNode } from '../ui.ts';
import type { Prompt } from '../wire.ts';

/** One button per suggestion; nothing when there is none. */
export function drawPromptButtons(
  prompts: readonly Prompt[],
  channel: string,
  title: string | undefined,
  thread?: string,
): VNode | undefined {
  if (prompts.length === 0) return undefined;
  return html`<div class="prompts" role="group" aria-label=${title ?? 'Suggestions'}>
    ${title && html`<span class="prompts-title">${title}</span>`}
    ${prompts.map(prompt => {
      const write = (): void =>
        void (thread === undefined ? sendPrompt(channel, prompt.message) : reply(prompt.message));
      return html`<button type="button" class="prompt" title=${prompt.message} onClick=${write}>
        ${prompt.title}
      </button>`;
    })}
  </div>`;

  async function reply(text: string): Promise<void> {
    const refused = await send(channel, text, thread);
    if (refused !== undefined) notifyError(refused);
  }
}
