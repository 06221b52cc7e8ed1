import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SILENT_LOGGER } from '../../../../../../src/self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../../../../../src/projections/engine/adapters/file/file-poison-event-journal.js';
import type { FoldAttempt } from '../../../../../../src/projections/engine/crash-loop-guard.js';
import type { Position } from '../../../../../../src/streams/event-store.js';

const attempt = (position: string, tries = 1): FoldAttempt => ({
  after: '1' as Position,
  position: position as Position,
  tries,
});

describe('poison-event journal in a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-attempts-'));
    path = join(folder, 'attempts.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('returns the last record of each run to the next process, once', () => {
    const first = new FilePoisonEventJournal(path, SILENT_LOGGER);
    assert.equal(first.readPrevious('a'), undefined, 'there was none before');
    first.record('a', attempt('2'));
    first.record('b', attempt('5', 2));
    first.record('a', attempt('3'));
    const second = new FilePoisonEventJournal(path, SILENT_LOGGER); // the first was not closed: its process is dead
    assert.deepEqual(second.readPrevious('a'), { attempt: attempt('3') });
    assert.equal(second.readPrevious('a'), undefined);
    assert.deepEqual(second.readPrevious('c'), {});
    const third = new FilePoisonEventJournal(path, SILENT_LOGGER);
    assert.deepEqual(third.readPrevious('b'), { attempt: attempt('5', 2) }, 'the second died before it came to it');
  });

  it('returns nothing after a clean exit', () => {
    const first = new FilePoisonEventJournal(path, SILENT_LOGGER);
    first.readPrevious('a');
    first.record('a', attempt('2'));
    first.close();
    assert.equal(new FilePoisonEventJournal(path, SILENT_LOGGER).readPrevious('a'), undefined);
  });

  it('reports an unclean exit without a record', () => {
    new FilePoisonEventJournal(path, SILENT_LOGGER).readPrevious('a');
    assert.deepEqual(new FilePoisonEventJournal(path, SILENT_LOGGER).readPrevious('a'), {});
  });

  it('has a constant size, whatever it contained', () => {
    const file = new FilePoisonEventJournal(path, SILENT_LOGGER);
    file.record('a', attempt('2'));
    const { size } = statSync(path);
    for (let run = 0; run < 100; run++) file.record(`run ${run}`, attempt('a long position'));
    const grown = statSync(path).size;
    assert.ok(grown > size);
    for (let run = 0; run < 100; run++) file.clear(`run ${run}`);
    assert.equal(statSync(path).size, grown);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { ended: false, attempts: { a: attempt('2') } });
    assert.deepEqual(new FilePoisonEventJournal(path, SILENT_LOGGER).readPrevious('a'), { attempt: attempt('2') });
  });

  it('is private', () => {
    new FilePoisonEventJournal(path, SILENT_LOGGER).record('a', attempt('2'));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('treats an unreadable file as an unclean exit without a record, and logs it', () => {
    writeFileSync(path, '{"a": ');
    const warned: string[] = [];
    const file = new FilePoisonEventJournal(path, { warn: (message) => void warned.push(message) });
    assert.deepEqual(file.readPrevious('a'), {});
    assert.equal(warned.length, 1);
    file.record('a', attempt('2'));
    assert.deepEqual(new FilePoisonEventJournal(path, SILENT_LOGGER).readPrevious('a'), { attempt: attempt('2') });
  });

  it('ignores write failures, and logs the first', () => {
    mkdirSync(path);
    const warned: string[] = [];
    const file = new FilePoisonEventJournal(path, { warn: (message) => void warned.push(message) });
    file.record('a', attempt('2'));
    file.record('a', attempt('3'));
    file.close();
    file.close();
    assert.equal(warned.length, 1);
  });
});
