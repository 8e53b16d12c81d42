/** Owns what `/countersign` answers and the lines about a freeze. Pure. */
import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Frozen } from '../../worker/ports.ts';
import { FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { decider, penOf, type Pen, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { channel, plain, t, words, type Line } from './line.ts';
import { modal } from './modal.ts';
import { sceneOf, what } from './scene.ts';
import { cut, shorten } from './text/escape.ts';
import { clockFace } from './time.ts';

/** Calls that still run, as many as are named. */
const NAMED = 10;

/** Which Countersign this is, for what holds in one environment alone. */
const environmentOf = ({ context }: Pen): string => shorten(context.environment, ROOM.label);

/** That the freeze was lifted, and where. */
export function unfrozenLine(context: RenderContext): Line {
  const pen = penOf(context);
  return pen.texts.told.unfrozen(environmentOf(pen));
}

/** What a freeze came to, and what still runs. */
export function frozenLines({ workspace, running }: Frozen, context: RenderContext): Line[] {
  const pen = penOf(context);
  const { told, people } = pen.texts;
  const { frozen } = workspace;
  const named = running.slice(0, NAMED).flatMap(({ thread, call }): Line[] => {
    const scene = sceneOf(pen, thread, call, null);
    return scene ? [t`▶️ ${what(scene)}`] : [];
  });
  const state =
    frozen === null || frozen === 'unknown'
      ? []
      : [
          told.frozen(
            environmentOf(pen),
            decider(pen, frozen.by, frozen.name || people.admin),
            clockFace(frozen.sinceMs).at(frozen.sinceMs),
          ),
        ];
  return [
    ...state,
    running.length === 0 ? told.nothingRuns : told.running(running.length),
    ...named,
    ...(running.length > NAMED ? [told.moreRunning(running.length - NAMED)] : []),
  ];
}

/** What `/countersign help` says. */
export function helpLines(context: RenderContext): Line[] {
  const { command, people } = penOf(context).texts;
  const where = context.approvals === null ? words(command.threads) : channel(context.approvals, people.channel);
  return [command.help(where), command.words];
}

/** A word that means nothing here, and the words that do. */
export function unknownWord(word: string, context: RenderContext): Line[] {
  const pen = penOf(context);
  return [pen.texts.command.unknown(words(cut(pen.show.line(word), 60))), ...helpLines(context)];
}

/** Lines as a private message. */
export const linesContent = (lines: readonly Line[]) => ({
  text: lines.map(plain).join('\n'),
  blocks: lines.map((line): KnownBlock => block.paragraph(line)),
});

/** Lines (or texts) with nothing to do but close. */
export const linesForm = (lines: readonly (Line | string)[], context: RenderContext): ModalView => {
  const { form, control, told } = penOf(context).texts;
  const blocks = lines.map((line): KnownBlock =>
    typeof line === 'string' ? block.plainSection(line) : block.paragraph(line),
  );
  return modal(form.notice, control.close, blocks.length === 0 ? [block.paragraph(told.done)] : blocks, {
    callback_id: FORMS.notice,
  });
};
