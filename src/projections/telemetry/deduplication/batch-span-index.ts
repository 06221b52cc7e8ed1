/** Hash slots per row; a power of two. */
const SLOTS_PER_ROW = 2;

/**
 * Admitted rows of a batch by key, in a table that fits the CPU cache: most spans arrive in the same batch as their
 * parents.
 */
export class BatchSpanIndex {
  /** Of each admitted row: both words of the key, and the span number. */
  a = new Uint32Array();
  b = new Uint32Array();
  number = new Uint32Array();
  /** Open-addressed: 0 for a free slot, else the row plus 1. No two rows have the same key. */
  private slots = new Int32Array(1);
  private starts: ArrayLike<number> = [];
  private earliest = Infinity;
  private latest = -Infinity;
  private fewest = Infinity;
  private most = -Infinity;

  /** Starts a batch of rows with these start times (µs). */
  begin(starts: ArrayLike<number>): void {
    this.starts = starts;
    this.earliest = this.fewest = Infinity;
    this.latest = this.most = -Infinity;
    if (this.a.length < starts.length) this.reserve(starts.length);
    else this.slots.fill(0);
  }

  /** Starts an event that was recorded at this log time after `counted` spans. */
  beginEvent(time: number, counted: number): void {
    this.earliest = Math.min(this.earliest, time);
    this.latest = Math.max(this.latest, time);
    this.fewest = Math.min(this.fewest, counted);
    this.most = Math.max(this.most, counted);
  }

  /** Adds a row. `isOnly`: no other known span has its key. */
  add(row: number, a: number, b: number, number: number, isOnly: boolean): void {
    this.a[row] = a;
    this.b[row] = b;
    this.number[row] = number;
    if (isOnly) this.place(row, b);
  }

  /** Whether all events of the batch are within `reach` spans and LINK_WINDOW_MS of each other. */
  areNear(reach: number): boolean {
    return this.latest - this.earliest < LINK_WINDOW_MS && this.most - this.fewest <= reach;
  }

  /** Number of the span with this key if it is the only one and started no earlier than `floorUs`; else -1. */
  find(a: number, b: number, floorUs: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = b & mask;
    for (let row = slots[slot] - 1; row >= 0; row = slots[slot] - 1) {
      if (this.b[row] === b && this.a[row] === a) return this.starts[row] < floorUs ? -1 : this.number[row];
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  private place(row: number, b: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = b & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }

  private reserve(rows: number): void {
    this.a = new Uint32Array(rows);
    this.b = new Uint32Array(rows);
    this.number = new Uint32Array(rows);
    this.slots = new Int32Array(SLOTS_PER_ROW << Math.ceil(Math.log2(rows)));
  }
}

/** Maximum distance (ms of log time) between the arrival of a span and that of its child. */
export const LINK_WINDOW_MS = 10 * 60_000;
