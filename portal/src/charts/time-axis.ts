import { clockOffsetMs } from '../format/time-zone.js';

/** The times of a chart's values, ascending. A value covers the time up to the next one. */
export interface TimeAxis {
  /** In ms since 1970. */
  readonly times: readonly number[];
  /** Bars fill the width of their bucket; points stand at its start, the last one at the right edge. */
  readonly hasBars: boolean;
}

const MINUTE_MS = 60_000;

/** Intervals (ms) between ticks at round clock times. */
const ROUND_INTERVALS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880].map(
  (minutes) => minutes * MINUTE_MS,
);

const toClockTime = (ms: number): number => ms + clockOffsetMs(ms);

/** Indexes of the values that get a tick: at most `most`, at round times of the chosen clock; all values if none are at round times. */
export function selectTicks({ times }: TimeAxis, most: number, clock = toClockTime): readonly number[] {
  const local = times.map(clock);
  const choices = ROUND_INTERVALS_MS.map((round) =>
    local.flatMap((time, index) => (time % round === 0 ? [index] : [])),
  );
  return choices.find((choice) => choice.length >= 2 && choice.length <= most) ?? times.map((_, index) => index);
}

/** End of the last bucket, which is taken to be as long as the one before. */
function findAxisEnd(places: readonly number[]): number {
  const last = places.at(-1) ?? 0;
  return last + (last - (places.at(-2) ?? last - MINUTE_MS));
}

/** The time (ms since 1970) at a fraction of the width. The right edge is the end of the axis, so that the last bucket can be selected. */
export function timeAtFraction({ times, hasBars }: TimeAxis, fraction: number): number {
  const end = findAxisEnd(times);
  if (fraction >= 1) return end;
  const position = Math.max(0, fraction) * (hasBars ? times.length : times.length - 1);
  const index = Math.floor(position);
  const from = times[index] ?? end;
  return from + (position - index) * ((times[index + 1] ?? end) - from);
}

/** The fraction of the width at which a moment lies, clamped to 0 and 1. */
export function fractionAtTime({ times, hasBars }: TimeAxis, moment: number): number {
  const index = Math.max(
    0,
    times.findLastIndex((place) => place <= moment),
  );
  const [from, to] = [times[index] ?? 0, times[index + 1] ?? findAxisEnd(times)];
  const position = index + (moment - from) / (to - from);
  return Math.min(1, Math.max(0, position / Math.max(1, hasBars ? times.length : times.length - 1)));
}

/** Whether a moment lies within the axis. */
export function isWithinAxis({ times }: TimeAxis, moment: number): boolean {
  const first = times.at(0);
  return first !== undefined && moment >= first && moment < findAxisEnd(times);
}

/** Whether a bucket had not ended at a moment, so that its value may still change. */
export function isIncompleteBucket({ times }: TimeAxis, index: number, moment: number): boolean {
  return (times[index + 1] ?? findAxisEnd(times)) > moment;
}

/** Shorter gaps are drawn through, since senders that report each minute sometimes skip one. The same as in images rendered by the service. */
const MAX_BRIDGED_GAP_MS = 3 * MINUTE_MS;

/** Whether the line continues between two values with none in between. */
export function isGapBridged({ times }: TimeAxis, from: number, to: number): boolean {
  if (to - from <= 1) return true;
  const [start, end] = [times[from + 1], times[to]];
  return start !== undefined && end !== undefined && end - start < MAX_BRIDGED_GAP_MS;
}

const findDefinedIndexes = (values: readonly (number | undefined)[]): readonly number[] =>
  values.flatMap((value, index) => (value === undefined ? [] : [index]));

/** For each index, whether the segment that leads to it lies in a gap that is not bridged. */
export function markGaps(axis: TimeAxis, values: readonly (number | undefined)[]): readonly boolean[] {
  const result = values.map(() => false);
  findDefinedIndexes(values).forEach((to, at, known) => {
    const from = known[at - 1];
    if (from !== undefined && !isGapBridged(axis, from, to)) result.fill(true, from + 1, to + 1);
  });
  return result;
}

/** For each index, whether no line leads to or from its value, so that it has to be drawn as a dot. */
export function markIsolatedPoints(axis: TimeAxis, values: readonly (number | undefined)[]): readonly boolean[] {
  const known = findDefinedIndexes(values);
  const isolated = known.filter((index, at) => {
    const [before, after] = [known[at - 1], known[at + 1]];
    return (
      !(before !== undefined && isGapBridged(axis, before, index)) &&
      !(after !== undefined && isGapBridged(axis, index, after))
    );
  });
  const indexes = new Set(isolated);
  return values.map((_, index) => indexes.has(index));
}
