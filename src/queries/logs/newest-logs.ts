const FIRST_CAPACITY = 64;

/**
 * The newest `k` of all log records that are offered, by time, revision and ordinal. A heap over typed arrays whose
 * top is the oldest one kept: most offers are turned down after one comparison.
 */
export class NewestLogs {
  private timeUs = new Float64Array(FIRST_CAPACITY);
  private timeNs = new Uint16Array(FIRST_CAPACITY);
  private revision = new Uint32Array(FIRST_CAPACITY);
  private ordinal = new Uint32Array(FIRST_CAPACITY);
  private block = new Uint32Array(FIRST_CAPACITY);
  private row = new Uint16Array(FIRST_CAPACITY);
  private count = 0;

  constructor(private readonly k: number) {}

  /** False: nothing of that µs or older is taken any more. */
  wants(timeUs: number): boolean {
    return this.count < this.k || (this.k > 0 && timeUs >= this.timeUs[0]);
  }

  offer(block: number, row: number, timeUs: number, timeNs: number, revision: number, ordinal: number): void {
    if (this.count < this.k) {
      this.reserve();
      this.set(this.count, block, row, timeUs, timeNs, revision, ordinal);
      this.siftUp(this.count++);
      return;
    }
    if (!this.isOlderThan(timeUs, timeNs, revision, ordinal)) return;
    this.set(0, block, row, timeUs, timeNs, revision, ordinal);
    this.siftDown();
  }

  /** Blocks and rows, newest first, without the first `skip`. */
  newestFirst(skip: number): { block: number; row: number }[] {
    const order = Uint32Array.from({ length: this.count }, (_, i) => i).sort((a, b) => (this.isOlder(a, b) ? 1 : -1));
    return Array.from(order.subarray(skip), (i) => ({ block: this.block[i], row: this.row[i] }));
  }

  /** Is the oldest one kept older than this? */
  private isOlderThan(timeUs: number, timeNs: number, revision: number, ordinal: number): boolean {
    if (this.k === 0) return false;
    if (this.timeUs[0] !== timeUs) return this.timeUs[0] < timeUs;
    if (this.timeNs[0] !== timeNs) return this.timeNs[0] < timeNs;
    if (this.revision[0] !== revision) return this.revision[0] < revision;
    return this.ordinal[0] < ordinal;
  }

  private isOlder(a: number, b: number): boolean {
    if (this.timeUs[a] !== this.timeUs[b]) return this.timeUs[a] < this.timeUs[b];
    if (this.timeNs[a] !== this.timeNs[b]) return this.timeNs[a] < this.timeNs[b];
    if (this.revision[a] !== this.revision[b]) return this.revision[a] < this.revision[b];
    return this.ordinal[a] < this.ordinal[b];
  }

  private siftUp(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.isOlder(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private siftDown(): void {
    let at = 0;
    for (let child = 1; child < this.count; child = at * 2 + 1) {
      if (child + 1 < this.count && this.isOlder(child + 1, child)) child++;
      if (!this.isOlder(child, at)) return;
      this.swap(at, child);
      at = child;
    }
  }

  private swap(a: number, b: number): void {
    const { block, row, timeUs, timeNs, revision, ordinal } = this;
    const kept = [block[a], row[a], timeUs[a], timeNs[a], revision[a], ordinal[a]] as const;
    this.set(a, block[b], row[b], timeUs[b], timeNs[b], revision[b], ordinal[b]);
    this.set(b, ...kept);
  }

  private set(at: number, block: number, row: number, timeUs: number, timeNs: number, revision: number, ordinal: number): void {
    this.block[at] = block;
    this.row[at] = row;
    this.timeUs[at] = timeUs;
    this.timeNs[at] = timeNs;
    this.revision[at] = revision;
    this.ordinal[at] = ordinal;
  }

  private reserve(): void {
    if (this.count < this.block.length) return;
    this.timeUs = twice(this.timeUs);
    this.timeNs = twice(this.timeNs);
    this.revision = twice(this.revision);
    this.ordinal = twice(this.ordinal);
    this.block = twice(this.block);
    this.row = twice(this.row);
  }
}

function twice<A extends Float64Array | Uint32Array | Uint16Array>(column: A): A {
  const larger = new (column.constructor as new (length: number) => A)(column.length * 2);
  larger.set(column);
  return larger;
}
