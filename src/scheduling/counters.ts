/** Numbers by name, without those that are 0. */
export class Counters {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  increase(name: string): void {
    this.counts.set(name, this.of(name) + 1);
  }

  decrease(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.counts.set(name, left);
    else this.counts.delete(name);
  }
}
