import { randomNumbers } from '../../test/support/random-numbers.js';
import { SimulatedLeases } from './simulated-leases.js';
import { VirtualTime } from './virtual-time.js';

const SETTLING_MS = 15_000;
const POLL_INTERVAL_MS = 20;
const LIMIT_MS = 30_000;

/** Time (ms) from the death or clean stop of one projector until all of its shards have new owners. */
export function simulateFailover(projectors: number, shares: number, how: 'kill' | 'leave', seed: number): number {
  const [time, chance] = [new VirtualTime(), randomNumbers(seed)];
  const leases = new SimulatedLeases(time, chance, shares);
  for (let n = 0; n < projectors; n++) leases.join(`projector-${n}`);
  const from = SETTLING_MS + chance() * 1_000;
  time.runUntil(from);
  leases[how]('projector-0');
  const held = (): number => leases.living.reduce((sum, id) => sum + leases.ownedShards(id).size, 0);
  while (held() < shares) {
    if (time.now > from + LIMIT_MS) throw new Error(`shares have no owner after ${LIMIT_MS} ms`);
    time.runUntil(time.now + POLL_INTERVAL_MS);
  }
  return time.now - from;
}
