import { createHash } from 'node:crypto';

/**
 * The items in an order that FAULTS_SEED decides (without it, another each time): each change meets other faults first, and
 * whoever runs it again with the seed the same.
 */
export function shuffleBySeed(items, nameOf = String) {
  const seed = process.env.FAULTS_SEED ?? String(Date.now());
  const rank = (item) =>
    createHash('sha256')
      .update(`${seed} ${nameOf(item)}`)
      .digest('hex');
  return items.toSorted((a, b) => rank(a).localeCompare(rank(b)));
}
