/** Owns the names of tools on the wire: Chat Completions takes 1 to 64 letters, digits, `_` and `-`; ours may have dots. */
import { sha256 } from '../thread/digest.ts';

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool's name on the wire: itself where that is allowed, else an allowed one with 8 hex digits of its hash, so that no two meet. */
export function wireName(tool: string): string {
  if (PLAIN.test(tool)) return tool;
  const readable = tool.replaceAll('.', '__').replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return `${readable.slice(0, 55)}_${sha256(tool).slice(0, 8)}`;
}

/** Reads names from the wire back; a name that was not offered comes back as it is, for the core to refuse. */
export function namesFromWire(offered: readonly { readonly name: string }[]): (wire: string) => string {
  const names = new Map(offered.map(tool => [wireName(tool.name), tool.name]));
  return wire => names.get(wire) ?? wire;
}
