/** The one place where the view library enters: every component takes `html` and its hooks from here. */
export { html, render } from 'htm/preact';
export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
export type { ComponentChildren, RefObject, VNode } from 'preact';
