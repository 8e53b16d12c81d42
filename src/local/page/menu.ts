/**
 * Owns pop-up menus: a button that opens a list in the top layer, arrow keys inside, Escape or a click elsewhere closes.
 * The browser's popover gives light dismissal and the layer; only its place is ours.
 */
import { html, useRef, useState, type ComponentChildren, type VNode } from './ui.ts';

/** One line of a menu. `data` are attributes for its element. */
export interface MenuItem {
  key: string;
  content: ComponentChildren;
  choose: () => void;
  selected?: boolean;
  data?: Record<string, string>;
}

interface MenuProps {
  label: string;
  class: string;
  items: MenuItem[];
  heading?: string;
  data?: Record<string, string>;
  children?: ComponentChildren;
}

const EDGE_PX = 8;

/** A button with its menu. */
export function Menu({ label, class: className, items, heading, data, children }: MenuProps): VNode {
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const toggled = (event: ToggleEvent): void => {
    const isOpen = event.newState === 'open';
    setOpen(isOpen);
    if (!isOpen || button.current === null || list.current === null) return;
    placeBeside(list.current, button.current.getBoundingClientRect());
    (
      list.current.querySelector<HTMLElement>('[aria-checked=true]') ??
      list.current.querySelector<HTMLElement>('[role^=menuitem]')
    )?.focus();
  };
  const choose = (item: MenuItem): void => {
    list.current?.hidePopover();
    button.current?.focus();
    item.choose();
  };
  return html`<button
      type="button"
      class=${className}
      ref=${button}
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${open}
      ...${data}
      onClick=${() => list.current?.togglePopover()}
    >
      ${children}
    </button>
    <div
      class="menu"
      role="menu"
      aria-label=${label}
      popover="auto"
      ref=${list}
      onToggle=${toggled}
      onKeyDown=${moveFocus}
    >
      ${heading !== undefined && html`<p class="menu-heading">${heading}</p>`}
      ${items.map(item => drawItem(item, choose))}
    </div>`;
}

function drawItem(item: MenuItem, choose: (item: MenuItem) => void): VNode {
  return html`<button
    type="button"
    class="menu-item"
    tabindex="-1"
    key=${item.key}
    ...${item.data}
    role=${item.selected === undefined ? 'menuitem' : 'menuitemradio'}
    aria-checked=${item.selected}
    onClick=${() => choose(item)}
  >
    ${item.content}
  </button>`;
}

/** Puts the list under its button, or above it where there is no room, always inside the window. */
function placeBeside(list: HTMLElement, beside: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const below = beside.bottom + 4 + height <= innerHeight - EDGE_PX;
  const top = below ? beside.bottom + 4 : Math.max(EDGE_PX, beside.top - height - 4);
  list.style.top = `${top}px`;
  list.style.left = `${Math.max(EDGE_PX, Math.min(beside.left, innerWidth - width - EDGE_PX))}px`;
}

/** Arrow keys, Home and End move between the choices of the list that has the focus. */
function moveFocus(event: KeyboardEvent): void {
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement)) return;
  const choices = [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = choices.findIndex(choice => choice === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: choices.length - 1 }[event.key];
  if (next === undefined || choices.length === 0) return;
  event.preventDefault();
  choices.at(next % choices.length)?.focus();
}
