const MAX_ONE_BYTE_GAP = 0x7f;
const SMALLEST = 64;

/** Lists of row numbers as bytes: for each row the gap to the previous one, minus one, in LEB128. */
export interface EncodedPostingLists {
  /** Number of rows of each list. */
  readonly counts: Uint32Array;
  /** Where the bytes of list i start; plus one entry for the end of the last list. */
  readonly starts: Uint32Array;
  readonly gaps: Uint8Array;
}

/** Collects the rows of many lists at once. */
export class PostingListBuilder {
  private readonly entryLists: Uint32Array;
  private readonly entryGaps: Uint16Array;
  private entries = 0;
  private counts = new Uint32Array(SMALLEST);
  private sizes = new Uint32Array(SMALLEST);
  /** The row after the last one of each list. */
  private nextRow = new Uint16Array(SMALLEST);

  constructor(maxEntries: number) {
    this.entryLists = new Uint32Array(maxEntries);
    this.entryGaps = new Uint16Array(maxEntries);
  }

  /** Adds a row to a list. Rows of a list come in ascending order; a repetition of the last row is ignored. */
  add(list: number, row: number): void {
    if (list >= this.counts.length) this.grow(list + 1);
    const gap = row - this.nextRow[list];
    if (gap < 0) return;
    this.entryLists[this.entries] = list;
    this.entryGaps[this.entries++] = gap;
    this.counts[list]++;
    this.sizes[list] += gap <= MAX_ONE_BYTE_GAP ? 1 : 2;
    this.nextRow[list] = row + 1;
  }

  /** Encodes the lists `order[0]`, `order[1]`, … in this order. */
  encode(order: Uint32Array): EncodedPostingLists {
    const counts = new Uint32Array(order.length);
    const starts = new Uint32Array(order.length + 1);
    const cursors = new Uint32Array(this.counts.length);
    for (let i = 0; i < order.length; i++) {
      counts[i] = this.counts[order[i]];
      cursors[order[i]] = starts[i];
      starts[i + 1] = starts[i] + this.sizes[order[i]];
    }
    return { counts, starts, gaps: this.writeGaps(cursors, starts[order.length]) };
  }

  private writeGaps(cursors: Uint32Array, size: number): Uint8Array {
    const gaps = new Uint8Array(size);
    for (let entry = 0; entry < this.entries; entry++) {
      const list = this.entryLists[entry];
      const gap = this.entryGaps[entry];
      if (gap > MAX_ONE_BYTE_GAP) gaps[cursors[list]++] = (gap & 0x7f) | 0x80;
      gaps[cursors[list]++] = gap > MAX_ONE_BYTE_GAP ? gap >>> 7 : gap;
    }
    return gaps;
  }

  private grow(lists: number): void {
    const length = Math.max(lists, this.counts.length * 2);
    this.counts = copyInto(this.counts, new Uint32Array(length));
    this.sizes = copyInto(this.sizes, new Uint32Array(length));
    this.nextRow = copyInto(this.nextRow, new Uint16Array(length));
  }
}

/** Calls `visit` for every (list, row), list by list. */
export function forEachPosting(
  counts: Uint32Array,
  gaps: Uint8Array,
  visit: (list: number, row: number) => void,
): void {
  let at = 0;
  for (let list = 0; list < counts.length; list++) {
    let row = -1;
    for (let left = counts[list]; left > 0; left--) {
      let gap = gaps[at++];
      if (gap > MAX_ONE_BYTE_GAP) gap = (gap & 0x7f) | (gaps[at++] << 7);
      row += gap + 1;
      visit(list, row);
    }
  }
}

/** Rows of one list, ascending. Skips the lists before it. */
export function decodePostingList(counts: Uint32Array, gaps: Uint8Array, list: number): Uint16Array {
  let entriesBefore = 0;
  for (let before = 0; before < list; before++) entriesBefore += counts[before];
  const rows = new Uint16Array(counts[list]);
  readRows(gaps, skipEntries(gaps, entriesBefore), rows);
  return rows;
}

/** Every row in one of the lists [from, to), ascending, without duplicates. */
export function decodePostingUnion(
  counts: Uint32Array,
  gaps: Uint8Array,
  from: number,
  to: number,
  blockRows: number,
): Uint16Array {
  if (to === from + 1) return decodePostingList(counts, gaps, from);
  const marks = new Uint8Array(blockRows);
  let entriesBefore = 0;
  for (let before = 0; before < from; before++) entriesBefore += counts[before];
  forEachPosting(counts.subarray(from, to), gaps.subarray(skipEntries(gaps, entriesBefore)), (_list, row) => {
    marks[row] = 1;
  });
  return collectMarkedRows(marks);
}

/** Numbers of the rows with a mark other than 0. */
export function collectMarkedRows(marks: Uint8Array): Uint16Array {
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] !== 0) count++;
  const rows = new Uint16Array(count);
  for (let row = 0, next = 0; row < marks.length; row++) if (marks[row] !== 0) rows[next++] = row;
  return rows;
}

/** Rows in both lists, ascending like the arguments. */
export function intersectRows(a: Uint16Array, b: Uint16Array): Uint16Array {
  const both = new Uint16Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      both[count++] = a[i++];
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  return both.slice(0, count);
}

function skipEntries(gaps: Uint8Array, entries: number): number {
  let at = 0;
  for (let passed = 0; passed < entries; passed++) at += gaps[at] > MAX_ONE_BYTE_GAP ? 2 : 1;
  return at;
}

function readRows(gaps: Uint8Array, from: number, rows: Uint16Array): void {
  let at = from;
  let row = -1;
  for (let i = 0; i < rows.length; i++) {
    let gap = gaps[at++];
    if (gap > MAX_ONE_BYTE_GAP) gap = (gap & 0x7f) | (gaps[at++] << 7);
    row += gap + 1;
    rows[i] = row;
  }
}

function copyInto<A extends Uint32Array | Uint16Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
