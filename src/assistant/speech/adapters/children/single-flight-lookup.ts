/**
 * Looks for something until it is found, and then keeps it: what is installed meanwhile counts without a restart. Whoever asks
 * while a search is under way shares it, so that no number of requests starts more than one.
 */
export class SingleFlightLookup<T> {
  private found: T | undefined;
  private underWay: Promise<T | undefined> | undefined;

  constructor(private readonly look: () => Promise<T | undefined>) {}

  async result(): Promise<T | undefined> {
    if (this.found !== undefined) return this.found;
    this.underWay ??= this.look().finally(() => (this.underWay = undefined));
    return (this.found = await this.underWay);
  }
}
