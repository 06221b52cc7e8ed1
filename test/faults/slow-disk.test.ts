import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { timesOf } from '../support/faults/sizes.js';
import { onFaultyDisk } from '../support/power-cut/on-faulty-disk.js';
import { shortest } from '../support/undisturbed.js';

const SECONDS = timesOf('SLOW_DISK_SECONDS', 3, 60);
const WRITERS = 32;
/** Resident memory that a slow disk may cost (bytes). */
const MEMORY_BOUND = 300 * 1024 * 1024;

describe(`a slow disk under the log, ${SECONDS} s each`, function () {
  this.timeout(SECONDS * 20_000 + 120_000);
  const on = onFaultyDisk('slow disks');
  beforeEach(() => on.trial.load(WRITERS, pause(1_000))); // warm

  /** Answer times of `/live` (ms), ascending, under load for so long. */
  async function underLoad(ms: number): Promise<number[]> {
    const times: number[] = [];
    const ask = async () => {
      for (const end = performance.now() + ms; performance.now() < end; await pause(10)) {
        const began = performance.now();
        await (await fetch(`${on.trial.service.apiUrl}/live`)).arrayBuffer();
        times.push(performance.now() - began);
      }
    };
    await on.trial.load(WRITERS, ask());
    return times.sort((a, b) => a - b);
  }

  for (const delayMs of [50, 500]) {
    it(`of ${delayMs} ms a sync: acknowledgements are slow and true, the serving thread is not held`, async () => {
      const before = residentBytes(on.trial.service.pid);
      const calm = p99Of(await underLoad(1_000));
      on.disk.set({ match: 'events.db-wal', syncDelayMs: delayMs });
      const acknowledged = on.trial.ledger.length;
      // Others share the processors with it: what counts is how much the slow disk adds. A thread that syncs itself adds a multiple of the delay, each time.
      const bound = Math.max(250, 3 * calm);
      const p99 = await shortest(bound, async () => p99Of(await underLoad(SECONDS * 1_000)));
      assert.ok(on.trial.ledger.length > acknowledged + WRITERS, 'it gets on');
      assert.ok(
        p99 < bound,
        `p99 of the serving thread is ${p99.toFixed(0)} ms, and ${calm.toFixed(0)} ms on a fast disk`,
      );
      assert.ok(residentBytes(on.trial.service.pid) < before + MEMORY_BOUND);
      on.disk.heal();
      await on.trial.settle('after the disk was fast again');
    });
  }

  it('that stalls for 5 s: what was sent is answered, acknowledged or to be retried, and counted once', async () => {
    on.disk.set({ match: 'events.db-wal', syncDelayMs: 5_000 });
    const stall = pause(500).then(() => on.disk.heal());
    await on.trial.load(WRITERS, Promise.all([stall, pause(6_000)]));
    assert.ok(
      on.trial.ledger.every(({ outcome }) => outcome !== 'unknown'),
      'every request has its answer',
    );
    await on.trial.settle('after the stall');
    await on.trial.verify();
  });
});

function p99Of(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length * 0.99)];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
