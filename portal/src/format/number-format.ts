const PLAIN = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const LITTLE = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** At most two decimals, but small values keep three significant digits: three errors per hour are not 0 per second. */
const formatPlain = (value: number): string => (Math.abs(value) < 0.01 ? LITTLE : PLAIN).format(value);

export const formatCount = (value: number): string =>
  Math.abs(value) < 10_000 ? formatPlain(value) : SHORT.format(value);

/** A count with all digits, never abbreviated. */
export const formatExactCount = (value: number): string => value.toLocaleString();

/** A duration in ms, written in a suitable unit. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0 ms';
  if (Math.abs(ms) < 0.001) return `${formatPlain(ms * 1_000_000)} ns`;
  if (ms < 1) return `${PLAIN.format(Math.round(ms * 1_000))} µs`;
  if (ms < 1_000) return `${PLAIN.format(Number(ms.toPrecision(3)))} ms`;
  if (ms < 60_000) return `${PLAIN.format(Number((ms / 1_000).toPrecision(3)))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

/** A duration that is known in whole ms only, rounded down. */
export const formatWholeMs = (ms: number): string => (ms < 1 ? '< 1 ms' : formatDuration(ms));

/** The exact duration of a span. */
export const formatSpanDuration = ({ durationNs }: { readonly durationNs: number }): string =>
  formatDuration(durationNs / 1_000_000);

/** @param percent from 0 to 100 */
export const formatPercent = (percent: number): string => `${formatPlain(percent)} %`;

export const formatRate = (perSecond: number): string => `${formatCount(perSecond)} /s`;
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function formatBytes(bytes: number): string {
  const power =
    bytes === 0 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(bytes)) / 3)));
  return `${formatCount(Number((bytes / 1_000 ** power).toPrecision(3)))} ${BYTE_UNITS[power] ?? ''}`;
}

/** By unit, as written by the service and by OpenTelemetry (UCUM). */
const UNIT_FORMATTERS: Readonly<Record<string, (value: number) => string>> = {
  '%': formatPercent,
  'req/s': formatRate,
  '1/s': formatRate,
  'logs/s': formatRate,
  ms: formatDuration,
  s: (seconds) => formatDuration(seconds * 1_000),
  us: (micros) => formatDuration(micros / 1_000),
  ns: (nanos) => formatDuration(nanos / 1_000_000),
  By: formatBytes,
  'By/s': (bytes) => `${formatBytes(bytes)}/s`,
  '': formatCount,
  1: formatCount,
};

/** A formatter for values in this unit. A unit in braces is a UCUM annotation: `{request}` counts requests. */
export function createUnitFormatter(unit: string): (value: number) => string {
  const label = unit.replaceAll(/[{}]/g, '');
  const known = Object.hasOwn(UNIT_FORMATTERS, unit) ? UNIT_FORMATTERS[unit] : undefined;
  return known ?? ((value) => `${formatCount(value)} ${label}`);
}
