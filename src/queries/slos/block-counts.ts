/** Good events and all events of one block by minute. Blocks have fewer than 2^16 rows. */
export interface BlockCounts {
  /** Minutes since 1970, in no particular order. */
  readonly minutes: Int32Array;
  readonly good: Uint16Array;
  readonly total: Uint16Array;
}

export const NO_COUNTS: BlockCounts = {
  minutes: new Int32Array(0),
  good: new Uint16Array(0),
  total: new Uint16Array(0),
};

/** Memory of a minute of the counts of a block. */
export const COUNTS_MINUTE_BYTES = 8;

/** Counts the events of a block. */
export class BlockCountsBuilder {
  private readonly places = new Map<number, number>();
  private readonly good: number[] = [];
  private readonly total: number[] = [];

  add(minute: number, isGood: boolean): void {
    let place = this.places.get(minute);
    if (place === undefined) {
      this.places.set(minute, (place = this.total.length));
      this.good.push(0);
      this.total.push(0);
    }
    this.total[place] += 1;
    if (isGood) this.good[place] += 1;
  }

  build(): BlockCounts {
    if (this.total.length === 0) return NO_COUNTS;
    const { places, good, total } = this;
    return { minutes: Int32Array.from(places.keys()), good: Uint16Array.from(good), total: Uint16Array.from(total) };
  }
}
