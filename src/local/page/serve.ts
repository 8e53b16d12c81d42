/**
 * Owns what of this folder the workspace's server gives to a browser: the page, its styles, its modules with their types
 * taken out, and the view library from node_modules. It is a closed list, made once, so that no path leads elsewhere.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file for the browser. */
export interface PageFile {
  contentType: string;
  body: Buffer | string;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const AT = '/page/';
const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

/** The view library's modules, by the name under which the page imports them. */
const LIBRARY: Record<string, string> = {
  preact: 'preact.js',
  'preact/hooks': 'preact-hooks.js',
  htm: 'htm.js',
  'htm/preact': 'htm-preact.js',
};

const files = new Map<string, string>([...ownFiles(), ...libraryFiles()]);
const stripped = new Map<string, { mtimeMs: number; body: string }>();

/**
 * The file behind a path of the page: `/` and `/archives/…` give the page itself, `/page/…` its parts. Undefined when the
 * page has no such file. Read from disk on each call; works under a content policy of `default-src 'self'`.
 */
export function pageFile(pathname: string): PageFile | undefined {
  const isPage = pathname === '/' || /^\/archives\/[A-Z0-9]+(?:\/p\d+)?\/?$/.test(pathname);
  const path = files.get(isPage ? `${AT}index.html` : pathname);
  if (path === undefined) return undefined;
  const kind = extname(path);
  const contentType = CONTENT_TYPES[kind] ?? 'application/octet-stream';
  if (kind === '.ts') return { contentType, body: withoutTypes(path) };
  if (kind === '.js' || kind === '.mjs') return { contentType, body: withLibraryPaths(readFileSync(path, 'utf8')) };
  return { contentType, body: readFileSync(path) };
}

function ownFiles(): [string, string][] {
  const own = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => extname(name) in CONTENT_TYPES && name !== 'serve.ts');
  return own.map(name => [AT + name, join(FOLDER, name)]);
}

function libraryFiles(): [string, string][] {
  return Object.entries(LIBRARY).map(([name, file]) => [
    `${AT}library/${file}`,
    fileURLToPath(import.meta.resolve(name)),
  ]);
}

/** A module as the browser runs it; stripping keeps every line and column where it was. */
function withoutTypes(path: string): string {
  const { mtimeMs } = statSync(path);
  const known = stripped.get(path);
  if (known?.mtimeMs === mtimeMs) return known.body;
  const body = withLibraryPaths(stripQuietly(readFileSync(path, 'utf8')));
  stripped.set(path, { mtimeMs, body });
  return body;
}

/**
 * Node runs this very stripping on every file of ours without a word, but its function form says on stderr that it is
 * experimental. The call is synchronous, so no other warning can be lost while this one is held back.
 */
function stripQuietly(source: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Bare imports of the library become paths, since an import map would have to stand inline in the page. */
function withLibraryPaths(source: string): string {
  return source.replaceAll(
    /(\bfrom\s*|\bimport\s*)(["'])([a-z/]+)\2/g,
    (whole, before: string, quote: string, name: string) => {
      const file = Object.hasOwn(LIBRARY, name) ? LIBRARY[name] : undefined;
      return file === undefined ? whole : `${before}${quote}${AT}library/${file}${quote}`;
    },
  );
}
