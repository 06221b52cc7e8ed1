import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { scaleToBudget } from '../support/faults/budget.js';
import { onFaultyDisk } from '../support/power-cut/faulty-disk-suite.js';
import { shortest } from '../support/measurement.js';

const SECONDS = scaleToBudget('SLOW_DISK_SECONDS', 3, 60);
const WRITERS = 32;
/** Permitted growth of resident memory (bytes). */
const MEMORY_BOUND = 300 * 1024 * 1024;

describe(`a slow disk below the event log, ${SECONDS} s each`, function () {
  this.timeout(SECONDS * 20_000 + 120_000);
  const on = onFaultyDisk('slow disks');
  beforeEach(() => on.trial.load(WRITERS, pause(1_000))); // warm

  /** Response times of `/live` (ms), ascending, under load. */
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
    it(`with ${delayMs} ms per sync: acknowledgements are slow but correct, and the main thread is not blocked`, async () => {
      const before = residentBytes(on.trial.service.pid);
      const calm = p99Of(await underLoad(1_000));
      on.disk.set({ match: 'events.db-wal', syncDelayMs: delayMs });
      const acknowledged = on.trial.ledger.length;
      // The machine is shared, so only the increase counts. If the main thread synced, each response would take a multiple of the delay.
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

  it('that stalls for 5 s: every request is acknowledged or retryable, and counted once', async () => {
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
