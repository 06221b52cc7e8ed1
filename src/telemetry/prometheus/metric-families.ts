import { WireReader } from '../otlp/wire/wire-reader.js';
import { readText } from '../otlp/wire/wire-values.js';
import { type Label, PROMETHEUS_TYPES, type PrometheusMetadata, type PrometheusType } from './remote-write.js';
import { readMessages } from '../otlp/wire/wire-messages.js';

/** Field `metadata` of version 1, and MetricMetadata. */
const METADATA = 0x1a;
const FIELD = { type: 0x08, name: 0x12, help: 0x22, unit: 0x2a } as const;
/** More families than any target exposes; the rest has no type. */
const MAX_FAMILIES = 10_000;

/** Metadata of metric families by name, as a request of version 1 holds it beside its series. Throws MalformedBody. */
export function readMetricFamilies(body: Uint8Array): ReadonlyMap<string, PrometheusMetadata> {
  const families = new Map<string, PrometheusMetadata>();
  const reader = new WireReader(body);
  for (const end of readMessages(reader, METADATA, body.length)) {
    if (families.size === MAX_FAMILIES) break;
    const { name, ...metadata } = readFamily(reader, end);
    families.set(name, metadata);
  }
  return families;
}

function readFamily(reader: WireReader, end: number): PrometheusMetadata & { readonly name: string } {
  let [type, name, help, unit] = [0, '', '', ''];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === FIELD.type) type = reader.readVarint(end);
    else if (tag === FIELD.name) name = readText(reader, end);
    else if (tag === FIELD.help) help = readText(reader, end);
    else if (tag === FIELD.unit) unit = readText(reader, end);
    else reader.skip(tag, end);
  }
  return { type: PROMETHEUS_TYPES.at(type) ?? 'unknown', name, help, unit };
}

const SUFFIX = /_(?:total|bucket|sum|count)$/;
const NO_METADATA: PrometheusMetadata = { type: 'unknown', help: '', unit: '' };
export const NO_FAMILIES: ReadonlyMap<string, PrometheusMetadata> = new Map();

/** The metadata of the family to which a series of this name belongs. */
export function findFamily(families: ReadonlyMap<string, PrometheusMetadata>, name: string): PrometheusMetadata {
  if (families.size === 0) return NO_METADATA;
  return families.get(name) ?? families.get(name.replace(SUFFIX, '')) ?? NO_METADATA;
}

/**
 * Whether the values of a series are those of a cumulative counter. Without a type the name decides: `_total`, and `_bucket`
 * with a label `le`, which nothing but a histogram has; all else counts as a gauge, whose values stay as they were sent.
 */
export function isCounterSeries(type: PrometheusType, name: string, labels: readonly Label[]): boolean {
  switch (type) {
    case 'counter':
      return true;
    case 'histogram':
      return /_(?:bucket|sum|count)$/.test(name);
    case 'summary':
      return /_(?:sum|count)$/.test(name) && !labels.some(([label]) => label === 'quantile');
    case 'unknown':
      return name.endsWith('_total') || (name.endsWith('_bucket') && labels.some(([label]) => label === 'le'));
    case 'gauge':
    case 'gaugehistogram':
    case 'info':
    case 'stateset':
      return false;
  }
}

const UNITS: Readonly<Record<string, string>> = {
  years: 'a',
  months: 'mo',
  weeks: 'wk',
  days: 'd',
  hours: 'h',
  minutes: 'min',
  seconds: 's',
  milliseconds: 'ms',
  microseconds: 'us',
  nanoseconds: 'ns',
  bytes: 'By',
  kibibytes: 'KiBy',
  mebibytes: 'MiBy',
  gibibytes: 'GiBy',
  tebibytes: 'TiBy',
  kilobytes: 'kBy',
  megabytes: 'MBy',
  gigabytes: 'GBy',
  terabytes: 'TBy',
  bits: 'bit',
  meters: 'm',
  grams: 'g',
  joules: 'J',
  watts: 'W',
  volts: 'V',
  amperes: 'A',
  celsius: 'Cel',
  hertz: 'Hz',
  percent: '%',
  ratio: '1',
};

/** What rates are per: singular, as in `bytes_per_second`. */
const RATE_UNITS: Readonly<Record<string, string>> = {
  ...UNITS,
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  week: 'wk',
  month: 'mo',
  year: 'a',
};

/**
 * The unit in UCUM, by the reverse of OpenTelemetry's names ("Prometheus and OpenMetrics Compatibility", "Metric Metadata");
 * others stay as they are.
 */
export function toUcumUnit(unit: string): string {
  if (unit === '') return unit;
  const [first, ...rates] = unit.split('_per_');
  return [findUnit(UNITS, first), ...rates.map((rate) => findUnit(RATE_UNITS, rate))].join('/');
}

function findUnit(units: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(units, name) ? units[name] : name;
}
