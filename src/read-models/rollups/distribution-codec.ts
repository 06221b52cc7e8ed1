import { compareExemplars, compareLayouts } from '../../diagnostics/rollups/distribution-sums.js';
import { ROLLUP_BOUNDS, type MetricSeriesRollup } from '../../diagnostics/rollups/rollup-types.js';
import type { BucketCounts, HistogramBuckets, Exemplar, QuantileValue } from '../../telemetry/metric-distributions.js';
import type { BoundsDictionaryWriter, BoundsDictionaryReader } from './dictionary-codec.js';
import { type ByteReader, type ByteWriter, DamagedRollup } from './byte-codec.js';
import { sortIfNeeded } from './sorted-lists.js';

/** Marker in place of a number of bounds. */
const EXPONENTIAL = 0;

const byQuantile = (a: QuantileValue, b: QuantileValue): number => a[0] - b[0] || a[1] - b[1];

/** Writes lists in canonical order; the bounds of explicit buckets by their numbers. */
export function writeBuckets(
  writer: ByteWriter,
  buckets: MetricSeriesRollup['buckets'],
  bounds: BoundsDictionaryWriter,
): void {
  writer.list(sortIfNeeded(buckets, compareLayouts), (one) => {
    if (one.kind === 'explicit') {
      writer.varint(bounds.indexFor(one.bounds) + 1);
      return writeCounts(writer, one.counts);
    }
    writer.varint(EXPONENTIAL);
    writer.signed(one.scale);
    writer.float64(one.zeroThreshold);
    writer.sum(one.zeroCount);
    writeRun(writer, one.positive);
    writeRun(writer, one.negative);
  });
}

export function readBuckets(reader: ByteReader, bounds: BoundsDictionaryReader): readonly HistogramBuckets[] {
  return reader.list((): HistogramBuckets => {
    const number = reader.varint();
    if (number !== EXPONENTIAL) {
      const explicitBounds = bounds.bounds(number - 1);
      return { kind: 'explicit', bounds: explicitBounds, counts: readCounts(reader, explicitBounds.length + 1) };
    }
    const [scale, zeroThreshold, zeroCount] = [reader.signed(), reader.float64(), reader.varint()];
    return {
      kind: 'exponential',
      scale,
      zeroThreshold,
      zeroCount,
      positive: readRun(reader),
      negative: readRun(reader),
    };
  });
}

export function writeQuantiles(writer: ByteWriter, quantiles: MetricSeriesRollup['quantiles']): void {
  writer.list(sortIfNeeded(quantiles, byQuantile), ([quantile, value]) => {
    writer.float64(quantile);
    writer.float64(value);
  });
}

export function readQuantiles(reader: ByteReader): readonly QuantileValue[] {
  return reader.list((): QuantileValue => [reader.float64(), reader.float64()]);
}

/** Writes ids as bytes. */
export function writeExemplars(writer: ByteWriter, exemplars: MetricSeriesRollup['exemplars']): void {
  writer.list(sortIfNeeded(exemplars, compareExemplars), ({ timeUs, value, traceId, spanId }) => {
    writer.varint(timeUs);
    writer.float64(value);
    for (const id of [traceId, spanId]) {
      const bytes = Buffer.from(id, 'hex');
      writer.appendBytes(bytes, 0, bytes.length);
    }
  });
}

export function readExemplars(reader: ByteReader): readonly Exemplar[] {
  const hex = (): string => reader.bytes.toString('hex', reader.skipRun(), reader.position);
  return reader.list(() => ({ timeUs: reader.varint(), value: reader.float64(), traceId: hex(), spanId: hex() }));
}

function writeRun(writer: ByteWriter, { offset, counts }: BucketCounts): void {
  writer.varint(counts.length);
  if (counts.length === 0) return;
  writer.signed(offset);
  writeCounts(writer, counts);
}

function readRun(reader: ByteReader): BucketCounts {
  const length = reader.varint();
  if (length > ROLLUP_BOUNDS.buckets)
    throw new DamagedRollup(`rollup has ${length} buckets before byte ${reader.position}`);
  return length === 0 ? { offset: 0, counts: [] } : { offset: reader.signed(), counts: readCounts(reader, length) };
}

/** Writes a run of empty buckets as 0 and the number of further ones. */
function writeCounts(writer: ByteWriter, counts: readonly number[]): void {
  for (let i = 0; i < counts.length; i++) {
    writer.sum(counts[i]);
    if (counts[i] > 0) continue;
    const first = i;
    while (counts[i + 1] === 0) i++;
    writer.varint(i - first);
  }
}

function readCounts(reader: ByteReader, length: number): readonly number[] {
  const counts = new Array<number>(length);
  for (let i = 0; i < length; i++) {
    counts[i] = reader.varint();
    if (counts[i] > 0) continue;
    const further = reader.varint();
    if (further >= length - i)
      throw new DamagedRollup(`rollup has ${i + 1 + further} buckets of ${length} before byte ${reader.position}`);
    counts.fill(0, i, (i += further) + 1);
  }
  return counts;
}
