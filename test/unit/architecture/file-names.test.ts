import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SOURCES = join(process.cwd(), 'src');

/** Paths of all source files below `src`. */
const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name).slice(SOURCES.length + 1));

/** The port that an adapter implements: adapters of one port may have the same name, and that of the port. */
function portFolder(path: string): string {
  return dirname(path).replace(/[\\/]adapters[\\/].*$/, '');
}

describe('names of source files', () => {
  it('stand once, so that a search for one leads to one file; adapters of one port may share theirs', () => {
    const byName = new Map<string, string[]>();
    for (const path of files) byName.set(basename(path), [...(byName.get(basename(path)) ?? []), path]);
    const twice = [...byName.values()].filter((paths) => new Set(paths.map(portFolder)).size > 1);
    assert.deepEqual(twice, []);
  });
});
