import assert from 'node:assert/strict';
import { growthPerMinute, type MemorySample } from '../../support/load/memory-growth.js';

const MINUTES = 10;
const FROM_MS = 3 * 60_000;

/** A sample a second: caches fill within two minutes, garbage grows by 80 and is collected every 40 s, `leak` a minute. */
function sampleProcess(leak: number): MemorySample[] {
  return Array.from({ length: MINUTES * 60 }, (_, second) => ({
    atMs: second * 1_000,
    bytes: 300 + Math.min(150, second * 1.25) + ((second % 40) / 40) * 80 + (second / 60) * leak,
  }));
}

describe('the growth of memory', () => {
  it('is near 0 for a process that only collects its garbage', () => {
    assert.ok(Math.abs(growthPerMinute(sampleProcess(0), FROM_MS)) < 1);
  });

  it('is what a process leaks, whatever garbage it has', () => {
    for (const leak of [6, 20]) assert.ok(Math.abs(growthPerMinute(sampleProcess(leak), FROM_MS) - leak) < 1);
  });

  it('does not count what came before', () => {
    assert.ok(growthPerMinute(sampleProcess(0), 0) > 5);
  });

  it('is unknown for a process that ended before', () => {
    assert.ok(Number.isNaN(growthPerMinute(sampleProcess(0), MINUTES * 60_000)));
  });
});
