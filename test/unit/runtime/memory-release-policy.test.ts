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

  /** One sample: bytes in use, what a release would leave of them, and the part of a CPU used since the previous one. */
  sample(residentBytes: number, cpu: number, leftBytes = residentBytes): ReleaseExtent | undefined {
    this.atMs += STEP_MS;
    this.cpuMs += cpu * STEP_MS;
    const extent = this.policy.next({ atMs: this.atMs, cpuMs: this.cpuMs, residentBytes });
    if (extent !== undefined) this.policy.recordRelease(leftBytes);
    return extent;
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

  it('happens several times within a minute after work has ended, and then no more', () => {
    process.samples(10, 500, 1);
    const after = process.samples(12, 500, 0.001);
    assert.deepEqual([after[0], countOf(after, 'unused')], [undefined, 4]);
    assert.deepEqual(process.samples(100, 500, 0.001), Array(100).fill(undefined));
  });

  it('does not take its own work for work', () => {
    process.samples(10, 500, 1);
    assert.equal(process.samples(2, 500, 0.001).at(-1), 'unused');
    assert.deepEqual(
      [process.sample(400, 0.9), process.sample(400, 0), process.sample(400, 0)],
      [undefined, undefined, 'unused'],
      'collecting garbage took most of the interval',
    );
  });

  it('happens again when an idle process has grown since the last release, whatever the next sample was', () => {
    process.samples(10, 500, 1);
    process.samples(12, 200, 0);
    assert.deepEqual(process.samples(10, 209, 0.001), Array(10).fill(undefined));
    assert.equal(process.sample(220, 0.001, 200), 'unused');
    assert.deepEqual(process.samples(3, 220, 0.001), Array(3).fill(undefined));
    assert.equal(process.sample(220, 0.001), 'unused');
  });

  it('happens again when a process works at a low rate, but not more often than three times a minute', () => {
    process.samples(12, 500, 0.001);
    const atLowRate = process.samples(48, 500, 0.2);
    assert.equal(countOf(atLowRate, 'unused'), 12);
    assert.ok(countOf(process.samples(48, 500, 0.03), 'unused') <= 3);
  });

  it('halves the caches close to the limit, however busy the process is', () => {
    process.samples(10, 890, 2);
    assert.equal(process.sample(910, 2, 700), 'half');
    assert.equal(process.sample(700, 2), undefined);
    assert.equal(process.sample(910, 2, 700), 'half');
  });

  it('happens at each sample beyond the limit, while the process grows', () => {
    let bytes = 1_000;
    const beyond = Array.from({ length: 6 }, () => process.sample((bytes *= 1.06), 2));
    assert.equal(countOf(beyond, 'half'), 6);
  });

  it('becomes rarer when caches hold none of what is in use', () => {
    assert.equal(countOf(process.samples(12, 950, 2), 'half'), 2);
    assert.ok(countOf(process.samples(120, 950, 2), 'half') <= 5);
  });

  it('does not become rarer while the process grows', () => {
    process.samples(60, 950, 2);
    assert.ok(countOf(process.samples(6, 960, 2), 'half') <= 1);
    let bytes = 960;
    const whileItGrows = Array.from({ length: 12 }, () => process.sample((bytes *= 1.06), 2));
    assert.ok(countOf(whileItGrows, 'half') >= 5, 'every ten seconds');
  });
});
