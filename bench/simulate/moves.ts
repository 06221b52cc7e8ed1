import { randomNumbers } from '../../test/support/random-numbers.js';
import { LeaseMembers } from './lease-members.js';
import { VirtualTime } from './virtual-time.js';

const SETTLING_MS = 15_000;
const LOOK_MS = 20;
const LIMIT_MS = 30_000;

/** How long (ms) after one of so many projectors dies, or leaves in order, until all of its shares have others. */
export function timeToMove(projectors: number, shares: number, how: 'kill' | 'leave', seed: number): number {
  const [time, chance] = [new VirtualTime(), randomNumbers(seed)];
  const leases = new LeaseMembers(time, chance, shares);
  for (let n = 0; n < projectors; n++) leases.join(`projector-${n}`);
  const from = SETTLING_MS + chance() * 1_000;
  time.runUntil(from);
  leases[how]('projector-0');
  const held = (): number => leases.living.reduce((sum, id) => sum + leases.heldBy(id).size, 0);
  while (held() < shares) {
    if (time.now > from + LIMIT_MS) throw new Error(`shares have no owner after ${LIMIT_MS} ms`);
    time.runUntil(time.now + LOOK_MS);
  }
  return time.now - from;
}
