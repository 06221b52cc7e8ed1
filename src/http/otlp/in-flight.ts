/** Counts requests that have begun and whose answer has not left yet. */
export class InFlight {
  private running = 0;
  private readonly idlers: (() => void)[] = [];

  get count(): number {
    return this.running;
  }

  begin(): void {
    this.running++;
  }

  end(): void {
    this.running--;
    if (this.running === 0) for (const resolve of this.idlers.splice(0)) resolve();
  }

  /** Resolves at the next moment in which none is running. */
  idle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.idlers.push(resolve));
  }
}
