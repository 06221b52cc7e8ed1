import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DeadLetterDocument } from '../../src/read-models/documents/dead-letter-documents.js';

const PROCESS = fileURLToPath(new URL('../unit/projections/engine/support/aborting-process.js', import.meta.url));

describe('an event that aborts the process', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'hindsight-abort-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('becomes a dead letter after three crashed restarts, and all other events are projected', () => {
    const ends = [1, 2, 3, 4, 5].map(() => spawnSync(process.execPath, [PROCESS, folder], { encoding: 'utf8' }));
    assert.deepEqual(
      ends.map(({ signal, status }) => signal ?? status),
      ['SIGABRT', 'SIGABRT', 'SIGABRT', 'SIGABRT', 0],
    );
    const { deadLetters, folded } = JSON.parse(ends[4].stdout) as {
      deadLetters: DeadLetterDocument[];
      folded: string[];
    };
    assert.deepEqual(folded, ['a', 'b', 'd', 'e']);
    assert.deepEqual(
      deadLetters.map(({ revision, fatal }) => [revision, fatal]),
      [[2, true]],
    );
  });
});
