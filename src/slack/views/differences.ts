/** Owns how changed arguments are shown: `-` what was, `+` what is, each with its path, nothing left out. */
import type { Json } from '../../thread/events.ts';
import { argumentsOf, type Argument } from './arguments.ts';
import type { Pen } from './context.ts';

const lines = (sign: '-' | '+', { path, value }: Argument): string => {
  const [first = '', ...more] = value.split('\n');
  const head = `${sign} ${path} ${more.length === 0 ? first : ''}`.trimEnd();
  return more.length === 0 ? head : [head, ...[first, ...more].map(line => `${sign} │ ${line}`)].join('\n');
};

/** `- replicas 2` / `+ replicas 4` for each path whose value differs; empty when nothing does. */
export function editedArguments(pen: Pen, was: Json, is: Json, order: readonly string[]): string {
  const before = argumentsOf(was, order, pen.show);
  const after = argumentsOf(is, order, pen.show);
  const old = new Map(before.map(one => [one.path, one]));
  const fresh = new Map(after.map(one => [one.path, one]));
  const paths = [...new Set([...before, ...after].map(one => one.path))];
  return paths
    .flatMap(path => {
      const [gone, come] = [old.get(path), fresh.get(path)];
      if (gone?.value === come?.value) return [];
      return [...(gone ? [lines('-', gone)] : []), ...(come ? [lines('+', come)] : [])];
    })
    .join('\n');
}
