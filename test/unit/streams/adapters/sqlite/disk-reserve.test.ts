import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskReserve } from '../../../../../src/streams/adapters/sqlite/disk-reserve.js';

describe('disk reserve', () => {
  let dir: string;
  let file: string;
  let now = 0;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hindsight-reserve-'));
    file = join(dir, 'reserve');
    now = 0;
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const reserve = () => new DiskReserve(file, () => now);

  it('is acquired at startup as a file that is not sparse', () => {
    const taken = reserve();
    taken.prepare();
    assert.equal(taken.held, true);
    const { size, blocks } = statSync(file);
    assert.ok(size > 0 && blocks * 512 >= size);
  });

  it('is reused by the next start, and completed if necessary', () => {
    reserve().prepare();
    const { size } = statSync(file);
    truncateSync(file, 10);
    const next = reserve();
    next.prepare();
    assert.equal(next.held, true);
    assert.equal(statSync(file).size, size);
  });

  it('is deleted on release, and acquired again later', () => {
    const taken = reserve();
    taken.prepare();
    taken.release();
    assert.deepEqual([taken.held, existsSync(file)], [false, false]);
    now += 999;
    assert.equal(taken.held, false);
    now += 1;
    assert.deepEqual([taken.held, existsSync(file)], [true, true]);
  });
});
