import { copyOf, type MetricRollup, type MetricSeriesRollup } from '../../diagnostics/rollups.js';
import { decodeBlob, encodeBlob } from './blob.js';
import { BoundsNumbers, BoundsTable } from './bounds-table.js';
import type { ByteReader, Intern } from './byte-reader.js';
import { ByteWriter } from './byte-writer.js';
import { decodeFormat4, FORMAT_4 } from './metric-rollup-format-4.js';
import { kindByte, readSeries, writeSeries, type Numbering } from './metric-series-codec.js';
import { byText, ordered } from './ordering.js';
import type { PackedRollup } from './packed-series.js';
import { TextNumbers, TextTable } from './text-table.js';

/*
 * Texts and bounds stand once, ahead of the series; the series stand together by metric, behind their length. So one
 * metric is found, and read, without the others.
 */
const FORMAT = 5;

type Attribute = MetricSeriesRollup['attributes'][number];

const byKey = (a: Attribute, b: Attribute): number => byText(a[0], b[0]) || byText(a[1], b[1]);

/** What is written at the moment, from the largest part to the smallest: a commit writes thousands of series. */
const metrics = new ByteWriter();
const seriesOfMetric = new ByteWriter();
const boundsTable = new ByteWriter();
const texts = new TextNumbers();

/** Equal rollups give equal bytes, whatever the order of their lists and attributes. */
export function encodeMetricRollup({ service, series }: MetricRollup): Uint8Array {
  const sorted = ordered(series.map(withOrderedAttributes), bySeries);
  const newestUs = sorted.reduce((newest, { lastUs }) => Math.max(newest, lastUs), 0);
  texts.clear();
  const numbering: Numbering = { texts, bounds: new BoundsNumbers(), newestUs };
  const serviceNumber = texts.of(service);
  writeMetrics(sorted, numbering);
  boundsTable.clear();
  numbering.bounds.writeTo(boundsTable);
  return encodeBlob(FORMAT, (writer) => {
    texts.writeTo(writer);
    writer.section(boundsTable);
    writer.varint(serviceNumber);
    writer.varint(newestUs);
    writer.section(metrics);
  });
}

/** Buckets, quantiles and exemplars of the series are decoded when they are asked for. */
export function decodeMetricRollup(bytes: Uint8Array, intern?: Intern): MetricRollup {
  return decode(bytes, intern);
}

/** What the rollup tells of one metric: costs little beside the series of that metric, however many others there are. */
export function decodeMetricSeries(bytes: Uint8Array, metric: string, intern?: Intern): MetricRollup {
  return decode(bytes, intern, metric);
}

/** Of all metrics where none is named. */
function decode(bytes: Uint8Array, intern?: Intern, metric?: string): MetricRollup {
  if (bytes[0] === FORMAT_4) return only(decodeFormat4(bytes, intern), metric);
  return decodeBlob(FORMAT, bytes, (reader) => {
    const table = new TextTable(reader, intern);
    const bounds = new BoundsTable(reader.bytes, reader.run(), reader.position);
    const service = table.text(reader.varint());
    const rollup = { bytes: reader.bytes, bounds, newestUs: reader.varint() };
    const wanted = metric === undefined ? undefined : table.numberOf(metric);
    const sections = reader.section();
    const series: MetricSeriesRollup[] = [];
    for (let left = sections.varint(); left > 0; left--) readMetric(sections, wanted, table, rollup, series);
    sections.end();
    return { service, series };
  });
}

/** Passes by the series of one metric; takes them in where no other is wanted. */
function readMetric(sections: ByteReader, wanted: number | undefined, table: TextTable, rollup: PackedRollup, into: MetricSeriesRollup[]): void {
  const number = sections.varint();
  if (wanted !== undefined && number !== wanted) {
    sections.run();
    return;
  }
  const reader = sections.section();
  const metric = table.text(number);
  for (let left = reader.varint(); left > 0; left--) into.push(readSeries(reader, metric, table, rollup));
  reader.end();
}

function only(rollup: MetricRollup, metric: string | undefined): MetricRollup {
  return metric === undefined ? rollup : { ...rollup, series: rollup.series.filter((one) => one.metric === metric) };
}

function writeMetrics(sorted: readonly MetricSeriesRollup[], numbering: Numbering): void {
  const byMetric = together(sorted);
  metrics.clear();
  metrics.list(byMetric, (own) => {
    metrics.varint(texts.of(own[0].metric));
    seriesOfMetric.clear();
    seriesOfMetric.list(own, (one) => writeSeries(seriesOfMetric, one, numbering));
    metrics.section(seriesOfMetric);
  });
}

/** Cut where the metric changes. */
function together(sorted: readonly MetricSeriesRollup[]): readonly (readonly MetricSeriesRollup[])[] {
  const metricsOf: MetricSeriesRollup[][] = [];
  sorted.forEach((one, i) => {
    if (i > 0 && sorted[i - 1].metric === one.metric) metricsOf[metricsOf.length - 1].push(one);
    else metricsOf.push([one]);
  });
  return metricsOf;
}

function withOrderedAttributes(series: MetricSeriesRollup): MetricSeriesRollup {
  const attributes = ordered(series.attributes, byKey);
  return attributes === series.attributes ? series : { ...copyOf(series), attributes };
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
