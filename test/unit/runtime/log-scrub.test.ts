import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogScrub, SCRUB_FILE } from '../../../src/runtime/log-scrub.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import type { Position } from '../../../src/streams/event-store.js';

const DAMAGE = { position: '0000000000000003' as Position, reason: 'its body' };

describe('the state of the scrub', () => {
  let dataDir: string;
  let warnings: string[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hindsight-scrub-'));
    warnings = [];
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const create = () => {
    const checker = { checkAfter: () => Promise.resolve({ bytes: 0, damaged: [] }) };
    return createLogScrub({ dataDir }, checker, { ...SILENT_LOGGER, warn: (line) => void warnings.push(line) });
  };

  it('survives a restart in a private file', async () => {
    const scrub = create();
    scrub.note(DAMAGE);
    await scrub.stop();
    assert.equal(statSync(join(dataDir, SCRUB_FILE)).mode & 0o777, 0o600);
    assert.match(create().finding ?? '', /at position 0000000000000003/);
    assert.ok(!existsSync(join(dataDir, `${SCRUB_FILE}.new`)));
  });

  it('begins from the start, with a warning, where the file is damaged', () => {
    for (const content of ['{"position":"00', '{}', 'null', '']) {
      writeFileSync(join(dataDir, SCRUB_FILE), content);
      assert.equal(create().finding, undefined, content);
    }
    assert.equal(warnings.length, 4);
  });

  it('continues in memory where the folder cannot be written', async () => {
    const scrub = create();
    rmSync(dataDir, { recursive: true });
    scrub.note(DAMAGE);
    assert.match(scrub.finding ?? '', /1 damaged event/);
    await scrub.stop();
    assert.equal(warnings.length, 1);
    assert.throws(() => readFileSync(join(dataDir, SCRUB_FILE)));
  });
});
