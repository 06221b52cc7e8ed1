/** A series as the service answers it: steps without a value are left out. */
export interface AnsweredSeries {
  readonly label: string;
  readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
}

export interface AlignedSeries {
  readonly name: string;
  /** Of the theme; absent where any will do. */
  readonly colour?: string;
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

/** Which time was asked for, in ms since 1970. */
interface Frame {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;
/** A day, with what rounding to whole minutes adds at both ends. */
const FINE_MS = 1_442 * MINUTE_MS;
const MOST_STEPS = 400;
/** In minutes. */
const FINE_STEPS = [1, 2, 3, 5, 10, 15, 20, 30];
const DAY_MINUTES = 1_440;
const WHOLE_HOURS = [60, 120, 180, 360, 720, DAY_MINUTES];

/** The service's steps (decision 092), which few values alone would not tell: the shortest that makes no more than 400. They begin at multiples since 1970. */
function stepOf({ from, to }: Frame): number {
  const ladder = to - from > FINE_MS ? WHOLE_HOURS : FINE_STEPS;
  const minutes = ladder.find((each) => Math.ceil(to / (each * MINUTE_MS)) - Math.floor(from / (each * MINUTE_MS)) <= MOST_STEPS);
  return (minutes ?? DAY_MINUTES) * MINUTE_MS;
}

/** All series with a place for each step of the frame, so that what is missing shows as a gap, also before the first and after the last value. */
export function alignedSeries(series: readonly AnsweredSeries[], frame: Frame): AlignedSeries[] {
  const places = placesOf(series, frame);
  return series.map(({ label, dataPoints }) => {
    const values = new Map(dataPoints.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
    return { name: label, points: places.map((at) => ({ at, value: values.get(at) })) };
  });
}

function placesOf(series: readonly AnsweredSeries[], frame: Frame): number[] {
  const known = series.flatMap(({ dataPoints }) => dataPoints.map(({ timestamp }) => Date.parse(timestamp)));
  if (known.length === 0) return [];
  const step = stepOf(frame);
  const first = Math.floor(frame.from / step);
  const steps = Array.from({ length: Math.ceil(frame.to / step) - first }, (_, index) => (first + index) * step);
  return [...new Set([...steps, ...known])].sort((a, b) => a - b);
}

/** Rows of a table with the same contents: a moment, and a value or nothing of each series. */
export function rowsOf(series: readonly AlignedSeries[]): { readonly at: number; readonly values: readonly (number | undefined)[] }[] {
  return (series[0]?.points ?? []).map(({ at }, index) => ({ at, values: series.map(({ points }) => points[index]?.value) }));
}

const SEVERITIES = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];

/** Severities of logs have colours of their own, which people expect, and which the pictures have too. */
export function inOwnColours(series: readonly AlignedSeries[]): AlignedSeries[] {
  const areSeverities = series.every(({ name }) => SEVERITIES.includes(name));
  return series.map((one) => (areSeverities ? { ...one, colour: `--severity-${one.name.toLowerCase()}` } : one));
}
