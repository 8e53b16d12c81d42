/** Owns the page's own small line drawings. They take the colour of the text around them and are hidden from readers. */
import { html, type VNode } from './ui.ts';

const PATHS = {
  hash: 'M6 2.5 4.6 13.5M11.4 2.5 10 13.5M2.8 6h11M2.2 10h11',
  lock: 'M4 7.5h8v6H4zM5.7 7.5V5.2a2.3 2.3 0 0 1 4.6 0v2.3',
  back: 'M10 3 5 8l5 5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  send: 'M2.5 13.5 14 8 2.5 2.5l1.6 4.7L9 8l-4.9.8z',
  reply: 'M2.5 3h11v8H7.2L4 13.6V11H2.5z',
  link: 'M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 1 0-3.7-3.7l-.9.9M9.4 6.6a2.6 2.6 0 0 0-3.7 0L3.5 8.8a2.6 2.6 0 1 0 3.7 3.7l.9-.9',
  phone: 'M4.8 1.8h6.4v12.4H4.8zM7.2 12.2h1.6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4l3.3 3.3',
  down: 'M3.5 6 8 10.5 12.5 6',
  at: 'M8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM10.6 5.6v3.2c0 1.9 2.9 1.7 2.9-.8A5.5 5.5 0 1 0 11 12.6',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  log: 'M4 2.5v11M4 4.5h.01M4 8h.01M4 11.5h.01M7 4.5h6.5M7 8h5M7 11.5h6.5',
  pause: 'M5.5 4v8M10.5 4v8',
  updown: 'M5 6.2 8 3.2l3 3M5 9.8l3 3 3-3',
} as const;

/** Draws one of the icons, 16 by 16. */
export function icon(name: keyof typeof PATHS): VNode {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d=${PATHS[name]} />
  </svg>`;
}
