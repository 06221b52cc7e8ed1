import {
  copySeries,
  METRIC_KINDS,
  type MetricRollup,
  type MetricSeriesRollup,
} from '../../diagnostics/rollups/rollup-types.js';
import { decodeRollupBlob, encodeRollupBlob } from './rollup-blob-codec.js';
import {
  BoundsDictionaryReader,
  BoundsDictionaryWriter,
  StringDictionaryReader,
  StringDictionaryWriter,
} from './dictionary-codec.js';
import { type ByteReader, ByteWriter, DamagedRollup, type Intern } from './byte-codec.js';
import {
  kindByte,
  type MetricRollupBlob,
  readSeries,
  type RollupDictionaries,
  writeSeries,
} from './metric-series-codec.js';
import { byText, sortIfNeeded } from './sorted-lists.js';

/*
 * Texts and bounds stand once, ahead of the series; the series stand together by metric, behind their length. So one
 * metric is found, and read, without the others.
 */
const FORMAT = 5;

type Attribute = MetricSeriesRollup['attributes'][number];
const byKey = (a: Attribute, b: Attribute): number => byText(a[0], b[0]) || byText(a[1], b[1]);

/** What is written at the moment, from the largest part to the smallest: a commit writes thousands of series. */
const metricsWriter = new ByteWriter();

const seriesWriter = new ByteWriter();
const boundsWriter = new ByteWriter();
const stringDictionary = new StringDictionaryWriter();

/** Equal rollups give equal bytes, whatever the order of their lists and attributes. */
export function encodeMetricRollup({ service, series }: MetricRollup): Uint8Array {
  const sorted = sortIfNeeded(series.map(sortAttributes), bySeries);
  const newestUs = sorted.reduce((newest, { lastUs }) => Math.max(newest, lastUs), 0);
  stringDictionary.clear();
  const numbering: RollupDictionaries = { texts: stringDictionary, bounds: new BoundsDictionaryWriter(), newestUs };
  const serviceNumber = stringDictionary.indexFor(service);
  writeMetrics(sorted, numbering);
  boundsWriter.clear();
  numbering.bounds.writeTo(boundsWriter);
  return encodeRollupBlob(FORMAT, (writer) => {
    stringDictionary.writeTo(writer);
    writer.section(boundsWriter);
    writer.varint(serviceNumber);
    writer.varint(newestUs);
    writer.section(metricsWriter);
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
  if (bytes[0] === FORMAT_4) return filterByMetric(decodeFormat4(bytes, intern), metric);
  return decodeRollupBlob(FORMAT, bytes, (reader) => {
    const table = new StringDictionaryReader(reader, intern);
    const bounds = new BoundsDictionaryReader(reader.bytes, reader.skipRun(), reader.position);
    const service = table.text(reader.varint());
    const rollup = { bytes: reader.bytes, bounds, newestUs: reader.varint() };
    const wanted = metric === undefined ? undefined : table.indexOf(metric);
    const sections = reader.section();
    const series: MetricSeriesRollup[] = [];
    for (let left = sections.varint(); left > 0; left--) readMetric(sections, wanted, table, rollup, series);
    sections.expectEnd();
    return { service, series };
  });
}

/** Passes by the series of one metric; takes them in where no other is wanted. */
function readMetric(
  sections: ByteReader,
  wanted: number | undefined,
  table: StringDictionaryReader,
  rollup: MetricRollupBlob,
  into: MetricSeriesRollup[],
): void {
  const number = sections.varint();
  if (wanted !== undefined && number !== wanted) {
    sections.skipRun();
    return;
  }
  const reader = sections.section();
  const metric = table.text(number);
  for (let left = reader.varint(); left > 0; left--) into.push(readSeries(reader, metric, table, rollup));
  reader.expectEnd();
}

function filterByMetric(rollup: MetricRollup, metric: string | undefined): MetricRollup {
  return metric === undefined ? rollup : { ...rollup, series: rollup.series.filter((one) => one.metric === metric) };
}

function writeMetrics(sorted: readonly MetricSeriesRollup[], numbering: RollupDictionaries): void {
  const byMetric = groupByMetric(sorted);
  metricsWriter.clear();
  metricsWriter.list(byMetric, (own) => {
    metricsWriter.varint(stringDictionary.indexFor(own[0].metric));
    seriesWriter.clear();
    seriesWriter.list(own, (one) => writeSeries(seriesWriter, one, numbering));
    metricsWriter.section(seriesWriter);
  });
}

/** Cut where the metric changes. */
function groupByMetric(sorted: readonly MetricSeriesRollup[]): readonly (readonly MetricSeriesRollup[])[] {
  const metricsOf: MetricSeriesRollup[][] = [];
  sorted.forEach((one, i) => {
    if (i > 0 && sorted[i - 1].metric === one.metric) metricsOf[metricsOf.length - 1].push(one);
    else metricsOf.push([one]);
  });
  return metricsOf;
}

function sortAttributes(series: MetricSeriesRollup): MetricSeriesRollup {
  const attributes = sortIfNeeded(series.attributes, byKey);
  return attributes === series.attributes ? series : { ...copySeries(series), attributes };
}

function bySeries(a: MetricSeriesRollup, b: MetricSeriesRollup): number {
  return (
    byText(a.metric, b.metric) ||
    byText(a.instance, b.instance) ||
    byAttributes(a.attributes, b.attributes) ||
    byText(a.unit, b.unit) ||
    kindByte(a) - kindByte(b)
  );
}

function byAttributes(a: readonly Attribute[], b: readonly Attribute[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = byKey(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** What version 1 of metrics wrote: read until the rollups are made anew, see decision 053. It tells no distributions. */
const FORMAT_4 = 4;

const NO_DISTRIBUTION: readonly never[] = [];

function decodeFormat4(bytes: Uint8Array, intern?: Intern): MetricRollup {
  const read = (reader: ByteReader): MetricRollup => ({
    service: reader.text(),
    series: reader.list(() => readFormat4Series(reader)),
  });
  return decodeRollupBlob(FORMAT_4, bytes, read, intern);
}

function readFormat4Series(reader: ByteReader): MetricSeriesRollup {
  const [metric, unit, kindAndMonotonic, instance] = [reader.text(), reader.text(), reader.byte(), reader.text()];
  const kind = METRIC_KINDS.at(kindAndMonotonic >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a metric kind ${kindAndMonotonic >> 1}`);
  const attributes = reader.list((): MetricSeriesRollup['attributes'][number] => [reader.text(), reader.text()]);
  const [points, count] = [reader.varint(), reader.varint()];
  const [sum, min, max, last] = [reader.float64(), reader.float64(), reader.float64(), reader.float64()];
  return {
    metric,
    unit,
    kind,
    monotonic: (kindAndMonotonic & 1) === 1,
    instance,
    attributes,
    points,
    sum,
    count,
    min,
    max,
    last,
    lastUs: reader.signed(),
    buckets: NO_DISTRIBUTION,
    quantiles: NO_DISTRIBUTION,
    exemplars: NO_DISTRIBUTION,
  };
}
