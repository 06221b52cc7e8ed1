import assert from 'node:assert/strict';
import { keptFootprint } from '../../../bench/footprint/figures.js';
import { ASSUMED, furthestReach, monthlyCost, planFor, reachOf, sharesFor } from '../../../bench/simulate/plan.js';

const footprint = keptFootprint();
const RATES = [1_000, 50_000, 300_000, 2_000_000, 10_000_000];

describe('The plan for a rate', () => {
  it('shares are a power of two, the default at least, up to what the product allows, and two a projector where that is possible', () => {
    assert.deepEqual([1, 2, 8, 9, 16, 100, 200].map(sharesFor), [1, 16, 16, 32, 32, 256, 256]);
  });

  it('no installation is asked for more than it carries', () => {
    for (const rate of RATES) {
      const { installations, projectors } = planFor(footprint, rate);
      assert.ok(rate / installations <= reachOf(footprint, projectors / installations, ASSUMED).rate, `${rate}`);
    }
  });

  it('one installation less would not do', () => {
    for (const rate of RATES) {
      const { installations } = planFor(footprint, rate);
      if (installations > 1) assert.ok(rate / (installations - 1) > furthestReach(footprint, ASSUMED).rate);
    }
  });

  it('projectors limit a small installation, and the reading of many shares a large one', () => {
    const [few, many] = [2, 64].map((projectors) => reachOf(footprint, projectors, ASSUMED));
    assert.deepEqual([few.limit, many.limit], ['projectors', 'log, catching up']);
    const twice = reachOf(footprint, 64, { ...ASSUMED, logScanMBs: 2 * ASSUMED.logScanMBs });
    assert.ok(Math.abs(twice.rate / many.rate - 2) < 1e-9);
    assert.equal(reachOf(footprint, 8, { ...ASSUMED, logAppendMBs: 0.001 }).limit, 'log, appends');
  });

  it('any process may be lost', () => {
    const { ingestProcesses, projectors, apiProcesses } = planFor(footprint, 100);
    assert.deepEqual([ingestProcesses, projectors, apiProcesses], [2, 2, 2]);
  });

  it('traffic and disk are what each span takes, times copies', () => {
    const { network, storage } = planFor(footprint, 1_000_000);
    assert.ok(Math.abs(network.senders - footprint.spansIn['http-gzip'].requestBytes) < 1e-6);
    assert.ok(Math.abs(storage.log - footprint.projected.traces.logBytes * 0.0864 * 3) < 1e-6);
  });

  it('costs what its parts cost, and nothing where nobody names a price', () => {
    const plan = planFor(footprint, 1_000_000);
    const none = { core: 0, node: 0, terabyte: 0, networkTerabyte: 0 };
    assert.equal(monthlyCost(plan, none), 0);
    assert.equal(monthlyCost(plan, { ...none, core: 3, node: 7 }), plan.cores * 3 + (plan.logNodes + plan.readStoreNodes) * 7);
  });
});
