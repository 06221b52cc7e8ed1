import { setImmediate } from 'node:timers/promises';
import { ROLLUP_BLOB, type RollupCollection, rollupId } from '../documents/rollup-documents.js';
import type { ReadModelReader } from '../read-model-store.js';
import type { Intern } from './byte-codec.js';
import type { RollupEntry } from './rollup-index.js';
import type {
  ExceptionRollup,
  GridRollup,
  LogRollup,
  MetricRollup,
  ServiceRollup,
} from '../../diagnostics/rollups/rollup-types.js';
import { decodeGridRollup } from './grid-rollup-codec.js';
import { decodeLogRollup } from './log-rollup-codec.js';
import { decodeMetricRollup } from './metric-rollup-codec.js';
import { decodeServiceRollup } from './service-rollup-codec.js';
import type { ReleasableCache } from '../../thread-memory.js';

/** Fill level after an eviction. */
const FILL_AFTER_EVICTION = 0.8;

/** Time slice (ms) after which the thread is yielded. */
const TIME_SLICE_MS = 10;

/** Concurrent blob reads: a remote store takes about as long for all of them as for one. */
const READ_AT_ONCE = 16;

/** Interned names; beyond the limit the interner starts over. */
const MAX_NAMES = 100_000;

/** Decodes a blob, and estimates the memory of the result besides the blob itself. */
export interface RollupDecoder<T> {
  readonly decode: (blob: Uint8Array, intern: Intern) => T;
  readonly estimateBytes: (value: T) => number;
}

/** Where rollups are stored. */
export interface RollupLocation {
  readonly store: ReadModelReader;
  readonly collection: RollupCollection;
}

/** LRU cache of decoded rollups of all kinds, up to a limit in bytes. */
export class RollupCache implements ReleasableCache {
  private readonly filled = new Set<RollupEntry>();
  private readonly names = new Map<string, string>();
  private bytes = 0;
  private uses = 0;
  /** Number of loads at the last release. */
  private releasedAt = 0;

  constructor(private readonly maxBytes: number) {}

  /** Approximate bytes in use. */
  get size(): number {
    return this.bytes;
  }

  /**
   * Rollups of these entries; undefined for one that is no longer in the store. They are shared: do not modify them.
   */
  async load<T>(
    location: RollupLocation,
    entries: readonly RollupEntry[],
    decoder: RollupDecoder<T>,
  ): Promise<(T | undefined)[]> {
    const values: (T | undefined)[] = [];
    const use = ++this.uses;
    let since = performance.now();
    for (let at = 0; at < entries.length; at += READ_AT_ONCE) {
      const some = entries.slice(at, at + READ_AT_ONCE);
      for (const entry of some) entry.usedAt = use;
      if (some.every(isCurrent)) {
        for (const { value } of some) values.push(value as T | undefined);
        continue;
      }
      // Concurrent loads may evict entries: values are collected immediately.
      const read = some.map(async (entry) =>
        isCurrent(entry) ? (entry.value as T | undefined) : this.loadEntry(location, entry, decoder),
      );
      for (const value of await Promise.all(read)) values.push(value);
      if (performance.now() - since > TIME_SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
    }
    if (this.bytes > this.maxBytes) this.shrinkTo(this.maxBytes * FILL_AFTER_EVICTION);
    return values;
  }

  releaseUnused(): void {
    for (const entry of [...this.filled]) if (entry.usedAt <= this.releasedAt) this.forget(entry);
    this.names.clear();
    this.releasedAt = this.uses;
  }

  shrinkTo(bytes: number): void {
    const oldest = [...this.filled].sort((a, b) => a.usedAt - b.usedAt);
    for (const entry of oldest) {
      if (this.bytes <= bytes) return;
      this.forget(entry);
    }
  }

  readonly forget = (entry: RollupEntry): void => {
    if (!this.filled.delete(entry)) return;
    this.bytes -= entry.bytes;
    entry.bytes = 0;
    entry.value = entry.valueStamp = undefined;
  };

  /** The blob may be newer than the stamp: then the next refresh finds another stamp and it is read again. */
  private async loadEntry<T>(
    { store, collection }: RollupLocation,
    entry: RollupEntry,
    { decode, estimateBytes }: RollupDecoder<T>,
  ): Promise<T | undefined> {
    const { stamp } = entry;
    const blob = await store.readBlob(collection, rollupId(entry), ROLLUP_BLOB);
    this.forget(entry);
    if (blob === undefined) return undefined;
    const value = decode(blob, this.intern);
    entry.value = value;
    entry.valueStamp = stamp;
    entry.bytes = blob.byteLength + estimateBytes(value);
    this.filled.add(entry);
    this.bytes += entry.bytes;
    return value;
  }

  private readonly intern = (text: string): string => {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= MAX_NAMES) this.names.clear();
    this.names.set(text, text);
    return text;
  };
}

function isCurrent({ valueStamp, stamp }: RollupEntry): boolean {
  return valueStamp === stamp;
}

/*
 * Heap usage of decoded objects besides the blob, which their sketches and distributions reference: rounded from the
 * heap growth by thousands of them.
 */
const OBJECT_BYTES = 80;

const WITH_SKETCH_BYTES = 300;
const WITH_TWO_SKETCHES_BYTES = 360;
const NUMBER_BYTES = 12;

export const GRID_ROLLUP_DECODER: RollupDecoder<GridRollup> = {
  decode: decodeGridRollup,
  estimateBytes: ({ services, edges }) =>
    OBJECT_BYTES + services.length * (WITH_SKETCH_BYTES + OBJECT_BYTES) + edges.length * WITH_TWO_SKETCHES_BYTES,
};

export const SERVICE_ROLLUP_DECODER: RollupDecoder<ServiceRollup> = {
  decode: decodeServiceRollup,
  estimateBytes({ operations, exceptions, versions, instances }) {
    const calls = operations.reduce((sum, operation) => sum + operation.calls.length, 0);
    return (
      OBJECT_BYTES * (1 + calls + versions.length + instances.length) +
      operations.length * WITH_TWO_SKETCHES_BYTES +
      exceptionBytes(exceptions)
    );
  },
};

export const LOG_ROLLUP_DECODER: RollupDecoder<LogRollup> = {
  decode: decodeLogRollup,
  estimateBytes: ({ templates, exceptions }) => OBJECT_BYTES * (2 + templates.length) + exceptionBytes(exceptions),
};

export const METRIC_ROLLUP_DECODER: RollupDecoder<MetricRollup> = {
  decode: decodeMetricRollup,
  estimateBytes: ({ series }) =>
    series.reduce((sum, { attributes }) => sum + (3 + attributes.length) * OBJECT_BYTES, OBJECT_BYTES),
};

/** Sketches of a series: diagnostics keep what they computed from it as long as the rollup. */
const SERIES_SKETCH_BYTES = 600;

export const REQUEST_ROLLUP_DECODER: RollupDecoder<MetricRollup> = {
  decode: decodeMetricRollup,
  estimateBytes: (rollup) => METRIC_ROLLUP_DECODER.estimateBytes(rollup) + rollup.series.length * SERIES_SKETCH_BYTES,
};

function exceptionBytes(exceptions: readonly ExceptionRollup[]): number {
  return exceptions.reduce((sum, { ids }) => sum + OBJECT_BYTES + ids.length * NUMBER_BYTES, 0);
}
