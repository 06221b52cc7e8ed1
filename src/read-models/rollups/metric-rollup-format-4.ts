import { METRIC_KINDS, type MetricRollup, type MetricSeriesRollup } from '../../diagnostics/rollups.js';
import { decodeBlob } from './blob.js';
import { DamagedRollup, type ByteReader, type Intern } from './byte-reader.js';

/** What version 1 of metrics wrote: read until the rollups are made anew, see decision 053. It tells no distributions. */
export const FORMAT_4 = 4;

const NONE: readonly never[] = [];

export function decodeFormat4(bytes: Uint8Array, intern?: Intern): MetricRollup {
  const read = (reader: ByteReader): MetricRollup => ({ service: reader.text(), series: reader.list(() => readSeries(reader)) });
  return decodeBlob(FORMAT_4, bytes, read, intern);
}

function readSeries(reader: ByteReader): MetricSeriesRollup {
  const [metric, unit, kindAndMonotonic, instance] = [reader.text(), reader.text(), reader.byte(), reader.text()];
  const kind = METRIC_KINDS.at(kindAndMonotonic >> 1);
  if (kind === undefined) throw new DamagedRollup(`rollup has a metric kind ${kindAndMonotonic >> 1}`);
  const attributes = reader.list((): MetricSeriesRollup['attributes'][number] => [reader.text(), reader.text()]);
  const [points, count] = [reader.varint(), reader.varint()];
  const [sum, min, max, last] = [reader.float64(), reader.float64(), reader.float64(), reader.float64()];
  return { metric, unit, kind, monotonic: (kindAndMonotonic & 1) === 1, instance, attributes, points, sum, count, min, max, last, lastUs: reader.signed(), buckets: NONE, quantiles: NONE, exemplars: NONE };
}
