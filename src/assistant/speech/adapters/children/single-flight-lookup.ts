/**
 * Searches until something is found, then caches it, so that programs installed later are used without a restart.
 * Concurrent callers share one search.
 */
export class SingleFlightLookup<T> {
  private value: T | undefined;
  private pending: Promise<T | undefined> | undefined;

  constructor(private readonly look: () => Promise<T | undefined>) {}

  async result(): Promise<T | undefined> {
    if (this.value !== undefined) return this.value;
    this.pending ??= this.look().finally(() => (this.pending = undefined));
    return (this.value = await this.pending);
  }
}
