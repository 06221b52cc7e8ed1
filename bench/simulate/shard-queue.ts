/** Accepted but unprojected records of a shard: a fluid queue, first in, first out. */
export class ShardQueue {
  private readonly arrivals: { readonly at: number; amount: number }[] = [];
  private first = 0;
  accepted = 0;
  projected = 0;

  accept(at: number, amount: number): void {
    if (amount <= 0) return;
    this.arrivals.push({ at, amount });
    this.accepted += amount;
  }

  get waiting(): number {
    return this.accepted - this.projected;
  }

  get isEmpty(): boolean {
    return this.first === this.arrivals.length;
  }

  /** Removes at most so much, and returns the removed amount. */
  project(amount: number): number {
    let left = amount;
    while (left > 0 && !this.isEmpty) {
      const oldest = this.arrivals[this.first];
      const taken = Math.min(left, oldest.amount);
      oldest.amount -= taken;
      left -= taken;
      if (oldest.amount === 0) this.first++;
    }
    const taken = amount - left;
    this.projected += taken;
    return taken;
  }

  /** Age (ms) of the oldest waiting record; 0 when the queue is empty. */
  lag(now: number): number {
    return this.isEmpty ? 0 : now - this.arrivals[this.first].at;
  }
}
