import { METRIC_KINDS, type MetricSeriesRollup } from '../../diagnostics/rollups.js';
import type { BoundsNumbers } from './bounds-table.js';
import { DamagedRollup, type ByteReader } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { writeBuckets, writeExemplars, writeQuantiles } from './distribution-codec.js';
import { formOf, readFormed, writeFormed } from './number-forms.js';
import { PackedSeries, type Distribution, type PackedRollup } from './packed-series.js';
import type { TextNumbers, TextTable } from './text-table.js';

/** What the series of a rollup name by numbers, and the time from which theirs are counted. */
export interface Numbering {
  readonly texts: TextNumbers;
  readonly bounds: BoundsNumbers;
  readonly newestUs: number;
}

type Attribute = MetricSeriesRollup['attributes'][number];

const NONE: readonly never[] = [];

/** What is packed at the moment, and one of its lists: written thousands of times a commit. */
const distribution = new ByteWriter();
const list = new ByteWriter();

/** All but the metric. */
export function writeSeries(writer: ByteWriter, series: MetricSeriesRollup, numbering: Numbering): void {
  const { texts, newestUs } = numbering;
  writer.varint(texts.of(series.unit));
  writer.byte(kindByte(series));
  writer.varint(texts.of(series.instance));
  writer.list(series.attributes, ([key, value]) => {
    writer.varint(texts.of(key));
    writer.varint(texts.of(value));
  });
  writer.varint(series.points);
  writer.sum(series.count);
  writeValues(writer, series);
  writer.varint(newestUs - series.lastUs);
  writeDistribution(writer, series, numbering);
}

/** `metric` is the name of those that stand together. */
export function readSeries(reader: ByteReader, metric: string, texts: TextTable, rollup: PackedRollup): MetricSeriesRollup {
  const unit = texts.text(reader.varint());
  const kindAndMonotonic = reader.byte();
  const instance = texts.text(reader.varint());
  const kind = METRIC_KINDS.at(kindAndMonotonic >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a metric kind ${kindAndMonotonic >> 1}`);
  const monotonic = (kindAndMonotonic & 1) === 1;
  const attributes = reader.list((): Attribute => [texts.text(reader.varint()), texts.text(reader.varint())]);
  const points = reader.varint();
  const count = reader.varint();
  const forms = reader.byte();
  const last = readFormed(reader, forms & 3);
  const sum = readFormed(reader, (forms >> 2) & 3, last);
  const min = readFormed(reader, (forms >> 4) & 3, last);
  const max = readFormed(reader, forms >> 6, last);
  const lastUs = rollup.newestUs - reader.varint();
  const start = reader.run();
  if (start === reader.position) return { metric, unit, kind, monotonic, instance, attributes, points, sum, count, min, max, last, lastUs, buckets: NONE, quantiles: NONE, exemplars: NONE };
  return new PackedSeries({ metric, unit, kind, monotonic, instance, attributes, points, sum, count, min, max, last, lastUs }, rollup, start, reader.position);
}

export function kindByte({ kind, monotonic }: Pick<MetricSeriesRollup, 'kind' | 'monotonic'>): number {
  return METRIC_KINDS.indexOf(kind) * 2 + Number(monotonic);
}

function writeValues(writer: ByteWriter, { last, sum, min, max }: MetricSeriesRollup): void {
  const forms = formOf(last) | (formOf(sum, last) << 2) | (formOf(min, last) << 4) | (formOf(max, last) << 6);
  writer.byte(forms);
  writeFormed(writer, forms & 3, last);
  writeFormed(writer, (forms >> 2) & 3, sum);
  writeFormed(writer, (forms >> 4) & 3, min);
  writeFormed(writer, forms >> 6, max);
}

/** As PackedSeries reads it; nothing but a length of 0 where all lists are empty. */
function writeDistribution(writer: ByteWriter, { buckets, quantiles, exemplars }: Distribution, { bounds }: Numbering): void {
  if (buckets.length + quantiles.length + exemplars.length === 0) return writer.varint(0);
  distribution.clear();
  packList(buckets, () => writeBuckets(list, buckets, bounds));
  packList(quantiles, () => writeQuantiles(list, quantiles));
  packList(exemplars, () => writeExemplars(list, exemplars));
  writer.section(distribution);
}

function packList(items: readonly unknown[], write: () => void): void {
  if (items.length === 0) return distribution.varint(0);
  list.clear();
  write();
  distribution.section(list);
}
