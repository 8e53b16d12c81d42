/**
 * Owns what is being written in a box: Enter sends, Shift+Enter breaks the line, `@`, `#` and `/` are completed. A draft
 * belongs to a person and a place, and survives moving about; a refused message stays in the box.
 */
import { mentionable, send } from '../act.ts';
import { completeDraft, type Completing, type Completion } from '../text/drafts.ts';
import { useLayoutEffect, useRef, useState, type RefObject } from '../ui.ts';
import type { Workspace } from '../wire.ts';

/** Who writes, and where. */
interface Place {
  workspace: Workspace;
  me: string;
  channel: string;
  thread: string | undefined;
}

/** What stands in the box, and what people do to it. */
interface Writing {
  /** Of the draft: its person and place. */
  key: string;
  draft: string;
  /** Why the message was refused. */
  problem: string | undefined;
  completing: Completing | undefined;
  picked: number;
  /** `at` is where the caret stands. */
  write: (text: string, at: number) => void;
  complete: (choice: Completion) => void;
  stopCompleting: () => void;
  /** Begins to mention somebody at the end of the text. */
  mention: () => void;
  submit: () => Promise<void>;
  onKeyDown: (event: KeyboardEvent) => void;
}

const drafts = new Map<string, string>();

/** What is written in `box`. */
export function useWriting(
  { workspace, me, channel, thread }: Place,
  box: RefObject<HTMLTextAreaElement | null>,
): Writing {
  const key = `${me}/${channel}/${thread ?? ''}`;
  const caret = useRef<number>(undefined);
  const [draft, setDraft] = useState(drafts.get(key) ?? '');
  const [problem, setProblem] = useState<string>();
  const [completing, setCompleting] = useState<Completing>();
  const [picked, setPicked] = useState(0);

  const write = (text: string, at: number): void => {
    drafts.set(key, text);
    setDraft(text);
    setProblem(undefined);
    setCompleting(completeDraft(text, at, mentionable(workspace)));
    setPicked(0);
  };
  const stopCompleting = (): void => setCompleting(undefined);
  const complete = (choice: Completion): void => {
    if (completing === undefined) return;
    const text = draft.slice(0, completing.from) + choice.insert + draft.slice(completing.to).replace(/^ /, '');
    write(text, 0);
    caret.current = completing.from + choice.insert.length;
  };
  const submit = async (): Promise<void> => {
    const text = draft.trim();
    if (text === '') return;
    write('', 0);
    const refused = await send(channel, text, thread);
    if (refused === undefined) return;
    setProblem(refused);
    if ((drafts.get(key) ?? '') === '') {
      drafts.set(key, text);
      setDraft(text);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const done = pressed(event, { draft, completing, picked, pick: setPicked, complete, stopCompleting, submit });
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };

  useFreshDraft(key, setDraft, setProblem, setCompleting);
  usePlacedCaret(box, caret);

  const mention = (): void => {
    const text = `${draft}${draft === '' || draft.endsWith(' ') ? '' : ' '}@`;
    write(text, text.length);
    caret.current = text.length;
  };
  return { key, draft, problem, completing, picked, write, complete, stopCompleting, mention, submit, onKeyDown };
}

type Keyed = Pick<Writing, 'draft' | 'completing' | 'picked' | 'complete' | 'stopCompleting' | 'submit'> & {
  readonly pick: (index: number) => void;
};

/** What a key does to what is written; false where it is left to the box. */
function pressed(
  event: KeyboardEvent,
  { draft, completing, picked, pick, complete, stopCompleting, submit }: Keyed,
): boolean {
  if (event.isComposing) return false;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const choice = completing?.choices[picked];
  const sends = event.key === 'Enter' && !event.shiftKey;
  // A command that is typed to its end is sent by Enter, not completed.
  const isWhole = choice?.kind === 'command' && draft === choice.label;
  if (completing !== undefined && step !== undefined)
    pick((picked + step + completing.choices.length) % completing.choices.length);
  else if (choice !== undefined && (event.key === 'Tab' || (sends && !isWhole))) complete(choice);
  else if (completing !== undefined && event.key === 'Escape') stopCompleting();
  else if (sends) void submit();
  else return false;
  return true;
}

function useFreshDraft(
  key: string,
  setDraft: (text: string) => void,
  ...clear: ((nothing: undefined) => void)[]
): void {
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    setDraft(drafts.get(key) ?? '');
    for (const empty of clear) empty(undefined);
  }, [key]);
}

/** Puts the caret where a completion wants it as soon as the text stands in the box, before the next key is heard. */
function usePlacedCaret(box: RefObject<HTMLTextAreaElement | null>, wanted: RefObject<number | undefined>): void {
  useLayoutEffect(() => {
    const at = wanted.current;
    if (at === undefined) return;
    wanted.current = undefined;
    box.current?.focus();
    box.current?.setSelectionRange(at, at);
  });
}
