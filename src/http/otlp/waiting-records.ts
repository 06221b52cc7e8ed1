import type { WorkShare } from '../../scheduling/fair-queue.js';

interface OwnerRecords {
  total: number;
  readonly byGrid: Map<string, number>;
}

/** A limit, and the number of records that was divided. */
interface Level {
  readonly capacity: number;
  readonly limit: number;
}

/** Waiting records as seen by one Grid. */
export interface WaitingView {
  readonly owner: number;
  /** Owners with waiting records, including this one. */
  readonly owners: number;
  readonly grid: number;
  /** Grids of the owner with waiting records, including this one. */
  readonly grids: number;
}

/**
 * Numbers of waiting records by owner and Grid. Contains only those with waiting records, so its size is limited by the
 * number of waiting requests.
 */
export class WaitingRecords {
  private readonly byOwner = new Map<string, OwnerRecords>();
  private count = 0;
  /** Limits since the last change, so that requests that are refused in a row do not compute them again. */
  private ownerLevel: Level | undefined;
  private readonly gridLevels = new Map<string, Level>();

  get total(): number {
    return this.count;
  }

  add({ ownerId, gridId }: WorkShare, records: number): void {
    if (records <= 0) return;
    this.forgetLevels();
    let owner = this.byOwner.get(ownerId);
    if (owner === undefined) this.byOwner.set(ownerId, (owner = { total: 0, byGrid: new Map() }));
    owner.total += records;
    owner.byGrid.set(gridId, (owner.byGrid.get(gridId) ?? 0) + records);
    this.count += records;
  }

  /** Removes records, which MUST have been added before. */
  remove({ ownerId, gridId }: WorkShare, records: number): void {
    const owner = this.byOwner.get(ownerId);
    if (owner === undefined) return;
    this.forgetLevels();
    this.count -= records;
    owner.total -= records;
    const left = (owner.byGrid.get(gridId) ?? 0) - records;
    if (left > 0) owner.byGrid.set(gridId, left);
    else owner.byGrid.delete(gridId);
    if (owner.total <= 0) this.byOwner.delete(ownerId);
  }

  /** What an owner may have waiting when `records` are divided fairly among owners; infinite if fewer wait. */
  computeOwnerLimit(records: number): number {
    if (this.count < records) return Infinity;
    if (this.ownerLevel?.capacity !== records) {
      const amounts = [...this.byOwner.values()].map(({ total }) => total);
      this.ownerLevel = { capacity: records, limit: computeMaxMinLevel(amounts, records) };
    }
    return this.ownerLevel.limit;
  }

  /** The same for a Grid, when the records of its owner are divided. */
  computeGridLimit(ownerId: string, records: number): number {
    let level = this.gridLevels.get(ownerId);
    if (level?.capacity !== records) {
      const amounts = [...(this.byOwner.get(ownerId)?.byGrid.values() ?? [])];
      level = { capacity: records, limit: computeMaxMinLevel(amounts, records) };
      if (amounts.length > 0) this.gridLevels.set(ownerId, level);
    }
    return level.limit;
  }

  viewOf({ ownerId, gridId }: WorkShare): WaitingView {
    const owner = this.byOwner.get(ownerId);
    const grid = owner?.byGrid.get(gridId);
    return {
      owner: owner?.total ?? 0,
      owners: this.byOwner.size + (owner === undefined ? 1 : 0),
      grid: grid ?? 0,
      grids: (owner?.byGrid.size ?? 0) + (grid === undefined ? 1 : 0),
    };
  }

  private forgetLevels(): void {
    this.ownerLevel = undefined;
    this.gridLevels.clear();
  }
}

/**
 * Max-min fairness: the level at which all amounts must be cut off so that their sum is `capacity`; infinite if the sum
 * is smaller. Amounts below the level are not cut, whatever the others are.
 */
export function computeMaxMinLevel(amounts: readonly number[], capacity: number): number {
  let left = capacity;
  const ascending = [...amounts].sort((a, b) => a - b);
  for (const [n, amount] of ascending.entries()) {
    const even = left / (ascending.length - n);
    if (amount >= even) return even;
    left -= amount;
  }
  return Infinity;
}
