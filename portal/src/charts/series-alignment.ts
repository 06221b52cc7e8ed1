/** A series as in API responses, where steps without a value are left out. */
export interface ApiSeries {
  readonly label: string;
  readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
}

export interface AlignedSeries {
  readonly name: string;
  /** CSS variable of the theme; absent for the default colours. */
  readonly colour?: string;
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

/** Range of a response in ms since 1970 and its step in ms; steps start at multiples of it. */
interface SeriesRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** The range of a response. The request must ask for `stepSeconds`, since the step cannot be derived from few values. */
export function toSeriesRange({
  rangeStart,
  rangeEnd,
  stepSeconds,
}: {
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly stepSeconds?: number;
}): SeriesRange {
  if (stepSeconds === undefined) throw new Error('The response has no stepSeconds.');
  return { from: Date.parse(rangeStart), to: Date.parse(rangeEnd), step: stepSeconds * 1000 };
}

/** The series with an entry for each step of the range, so that missing values appear as gaps, also at the start and the end. */
export function alignSeries(series: readonly ApiSeries[], range: SeriesRange): AlignedSeries[] {
  const timestamps = collectTimestamps(series, range);
  return series.map(({ label, dataPoints }) => {
    const values = new Map(dataPoints.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
    return { name: label, points: timestamps.map((at) => ({ at, value: values.get(at) })) };
  });
}

function collectTimestamps(series: readonly ApiSeries[], { from, to, step }: SeriesRange): number[] {
  const known = series.flatMap(({ dataPoints }) => dataPoints.map(({ timestamp }) => Date.parse(timestamp)));
  if (known.length === 0) return [];
  const first = Math.floor(from / step);
  const steps = Array.from({ length: Math.ceil(to / step) - first }, (_, index) => (first + index) * step);
  return [...new Set([...steps, ...known])].sort((a, b) => a - b);
}

/** The same values as table rows: one per time, with the value of each series. */
export function toTableRows(
  series: readonly AlignedSeries[],
): { readonly at: number; readonly values: readonly (number | undefined)[] }[] {
  return (series[0]?.points ?? []).map(({ at }, index) => ({
    at,
    values: series.map(({ points }) => points[index]?.value),
  }));
}

const SEVERITY_NAMES = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

/** Gives series of log severities their usual colours, as in images rendered by the service. */
export function applySeverityColours(series: readonly AlignedSeries[]): AlignedSeries[] {
  const areSeverities = series.every(({ name }) => SEVERITY_NAMES.includes(name));
  return series.map((one) => (areSeverities ? { ...one, colour: `--severity-${one.name.toLowerCase()}` } : one));
}
