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
 * Strings and bounds are stored once, before the series; series are grouped by metric with a length prefix, so that one
 * metric can be found and read without the others.
 */
const FORMAT = 5;

type Attribute = MetricSeriesRollup['attributes'][number];
const byKey = (a: Attribute, b: Attribute): number => byText(a[0], b[0]) || byText(a[1], b[1]);

/** Reused writers, from the largest part to the smallest: a commit writes thousands of series. */
const metricsWriter = new ByteWriter();

const seriesWriter = new ByteWriter();
const boundsWriter = new ByteWriter();
const stringDictionary = new StringDictionaryWriter();

/** Equal rollups result in equal bytes, whatever the order of their lists and attributes. */
export function encodeMetricRollup({ service, series }: MetricRollup): Uint8Array {
  const sorted = sortIfNeeded(series.map(sortAttributes), bySeries);
  const newestUs = sorted.reduce((newest, { lastUs }) => Math.max(newest, lastUs), 0);
  stringDictionary.clear();
  const dictionaries: RollupDictionaries = { texts: stringDictionary, bounds: new BoundsDictionaryWriter(), newestUs };
  const serviceNumber = stringDictionary.indexFor(service);
  writeMetrics(sorted, dictionaries);
  boundsWriter.clear();
  dictionaries.bounds.writeTo(boundsWriter);
  return encodeRollupBlob(FORMAT, (writer) => {
    stringDictionary.writeTo(writer);
    writer.section(boundsWriter);
    writer.varint(serviceNumber);
    writer.varint(newestUs);
    writer.section(metricsWriter);
  });
}

/** Buckets, quantiles and exemplars of the series are decoded on access. */
export function decodeMetricRollup(bytes: Uint8Array, intern?: Intern): MetricRollup {
  return decode(bytes, intern);
}

/** Decodes the series of one metric only: the cost hardly depends on how many others there are. */
export function decodeMetricSeries(bytes: Uint8Array, metric: string, intern?: Intern): MetricRollup {
  return decode(bytes, intern, metric);
}

/** All metrics if none is given. */
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

/** Reads the series of one metric, or skips them if another one is wanted. */
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

function writeMetrics(sorted: readonly MetricSeriesRollup[], dictionaries: RollupDictionaries): void {
  const byMetric = groupByMetric(sorted);
  metricsWriter.clear();
  metricsWriter.list(byMetric, (group) => {
    metricsWriter.varint(stringDictionary.indexFor(group[0].metric));
    seriesWriter.clear();
    seriesWriter.list(group, (one) => writeSeries(seriesWriter, one, dictionaries));
    metricsWriter.section(seriesWriter);
  });
}

/** Groups adjacent series of the same metric. */
function groupByMetric(sorted: readonly MetricSeriesRollup[]): readonly (readonly MetricSeriesRollup[])[] {
  const groups: MetricSeriesRollup[][] = [];
  sorted.forEach((one, i) => {
    if (i > 0 && sorted[i - 1].metric === one.metric) groups[groups.length - 1].push(one);
    else groups.push([one]);
  });
  return groups;
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

/**
 * Format of version 1 of the metrics projection: read until the rollups are rebuilt, see decision 053. It has no
 * distributions.
 */
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
