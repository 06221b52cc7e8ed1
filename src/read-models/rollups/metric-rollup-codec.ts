import { METRIC_KINDS, type MetricRollup, type MetricSeriesRollup } from '../../diagnostics/rollups.js';
import { decodeBlob, encodeBlob } from './blob.js';
import { DamagedRollup, type ByteReader, type Intern } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';
import { byText, ordered } from './ordering.js';

const FORMAT = 4;

type Attribute = MetricSeriesRollup['attributes'][number];

const byKey = (a: Attribute, b: Attribute): number => byText(a[0], b[0]) || byText(a[1], b[1]);

/** Equal rollups give equal bytes, whatever the order of their lists and attributes. */
export function encodeMetricRollup({ service, series }: MetricRollup): Uint8Array {
  return encodeBlob(FORMAT, (writer) => {
    writer.text(service);
    const canonical = series.map((one) => ({ ...one, attributes: ordered(one.attributes, byKey) }));
    writer.list(ordered(canonical, bySeries), (one) => writeSeries(writer, one));
  });
}

export function decodeMetricRollup(bytes: Uint8Array, intern?: Intern): MetricRollup {
  const read = (reader: ByteReader): MetricRollup => ({ service: reader.text(), series: reader.list(() => readSeries(reader)) });
  return decodeBlob(FORMAT, bytes, read, intern);
}

function bySeries(a: MetricSeriesRollup, b: MetricSeriesRollup): number {
  return byText(a.metric, b.metric) || byText(a.instance, b.instance) || byAttributes(a.attributes, b.attributes) || byText(a.unit, b.unit) || kindByte(a) - kindByte(b);
}

function byAttributes(a: readonly Attribute[], b: readonly Attribute[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = byKey(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function kindByte({ kind, monotonic }: MetricSeriesRollup): number {
  return METRIC_KINDS.indexOf(kind) * 2 + Number(monotonic);
}

function writeSeries(writer: ByteWriter, series: MetricSeriesRollup): void {
  writer.text(series.metric);
  writer.text(series.unit);
  writer.byte(kindByte(series));
  writer.text(series.instance);
  writer.list(series.attributes, ([key, value]) => {
    writer.text(key);
    writer.text(value);
  });
  writer.varint(series.points);
  writer.sum(series.count);
  for (const value of [series.sum, series.min, series.max, series.last]) writer.float64(value);
  writer.signed(series.lastUs);
}

function readSeries(reader: ByteReader): MetricSeriesRollup {
  const [metric, unit, kindAndMonotonic, instance] = [reader.text(), reader.text(), reader.byte(), reader.text()];
  const kind = METRIC_KINDS.at(kindAndMonotonic >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a metric kind ${kindAndMonotonic >> 1}`);
  const attributes = reader.list((): Attribute => [reader.text(), reader.text()]);
  const [points, count] = [reader.varint(), reader.varint()];
  const [sum, min, max, last] = [reader.float64(), reader.float64(), reader.float64(), reader.float64()];
  return { metric, unit, kind, monotonic: (kindAndMonotonic & 1) === 1, instance, attributes, points, sum, count, min, max, last, lastUs: reader.signed(), buckets: [], quantiles: [], exemplars: [] };
}
