/** A series as the service answers it: steps without a value are left out. */
export interface ApiSeries {
  readonly label: string;
  readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
}

export interface AlignedSeries {
  readonly name: string;
  /** Of the theme; absent where any will do. */
  readonly colour?: string;
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

/** Which time an answer is about, in ms since 1970, and how long its steps are: they begin at multiples since 1970. */
interface SeriesRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Of an answer that was asked for with its step: few values alone would not tell it. */
export function toSeriesRange({
  rangeStart,
  rangeEnd,
  stepSeconds,
}: {
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly stepSeconds?: number;
}): SeriesRange {
  if (stepSeconds === undefined) throw new Error('The answer does not tell how long its steps are.');
  return { from: Date.parse(rangeStart), to: Date.parse(rangeEnd), step: stepSeconds * 1000 };
}

/** All series with a place for each step of the frame, so that what is missing shows as a gap, also before the first and after the last value. */
export function alignSeries(series: readonly ApiSeries[], frame: SeriesRange): AlignedSeries[] {
  const places = collectTimestamps(series, frame);
  return series.map(({ label, dataPoints }) => {
    const values = new Map(dataPoints.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
    return { name: label, points: places.map((at) => ({ at, value: values.get(at) })) };
  });
}

function collectTimestamps(series: readonly ApiSeries[], { from, to, step }: SeriesRange): number[] {
  const known = series.flatMap(({ dataPoints }) => dataPoints.map(({ timestamp }) => Date.parse(timestamp)));
  if (known.length === 0) return [];
  const first = Math.floor(from / step);
  const steps = Array.from({ length: Math.ceil(to / step) - first }, (_, index) => (first + index) * step);
  return [...new Set([...steps, ...known])].sort((a, b) => a - b);
}

/** Rows of a table with the same contents: a moment, and a value or nothing of each series. */
export function toTableRows(
  series: readonly AlignedSeries[],
): { readonly at: number; readonly values: readonly (number | undefined)[] }[] {
  return (series[0]?.points ?? []).map(({ at }, index) => ({
    at,
    values: series.map(({ points }) => points[index]?.value),
  }));
}

const SEVERITY_NAMES = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

/** Severities of logs have colours of their own, which people expect, and which the pictures have too. */
export function applySeverityColours(series: readonly AlignedSeries[]): AlignedSeries[] {
  const areSeverities = series.every(({ name }) => SEVERITY_NAMES.includes(name));
  return series.map((one) => (areSeverities ? { ...one, colour: `--severity-${one.name.toLowerCase()}` } : one));
}
