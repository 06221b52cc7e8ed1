import assert from 'node:assert/strict';
import { computeCommitCosts, computeRecordCost } from '../../../../bench/footprint/footprint-measurement.js';
import type { ProjectionCost } from '../../../../bench/footprint/projection-cost.js';

/** Grids cost 2 ms and 3,000 bytes each, or as many as the busy one. */
const supply = (records: number, commits: number, gridMillis: number, gridBytes: number): ProjectionCost => ({
  records,
  commits,
  seconds: 1,
  fromReadStoreBytes: 0,
  stored: { log: 80 * records, readModels: 60 * records },
  cpuMicros: 5 * records + commits * (10_000 + 1_000 * gridMillis),
  fromLogBytes: 90 * records,
  toReadStoreBytes: 100 * records + commits * (20_000 + gridBytes),
});

describe('The footprint', () => {
  it('is taken apart into what records, commits, and Grids in commits cost', () => {
    const record = computeRecordCost(supply(1_000_000, 0, 0, 0));
    assert.deepEqual(
      [record.cpuMicros, record.fromLogBytes, record.toReadStoreBytes, record.logBytes, record.readModelBytes],
      [5, 90, 100, 80, 60],
    );
    const runs = {
      one: supply(5_000, 40, 2, 3_000),
      many: supply(40_000, 40, 16, 24_000),
      busy: supply(5_000, 40, 30, 500_000),
    };
    assert.deepEqual(computeCommitCosts(record, runs, 8), {
      commit: { cpuMillis: 10, toReadStoreBytes: 20_000 },
      commitOfGrid: { cpuMillis: 2, toReadStoreBytes: 3_000 },
      commitOfBusyGrid: { cpuMillis: 30, toReadStoreBytes: 500_000 },
    });
  });
});
