import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT } from '../../../../src/log.js';
import { AttemptsFile } from '../../../../src/projections/adapters/file/attempts-file.js';
import type { Attempt } from '../../../../src/projections/attempts.js';
import type { Position } from '../../../../src/streams/event-store.js';

const attempt = (position: string, tries = 1): Attempt => ({ after: '1' as Position, position: position as Position, tries });

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
    assert.equal(first.inherit('a'), undefined, 'there was none before');
    first.note('a', attempt('2'));
    first.note('b', attempt('5', 2));
    first.note('a', attempt('3'));
    const second = new AttemptsFile(path, SILENT); // the first was not closed: its process is dead
    assert.deepEqual(second.inherit('a'), { attempt: attempt('3') });
    assert.equal(second.inherit('a'), undefined);
    assert.deepEqual(second.inherit('c'), {});
    const third = new AttemptsFile(path, SILENT);
    assert.deepEqual(third.inherit('b'), { attempt: attempt('5', 2) }, 'the second died before it came to it');
  });

  it('has nothing to give after a process that ended in order', () => {
    const first = new AttemptsFile(path, SILENT);
    first.inherit('a');
    first.note('a', attempt('2'));
    first.close();
    assert.equal(new AttemptsFile(path, SILENT).inherit('a'), undefined);
  });

  it('tells of a process that noted nothing and did not end in order', () => {
    new AttemptsFile(path, SILENT).inherit('a');
    assert.deepEqual(new AttemptsFile(path, SILENT).inherit('a'), {});
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
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { ended: false, attempts: { a: attempt('2') } });
    assert.deepEqual(new AttemptsFile(path, SILENT).inherit('a'), { attempt: attempt('2') });
  });

  it('is private', () => {
    new AttemptsFile(path, SILENT).note('a', attempt('2'));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('knows nothing of a file that cannot be read, and says so', () => {
    writeFileSync(path, '{"a": ');
    const warned: string[] = [];
    const file = new AttemptsFile(path, { warn: (message) => void warned.push(message) });
    assert.deepEqual(file.inherit('a'), {});
    assert.equal(warned.length, 1);
    file.note('a', attempt('2'));
    assert.deepEqual(new AttemptsFile(path, SILENT).inherit('a'), { attempt: attempt('2') });
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
