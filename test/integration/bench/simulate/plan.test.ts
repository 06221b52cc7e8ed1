import assert from 'node:assert/strict';
import { loadFootprint } from '../../../../bench/footprint/footprint-file.js';
import {
  DEFAULT_ASSUMPTIONS,
  findMaxCapacity,
  computeMonthlyCost,
  createCapacityPlan,
  computeCapacity,
  chooseShardCount,
} from '../../../../bench/simulate/capacity-plan.js';

const footprint = loadFootprint();
const RATES = [1_000, 50_000, 300_000, 2_000_000, 10_000_000];

describe('The plan for a rate', () => {
  it('shards are a power of two, the default at least, up to what the product allows, and two a projector where that is possible', () => {
    assert.deepEqual([1, 2, 8, 9, 16, 100, 200].map(chooseShardCount), [1, 16, 16, 32, 32, 256, 256]);
  });

  it('no installation is asked for more than it carries', () => {
    for (const rate of RATES) {
      const { installations, projectors } = createCapacityPlan(footprint, rate);
      assert.ok(
        rate / installations <= computeCapacity(footprint, projectors / installations, DEFAULT_ASSUMPTIONS).rate,
        `${rate}`,
      );
    }
  });

  it('one installation less would not do', () => {
    for (const rate of RATES) {
      const { installations } = createCapacityPlan(footprint, rate);
      if (installations > 1)
        assert.ok(rate / (installations - 1) > findMaxCapacity(footprint, DEFAULT_ASSUMPTIONS).rate);
    }
  });

  it('projectors limit a small installation, and the reading of many shards a large one', () => {
    const [few, many] = [2, 64].map((projectors) => computeCapacity(footprint, projectors, DEFAULT_ASSUMPTIONS));
    assert.deepEqual([few.limit, many.limit], ['projectors', 'log, catching up']);
    const twice = computeCapacity(footprint, 64, {
      ...DEFAULT_ASSUMPTIONS,
      logScanMBs: 2 * DEFAULT_ASSUMPTIONS.logScanMBs,
    });
    assert.ok(Math.abs(twice.rate / many.rate - 2) < 1e-9);
    assert.equal(computeCapacity(footprint, 8, { ...DEFAULT_ASSUMPTIONS, logAppendMBs: 0.001 }).limit, 'log, appends');
  });

  it('any process may be lost', () => {
    const { ingestProcesses, projectors, apiProcesses } = createCapacityPlan(footprint, 100);
    assert.deepEqual([ingestProcesses, projectors, apiProcesses], [2, 2, 2]);
  });

  it('traffic and disk are what each span takes, times copies', () => {
    const { network, storage } = createCapacityPlan(footprint, 1_000_000);
    assert.ok(Math.abs(network.senders - footprint.spansIn['http-gzip'].requestBytes) < 1e-6);
    assert.ok(Math.abs(storage.log - footprint.projected.traces.logBytes * 0.0864 * 3) < 1e-6);
  });

  it('costs what its parts cost, and nothing where nobody names a price', () => {
    const plan = createCapacityPlan(footprint, 1_000_000);
    const none = { core: 0, node: 0, terabyte: 0, networkTerabyte: 0 };
    assert.equal(computeMonthlyCost(plan, none), 0);
    assert.equal(
      computeMonthlyCost(plan, { ...none, core: 3, node: 7 }),
      plan.cores * 3 + (plan.logNodes + plan.readStoreNodes) * 7,
    );
  });
});
