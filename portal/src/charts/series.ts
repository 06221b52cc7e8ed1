/** A series as the service answers it: steps without a value are left out. */
export interface AnsweredSeries {
  readonly label: string;
  readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
}

export interface AlignedSeries {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

/** Finer than the service's own steps are; more places than this are of no use. */
const MAX_PLACES = 1_000;

/** Which time was asked for, in ms since 1970. */
interface Frame {
  readonly from: number;
  readonly to: number;
}

/** All series with a place for each step of the frame, so that what is missing shows as a gap, also before the first and after the last value. */
export function alignedSeries(series: readonly AnsweredSeries[], frame?: Frame): AlignedSeries[] {
  const places = placesOf(series, frame);
  return series.map(({ label, dataPoints }) => {
    const values = new Map(dataPoints.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
    return { name: label, points: places.map((at) => ({ at, value: values.get(at) })) };
  });
}

function placesOf(series: readonly AnsweredSeries[], frame: Frame | undefined): number[] {
  const known = [...new Set(series.flatMap(({ dataPoints }) => dataPoints.map(({ timestamp }) => Date.parse(timestamp))))].sort((a, b) => a - b);
  const step = Math.min(...known.slice(1).map((at, index) => at - (known[index] ?? at)));
  const [earliest, latest] = [known[0], known[known.length - 1]];
  if (earliest === undefined || latest === undefined || !Number.isFinite(step)) return known;
  const first = earliest - Math.floor(Math.max(0, earliest - (frame?.from ?? earliest)) / step) * step;
  // A frame ends with its last step, not with the beginning of another.
  const last = latest + Math.floor(Math.max(0, (frame?.to ?? latest) - 1 - latest) / step) * step;
  if ((last - first) / step > MAX_PLACES) return known;
  const steps = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
  // Clocks that change and parts of steps may lie between.
  return [...new Set([...steps, ...known])].sort((a, b) => a - b);
}

/** Rows of a table with the same contents: a moment, and a value or nothing of each series. */
export function rowsOf(series: readonly AlignedSeries[]): { readonly at: number; readonly values: readonly (number | undefined)[] }[] {
  return (series[0]?.points ?? []).map(({ at }, index) => ({ at, values: series.map(({ points }) => points[index]?.value) }));
}
