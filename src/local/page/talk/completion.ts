/** Owns the list of completions over the composer. The box keeps the focus; the list only shows what is picked. */
import { drawAvatar } from '../avatar.ts';
import { icon } from '../icons.ts';
import type { Completing, Completion } from '../text/drafts.ts';
import { html, type VNode } from '../ui.ts';
import type { Workspace } from '../wire.ts';

interface CompletionListProps {
  id: string;
  completing: Completing;
  picked: number;
  workspace: Workspace;
  choose: (choice: Completion) => void;
}

/** The choices, the picked one marked; a press chooses without taking the focus from the box. */
export function CompletionList({ id, completing, picked, workspace, choose }: CompletionListProps): VNode {
  return html`<div class="completions" role="listbox" id=${id} aria-label="Completions">
    ${completing.choices.map((choice, index) => {
      const press = (event: MouseEvent): void => {
        event.preventDefault();
        choose(choice);
      };
      return html`<div
        class="completion"
        role="option"
        id=${`${id}-${index}`}
        key=${choice.id}
        aria-selected=${index === picked}
        data-completion=${choice.id}
        onMouseDown=${press}
      >
        ${drawSign(choice, workspace)} <strong>${choice.label}</strong>
        <span class="completion-hint">${choice.hint}</span>
      </div>`;
    })}
  </div>`;
}

function drawSign(choice: Completion, workspace: Workspace): VNode {
  if (choice.kind === 'user') return drawAvatar(workspace, choice.id, 'small');
  return html`<span class="completion-sign"
    >${choice.kind === 'channel' ? icon('hash') : choice.kind === 'group' ? icon('at') : '/'}</span
  >`;
}
