import { ShardMap } from '../../src/streams/shard-map.js';
import { percentile } from '../measurement-table.js';
import { randomNumbers } from '../../test/support/random-numbers.js';

/** Fractions by rank: the second is 2^-exponent of the first, the third 3^-exponent. 0: all equal. They add up to 1. */
export function zipfSizes(count: number, exponent: number): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** An installation: number and sizes of its Grids, shards, and projectors. */
export interface InstallationShape {
  readonly grids: number;
  readonly exponent: number;
  readonly shares: number;
  readonly projectors: number;
}

/** Load of the busiest projector relative to the mean, over many installations. */
export interface LoadImbalance {
  readonly median: number;
  readonly p95: number;
  /** Fraction of all telemetry that the largest Grid sends. */
  readonly largestGrid: number;
}

const INSTALLATIONS = 200;
/** Regenerated for each installation. */
const GRID_POOL_SIZE = 20_000;
const shardsByCount = new Map<number, Uint8Array>();

/**
 * Grids are assigned to shards by the hash of the product, and shards to projectors like leases: even in number,
 * regardless of size.
 */
export function computeImbalance(spread: InstallationShape, seed = 1): LoadImbalance {
  const chance = randomNumbers(seed);
  const sizes = zipfSizes(spread.grids, spread.exponent);
  const shareOf = computeGridShards(spread.shares);
  const ratios = Array.from({ length: INSTALLATIONS }, () => {
    const loads = new Float64Array(spread.shares);
    for (const size of sizes) loads[shareOf[Math.floor(chance() * GRID_POOL_SIZE)]] += size;
    return Math.max(...distributeLoads(loads, spread.projectors, chance)) * spread.projectors;
  });
  return { median: percentile(ratios, 50), p95: percentile(ratios, 95), largestGrid: sizes[0] };
}

/** Loads of projectors whose numbers of shards differ by one at most. */
export function distributeLoads(loads: ArrayLike<number>, projectors: number, chance: () => number): number[] {
  const order = Array.from({ length: loads.length }, (_, share) => share);
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(chance() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  const sums = new Array<number>(projectors).fill(0);
  order.forEach((share, turn) => (sums[turn % projectors] += loads[share]));
  return sums;
}

/** Shard of each Grid according to the product. */
function computeGridShards(count: number): Uint8Array {
  let placed = shardsByCount.get(count);
  if (placed === undefined) {
    const [shares, chance] = [new ShardMap(count), randomNumbers(GRID_POOL_SIZE)];
    placed = Uint8Array.from({ length: GRID_POOL_SIZE }, () => shares.shardFor(randomGridId(chance)));
    shardsByCount.set(count, placed);
  }
  return placed;
}

/** An id in the form of a UUID. */
function randomGridId(chance: () => number): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
