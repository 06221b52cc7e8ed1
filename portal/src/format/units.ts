import { countText, durationText, percentText, rateText } from './quantities';

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function bytesText(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(BYTES.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(bytes)) / 3)));
  return `${countText(Number((bytes / 1_000 ** power).toPrecision(3)))} ${BYTES[power]!}`;
}

/** Units as the service and OpenTelemetry (UCUM) write them. */
const WRITERS: Readonly<Record<string, (value: number) => string>> = {
  '%': percentText,
  'req/s': rateText,
  '1/s': rateText,
  'logs/s': rateText,
  ms: durationText,
  s: (seconds) => durationText(seconds * 1_000),
  us: (micros) => durationText(micros / 1_000),
  ns: (nanos) => durationText(nanos / 1_000_000),
  By: bytesText,
  'By/s': (bytes) => `${bytesText(bytes)}/s`,
  '': countText,
  1: countText,
};

/** How a value in this unit is written. A unit in braces is an annotation: `{request}` is a count of requests. */
export function valueWriter(unit: string): (value: number) => string {
  const words = unit.replaceAll(/[{}]/g, '');
  const known = Object.hasOwn(WRITERS, unit) ? WRITERS[unit] : undefined;
  return known ?? ((value) => `${countText(value)} ${words}`);
}
