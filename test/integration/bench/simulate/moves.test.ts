import assert from 'node:assert/strict';
import { simulateFailover } from '../../../../bench/simulate/failover-time.js';
import { LEASE_TIMING } from '../../../../src/projections/sharding/failure-detector.js';

/** As `LEASE_TIMING` promises. */
const BOUND_MS = 7_500;
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

describe('How long shards take to move', () => {
  it('those of a projector that died have others within the bound of the leases, and not before nobody can hold them', () => {
    for (const seed of SEEDS) {
      const took = simulateFailover(4, 16, 'kill', seed);
      assert.ok(took <= BOUND_MS && took >= LEASE_TIMING.lapseMs - LEASE_TIMING.beatMs, `${took} ms with seed ${seed}`);
    }
  });

  it('those of one that stops in order have others within two beats', () => {
    for (const seed of SEEDS) assert.ok(simulateFailover(4, 16, 'leave', seed) <= 2 * LEASE_TIMING.beatMs);
  });

  it('is the same for the same seed', () => {
    assert.equal(simulateFailover(3, 16, 'kill', 5), simulateFailover(3, 16, 'kill', 5));
  });
});
