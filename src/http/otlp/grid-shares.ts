/**
 * How much of what waits is whose. Remembers only Grids of which something waits, so never more of them than requests wait.
 */
export class GridShares {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** Records of a Grid that wait from now on. */
  add(gridId: string, records: number): void {
    this.waiting.set(gridId, this.of(gridId) + records);
    this.total += records;
  }

  /** They wait no longer. They MUST have been added. */
  remove(gridId: string, records: number): void {
    const left = this.of(gridId) - records;
    this.total -= records;
    if (left > 0) this.waiting.set(gridId, left);
    else this.waiting.delete(gridId);
  }

  /**
   * Whether less waits of this Grid than if all that have something waiting had as much: it is the others that are too many.
   * Never true of a Grid that is alone.
   */
  isModest(gridId: string): boolean {
    return this.of(gridId) * this.waiting.size < this.total;
  }

  private of(gridId: string): number {
    return this.waiting.get(gridId) ?? 0;
  }
}
