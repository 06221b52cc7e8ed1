import assert from 'node:assert/strict';
import { MemoryReleasePolicy } from '../../../src/runtime/memory-release-policy.js';
import type { ReleaseExtent } from '../../../src/thread-memory.js';

const LIMIT = 1_000;
const STEP_MS = 5_000;

/** A process that is sampled every five seconds. */
class SampledProcess {
  private readonly policy = new MemoryReleasePolicy(LIMIT);
  private atMs = 0;
  private cpuMs = 0;

  /** One sample: bytes in use, and the part of a CPU that was used since the previous one. */
  sample(residentBytes: number, cpu: number): ReleaseExtent | undefined {
    this.atMs += STEP_MS;
    this.cpuMs += cpu * STEP_MS;
    return this.policy.next({ atMs: this.atMs, cpuMs: this.cpuMs, residentBytes });
  }

  samples(count: number, residentBytes: number, cpu: number): (ReleaseExtent | undefined)[] {
    return Array.from({ length: count }, () => this.sample(residentBytes, cpu));
  }
}

const countOf = (extents: readonly unknown[], extent: ReleaseExtent): number =>
  extents.filter((each) => each === extent).length;

describe('the release of memory', () => {
  let process: SampledProcess;
  beforeEach(() => (process = new SampledProcess()));

  it('waits while the process works', () => {
    assert.deepEqual(process.samples(20, 500, 1.5), Array(20).fill(undefined));
  });

  it('happens several times within 40 s after work has ended, and then no more', () => {
    process.samples(10, 500, 1);
    const after = process.samples(8, 500, 0.02);
    assert.deepEqual([after[0], countOf(after, 'unused')], [undefined, 4]);
    assert.deepEqual(process.samples(100, 500, 0.02), Array(100).fill(undefined));
  });

  it('does not take its own work for work', () => {
    process.samples(10, 500, 1);
    const after = process.samples(2, 500, 0.02);
    assert.equal(after.at(-1), 'unused');
    assert.equal(process.sample(400, 0.9), 'unused', 'collecting garbage took most of the interval');
  });

  it('happens again when an idle process grows', () => {
    process.samples(10, 500, 1);
    process.samples(10, 200, 0);
    assert.deepEqual(process.samples(10, 209, 0.1), Array(10).fill(undefined));
    assert.equal(countOf(process.samples(4, 220, 0.1), 'unused'), 1);
  });

  it('halves the caches close to the limit, however busy the process is', () => {
    process.samples(10, 890, 2);
    assert.equal(process.sample(910, 2), 'half');
    assert.equal(process.sample(700, 2), undefined);
    assert.equal(process.sample(910, 2), 'half');
  });

  it('becomes rarer when caches hold none of what is in use', () => {
    assert.equal(countOf(process.samples(12, 950, 2), 'half'), 2);
    assert.ok(countOf(process.samples(120, 950, 2), 'half') <= 5);
  });
});
