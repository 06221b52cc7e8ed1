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

/** After an eviction this share of the bound is in use. */
const FILL_AFTER_EVICTION = 0.8;

/** How long blobs are read before others get their turn on the thread. */
const TIME_SLICE_MS = 10;

/** Blobs that are asked for at once: a store elsewhere takes about as long for all of them as for one. */
const READ_AT_ONCE = 16;

/** Names kept to be shared; past the bound they are gathered anew. */
const MAX_NAMES = 100_000;

/** How a blob becomes a rollup, and about how many bytes that takes in memory beside the blob itself. */
export interface RollupDecoder<T> {
  readonly decode: (blob: Uint8Array, intern: Intern) => T;
  readonly estimateBytes: (value: T) => number;
}

/** Where stretches stand. */
export interface RollupLocation {
  readonly store: ReadModelReader;
  readonly collection: RollupCollection;
}

/** Decoded rollups of all kinds in memory, up to a bound in bytes; those used the longest ago leave first. */
export class RollupCache {
  private readonly filled = new Set<RollupEntry>();
  private readonly names = new Map<string, string>();
  private bytes = 0;
  private uses = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes in use, about. */
  get size(): number {
    return this.bytes;
  }

  /** The rollups of these stretches; undefined for one that has left the store. They are shared: do not change them. */
  async load<T>(
    place: RollupLocation,
    stretches: readonly RollupEntry[],
    decoding: RollupDecoder<T>,
  ): Promise<(T | undefined)[]> {
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
      const read = some.map(async (stretch) =>
        isCurrent(stretch) ? (stretch.value as T | undefined) : this.loadEntry(place, stretch, decoding),
      );
      for (const value of await Promise.all(read)) values.push(value);
      if (performance.now() - since > TIME_SLICE_MS) {
        await setImmediate();
        since = performance.now();
      }
    }
    if (this.bytes > this.maxBytes) this.evict();
    return values;
  }

  readonly forget = (stretch: RollupEntry): void => {
    if (!this.filled.delete(stretch)) return;
    this.bytes -= stretch.bytes;
    stretch.bytes = 0;
    stretch.value = stretch.valueStamp = undefined;
  };

  /** The blob may be newer than the stamp: then the next look finds another stamp, and it is read once more. */
  private async loadEntry<T>(
    { store, collection }: RollupLocation,
    stretch: RollupEntry,
    { decode, estimateBytes: weigh }: RollupDecoder<T>,
  ): Promise<T | undefined> {
    const { stamp } = stretch;
    const blob = await store.readBlob(collection, rollupId(stretch), ROLLUP_BLOB);
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

function isCurrent({ valueStamp, stamp }: RollupEntry): boolean {
  return valueStamp === stamp;
}

/*
 * What decoded objects take on the heap beside the blob, which their sketches and distributions hold on to: rounded from
 * the growth of the heap by thousands of them.
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

function exceptionBytes(exceptions: readonly ExceptionRollup[]): number {
  return exceptions.reduce((sum, { ids }) => sum + OBJECT_BYTES + ids.length * NUMBER_BYTES, 0);
}
