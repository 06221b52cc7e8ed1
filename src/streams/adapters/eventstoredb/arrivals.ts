/** Looks at what comes next without taking it. */
export class Arrivals<T extends object> {
  readonly #source: AsyncIterator<unknown, unknown>;
  #next: Promise<T | 'end'> | undefined;

  constructor(source: AsyncIterable<unknown>) {
    this.#source = source[Symbol.asyncIterator]() as AsyncIterator<unknown, unknown>;
  }

  /** What comes next, `end` behind the last; undefined when nothing comes within `patienceMs`. Rejects as the source does. */
  async peek(patienceMs?: number): Promise<T | 'end' | undefined> {
    const next = (this.#next ??= this.#pull());
    if (patienceMs === undefined) return next;
    let timer: NodeJS.Timeout | undefined;
    const nothing = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs);
    });
    return Promise.race([next, nothing]).finally(() => clearTimeout(timer));
  }

  /** Takes what the last look found. */
  drop(): void {
    this.#next = undefined;
  }

  #pull(): Promise<T | 'end'> {
    const next = this.#source.next().then(({ done, value }) => (done === true ? 'end' : (value as T)));
    // Whoever looks next hears of the failure; when nobody does any more, nobody needs to.
    next.catch(() => undefined);
    return next;
  }
}
