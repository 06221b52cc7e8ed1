import type { Measures } from '../rollups.js';
import { Sketch } from '../sketch.js';
import type { GroupRow } from './group-row.js';

const BUCKETS = 4096;

/** A word is a bucket and as much of its count as fits beside it. */
const COUNT_BITS = 20;
const MAX_COUNT = 2 ** COUNT_BITS - 1;

/** What stands before the words of an addition: where the one before it is (0: none), and how many words there are. */
const HEAD = 2;
const FIRST_ROOM = 30;

const NONE = -1;

/** Memory of a sketch of latencies, about: a dozen octaves. */
const OPEN_BYTES = 4_096;

/** Of fewer additions a step one of them takes hardly less room than all. */
const FEW_ADDITIONS = 2;

/** What is packed at the moment: thousands of sketches a chart, and nothing is allocated for any. */
const listedBuckets = new Uint16Array(BUCKETS);
const listedCounts = new Uint32Array(BUCKETS);

/** What is read of a row at the moment: many words at the cost of few. */
const unpackedBuckets = new Uint16Array(BUCKETS);
const unpackedCounts = new Uint32Array(BUCKETS);

/** Of what is listed. */
function wordsOf(size: number): number {
  let words = size;
  for (let i = 0; i < size; i++) if (listedCounts[i] > MAX_COUNT) words += Math.ceil(listedCounts[i] / MAX_COUNT) - 1;
  return words;
}

/** Adds what at most BUCKETS words count. */
function addWords(sum: Sketch, words: Uint32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    unpackedBuckets[at - from] = words[at] >>> COUNT_BITS;
    unpackedCounts[at - from] = words[at] & MAX_COUNT;
  }
  sum.addBuckets(unpackedBuckets, unpackedCounts, to - from);
}

export type Latency = Pick<Measures, 'latency'>;

/**
 * Sketches of the steps of one group in one array: of an operation that had five requests in a minute seven words are
 * kept, where a sketch of its own would take kilobytes. What is added stands behind what was, chained by step; once the
 * array is full and chains are long, they become one addition each, so that a row grows with what it counts and not with
 * how often.
 */
export class SketchRow implements GroupRow<Latency> {
  private words = new Uint32Array(FIRST_ROOM);
  /** Position 0 means nothing. */
  private used = 1;
  private chains: Uint32Array;
  private additions = 0;
  /** The step that was added to last: its addition stands at the end of the words, or is open. */
  private newest = NONE;
  /** What the newest step counts from its second addition on: several come one after the other, and then no more. */
  private open: Sketch | undefined;
  private isOpen = false;
  weight = 0;

  /** A line for each of the percentiles, in `unit` of what sketches count; the first one ranks. */
  constructor(
    steps: number,
    private readonly percentiles: readonly number[],
    private readonly unit: number,
  ) {
    this.chains = new Uint32Array(steps);
  }

  get bytes(): number {
    return this.words.byteLength + this.chains.byteLength + (this.open === undefined ? 0 : OPEN_BYTES);
  }

  add(step: number, { latency }: Latency): void {
    if (step === this.newest) return this.addAgain(latency);
    this.close();
    const counted = this.append(step, latency.list(listedBuckets, listedCounts));
    this.weight += counted;
    if (counted > 0) this.newest = step;
  }

  merge(other: SketchRow): void {
    other.close();
    const sum = new Sketch();
    for (let step = 0; step < this.chains.length; step++) {
      if (other.chains[step] === 0) continue;
      sum.clear();
      other.addTo(sum, step);
      this.add(step, { latency: sum });
    }
  }

  total(): number {
    this.close();
    const sum = new Sketch();
    for (let step = 0; step < this.chains.length; step++) this.addTo(sum, step);
    return sum.count === 0 ? NaN : sum.percentile(this.percentiles[0]) / this.unit;
  }

  lines(): readonly Float64Array[] {
    this.close();
    const lines = this.percentiles.map(() => new Float64Array(this.chains.length).fill(NaN));
    const sum = new Sketch();
    for (let step = 0; step < this.chains.length; step++) {
      if (this.chains[step] === 0) continue;
      sum.clear();
      this.addTo(sum, step);
      lines.forEach((line, i) => (line[step] = sum.percentile(this.percentiles[i]) / this.unit));
    }
    return lines;
  }

  /** To the newest step: it is taken back from the words, and put there again once it is over. */
  private addAgain(latency: Sketch): void {
    const sum = (this.open ??= new Sketch());
    if (!this.isOpen) {
      const start = this.chains[this.newest];
      this.addEntry(sum, start);
      this.chains[this.newest] = this.words[start];
      this.used = start;
      this.additions--;
      this.isOpen = true;
    }
    const before = sum.count;
    sum.merge(latency);
    this.weight += sum.count - before;
  }

  /** All that was added stands in the words then. */
  private close(): void {
    const step = this.newest;
    this.newest = NONE;
    if (!this.isOpen) return;
    this.isOpen = false;
    this.append(step, this.open!.list(listedBuckets, listedCounts));
    this.open!.clear();
  }

  /** Appends what is listed; answers how much it counts. */
  private append(step: number, size: number): number {
    if (size === 0) return 0;
    const words = wordsOf(size);
    this.reserve(HEAD + words, size);
    const { words: into, used } = this;
    into[used] = this.chains[step];
    into[used + 1] = words;
    this.chains[step] = used;
    let [at, total] = [used + HEAD, 0];
    for (let i = 0; i < size; i++) {
      const bucket = listedBuckets[i] << COUNT_BITS;
      let count = listedCounts[i];
      total += count;
      for (; count > MAX_COUNT; count -= MAX_COUNT) into[at++] = bucket | MAX_COUNT;
      into[at++] = bucket | count;
    }
    this.used = at;
    return total;
  }

  /** Whether anything was counted in the step. */
  counts(step: number): boolean {
    this.close();
    return this.chains[step] !== 0;
  }

  /** Adds what was counted in the step to a sketch. */
  addTo(sum: Sketch, step: number): void {
    this.close();
    for (let at = this.chains[step]; at !== 0; at = this.words[at]) this.addEntry(sum, at);
  }

  private addEntry(sum: Sketch, at: number): void {
    const end = at + HEAD + this.words[at + 1];
    for (let from = at + HEAD; from < end; from += BUCKETS) addWords(sum, this.words, from, Math.min(end, from + BUCKETS));
  }

  /** Makes room for so many words, and keeps what is listed. */
  private reserve(words: number, size: number): void {
    this.additions++;
    if (this.used + words <= this.words.length) return;
    if (this.additions <= FEW_ADDITIONS * this.chains.length) return this.grow(words);
    const [buckets, counts] = [listedBuckets.slice(0, size), listedCounts.slice(0, size)];
    this.compact(words);
    listedBuckets.set(buckets);
    listedCounts.set(counts);
  }

  private grow(words: number): void {
    const grown = new Uint32Array(2 * (this.used + words));
    grown.set(this.words.subarray(0, this.used));
    this.words = grown;
  }

  /** One addition a step, which never takes more room, and as much free room again. */
  private compact(words: number): void {
    const compact = new SketchRow(this.chains.length, this.percentiles, this.unit);
    compact.words = new Uint32Array(this.used);
    compact.merge(this);
    this.words = new Uint32Array(2 * (compact.used + words));
    this.words.set(compact.words.subarray(0, compact.used));
    this.chains = compact.chains;
    this.used = compact.used;
    this.additions = compact.additions;
  }
}
