import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT } from '../../../../src/log.js';
import { AttemptsFile } from '../../../../src/projections/adapters/file/attempts-file.js';
import type { Attempt } from '../../../../src/projections/attempts.js';
import type { Position } from '../../../../src/streams/event-store.js';

const attempt = (until: string, tries = 1): Attempt => ({ after: '1' as Position, until: until as Position, alone: true, tries });

describe('file of attempts', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-attempts-'));
    path = join(folder, 'attempts.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives the next process what each run noted last, once', () => {
    const first = new AttemptsFile(path, SILENT);
    first.note('a', attempt('2'));
    first.note('b', attempt('5', 2));
    first.note('a', attempt('3'));
    const second = new AttemptsFile(path, SILENT); // the first was not closed: its process is dead
    assert.deepEqual(second.left('a'), attempt('3'));
    assert.equal(second.left('a'), undefined);
    assert.deepEqual(second.left('b'), attempt('5', 2));
    assert.equal(second.left('c'), undefined);
  });

  it('keeps one size, whatever it held', () => {
    const file = new AttemptsFile(path, SILENT);
    file.note('a', attempt('2'));
    const { size } = statSync(path);
    for (let run = 0; run < 100; run++) file.note(`run ${run}`, attempt('a long position'));
    const grown = statSync(path).size;
    assert.ok(grown > size);
    for (let run = 0; run < 100; run++) file.forget(`run ${run}`);
    assert.equal(statSync(path).size, grown);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { a: attempt('2') });
    assert.deepEqual(new AttemptsFile(path, SILENT).left('a'), attempt('2'));
  });

  it('is private', () => {
    new AttemptsFile(path, SILENT).note('a', attempt('2'));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('knows nothing of a file that cannot be read, and says so', () => {
    writeFileSync(path, '{"a": ');
    const warned: string[] = [];
    const file = new AttemptsFile(path, { warn: (message) => void warned.push(message) });
    assert.equal(file.left('a'), undefined);
    assert.equal(warned.length, 1);
    file.note('a', attempt('2'));
    assert.deepEqual(new AttemptsFile(path, SILENT).left('a'), attempt('2'));
  });

  it('stops nobody where nothing can be written, and says so once', () => {
    mkdirSync(path);
    const warned: string[] = [];
    const file = new AttemptsFile(path, { warn: (message) => void warned.push(message) });
    file.note('a', attempt('2'));
    file.note('a', attempt('3'));
    file.close();
    file.close();
    assert.equal(warned.length, 1);
  });
});
