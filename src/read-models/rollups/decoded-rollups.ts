import { setImmediate } from 'node:timers/promises';
import type { RollupCollection } from '../rollups.js';
import { ROLLUP_BLOB, rollupId } from '../rollups.js';
import type { ReadModelReader } from '../store.js';
import type { Intern } from './byte-reader.js';
import type { Stretch } from './stretch-index.js';

/** After an eviction this share of the bound is in use. */
const FILL_AFTER_EVICTION = 0.8;

/** How long blobs are read before others get their turn on the thread. */
const SLICE_MS = 10;

/** Blobs that are asked for at once: a store elsewhere takes about as long for all of them as for one. */
const READ_AT_ONCE = 16;

/** Names kept to be shared; past the bound they are gathered anew. */
const MAX_NAMES = 100_000;

/** How a blob becomes a rollup, and about how many bytes that takes in memory beside the blob itself. */
export interface Decoding<T> {
  readonly decode: (blob: Uint8Array, intern: Intern) => T;
  readonly weigh: (value: T) => number;
}

/** Where stretches stand. */
export interface StretchPlace {
  readonly store: ReadModelReader;
  readonly collection: RollupCollection;
}

/** Decoded rollups of all kinds in memory, up to a bound in bytes; those used the longest ago leave first. */
export class DecodedRollups {
  private readonly filled = new Set<Stretch>();
  private readonly names = new Map<string, string>();
  private bytes = 0;
  private uses = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes in use, about. */
  get size(): number {
    return this.bytes;
  }

  /** The rollups of these stretches; undefined for one that has left the store. They are shared: do not change them. */
  async read<T>(place: StretchPlace, stretches: readonly Stretch[], decoding: Decoding<T>): Promise<(T | undefined)[]> {
    const values: (T | undefined)[] = [];
    const use = ++this.uses;
    let since = performance.now();
    for (let at = 0; at < stretches.length; at += READ_AT_ONCE) {
      const some = stretches.slice(at, at + READ_AT_ONCE);
      for (const stretch of some) stretch.usedAt = use;
      if (some.every(isCurrent)) {
        for (const { value } of some) values.push(value as T | undefined);
        continue;
      }
      // Who reads meanwhile may evict what was read: values are taken as they come.
      const read = some.map(async (stretch) => (isCurrent(stretch) ? (stretch.value as T | undefined) : this.fill(place, stretch, decoding)));
      for (const value of await Promise.all(read)) values.push(value);
      if (performance.now() - since > SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
    }
    if (this.bytes > this.maxBytes) this.evict();
    return values;
  }

  readonly forget = (stretch: Stretch): void => {
    if (!this.filled.delete(stretch)) return;
    this.bytes -= stretch.bytes;
    stretch.bytes = 0;
    stretch.value = stretch.valueStamp = undefined;
  };

  /** The blob may be newer than the stamp: then the next look finds another stamp, and it is read once more. */
  private async fill<T>({ store, collection }: StretchPlace, stretch: Stretch, { decode, weigh }: Decoding<T>): Promise<T | undefined> {
    const { stamp } = stretch;
    const blob = await store.blob(collection, rollupId(stretch), ROLLUP_BLOB);
    this.forget(stretch);
    if (blob === undefined) return undefined;
    const value = decode(blob, this.intern);
    stretch.value = value;
    stretch.valueStamp = stamp;
    stretch.bytes = blob.byteLength + weigh(value);
    this.filled.add(stretch);
    this.bytes += stretch.bytes;
    return value;
  }

  private readonly intern = (text: string): string => {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_NAMES) this.names.clear();
    this.names.set(text, text);
    return text;
  };

  private evict(): void {
    const oldest = [...this.filled].sort((a, b) => a.usedAt - b.usedAt);
    for (const stretch of oldest) {
      if (this.bytes <= this.maxBytes * FILL_AFTER_EVICTION) return;
      this.forget(stretch);
    }
  }
}

function isCurrent({ valueStamp, stamp }: Stretch): boolean {
  return valueStamp === stamp;
}
