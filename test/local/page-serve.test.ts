import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { pageFile } from '../../src/local/page/serve.ts';

const body = (path: string): string => String(pageFile(path)?.body);

/** Every path that the page's parts name: in the page's own tags, and in imports relative to a module. */
function namedPaths(path: string): string[] {
  const source = body(path);
  const inTags = [...source.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(match => match[1] ?? '');
  const inImports = [...source.matchAll(/\bfrom\s*["']([^"']+)["']/g)].map(match => match[1] ?? '');
  return [...(path === '/' ? inTags : []), ...inImports.map(name => new URL(name, `http://page${path}`).pathname)];
}

describe('the page is served', () => {
  test('the page and every permalink give the same document, without a script or style inside it', () => {
    const page = pageFile('/');
    expect(page?.contentType).toBe('text/html; charset=utf-8');
    expect(body('/archives/C0APPROV1/p1700000000000100')).toBe(body('/'));
    expect(body('/')).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  });

  test('everything that the page names is there, down to the view library', () => {
    const seen = new Set<string>(['/']);
    for (const path of seen) {
      expect(pageFile(path), path).toBeDefined();
      for (const named of namedPaths(path)) seen.add(named);
    }
    expect([...seen]).toContain('/page/library/preact.js');
    expect(seen.size).toBeGreaterThan(40);
  });

  test('each module comes as JavaScript that a browser can read', () => {
    expect(pageFile('/page/main.ts')?.contentType).toBe('text/javascript; charset=utf-8');
    expect(pageFile('/page/styles/base.css')?.contentType).toBe('text/css; charset=utf-8');
    expect(body('/page/main.ts')).not.toContain('Promise<void>');
    expect(body('/page/ui.ts')).toContain('/page/library/htm-preact.js');
  });

  test.each([
    '/page/serve.ts',
    '/page/tsconfig.json',
    '/page/../main.ts',
    '/page/nothing.ts',
    '/page/',
    '/package.json',
    '/archives/../x',
  ])('nothing else is given away: %s', path => {
    expect(pageFile(path)).toBeUndefined();
  });

  test('every module and style of the folder is used', () => {
    const folder = fileURLToPath(new URL('../../src/local/page/', import.meta.url));
    const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.(?:ts|css)$/.test(name));
    const seen = new Set<string>(['/']);
    for (const path of seen) for (const named of namedPaths(path)) seen.add(named);
    const typesOnly = ['wire.ts', 'blocks/shape.ts', 'text/inline.ts'];
    const unused = own.filter(name => name !== 'serve.ts' && !typesOnly.includes(name) && !seen.has(`/page/${name}`));
    expect(unused).toEqual([]);
  });

  test('taking the types out says nothing on the terminal', () => {
    const module = new URL('../../src/local/page/serve.ts', import.meta.url).href;
    const script = `import { pageFile } from ${JSON.stringify(module)}; process.stdout.write(pageFile('/page/main.ts').contentType);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'text/javascript; charset=utf-8', stderr: '' });
  });
});
