import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Mutant {
  readonly fault: string;
  readonly file: string;
  readonly from: string;
  readonly tests: readonly string[];
}

describe('table of mutants', () => {
  let mutants: readonly Mutant[];

  before(async () => {
    const table = pathToFileURL(join(process.cwd(), 'scripts/mutants/table.mjs')).href;
    mutants = ((await import(table)) as { MUTANTS: readonly Mutant[] }).MUTANTS;
  });

  it('names text that occurs exactly once in the built program', () => {
    const stale = mutants.filter(
      ({ file, from }) => !existsSync(file) || readFileSync(file, 'utf8').split(from).length !== 2,
    );
    assert.deepEqual(
      stale.map(({ fault, file }) => `${fault}: ${file}`),
      [],
    );
  });

  it('names tests that exist', () => {
    const missing = mutants.flatMap(({ tests }) => tests).filter((test) => !existsSync(`dist/test/${test}.test.js`));
    assert.deepEqual(missing, []);
  });
});
