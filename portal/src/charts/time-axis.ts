/** Places of a chart in time, ascending. A value stands for the time from its place to the next. */
export interface TimeAxis {
  /** In ms since 1970. */
  readonly places: readonly number[];
  /** Bars fill the width of their time; points stand at its start, the last one at the right edge. */
  readonly hasBars: boolean;
}

const MINUTE_MS = 60_000;

/** In ms: lengths in which clocks and calendars are read. */
const ROUND_INTERVALS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880].map(
  (minutes) => minutes * MINUTE_MS,
);

const toLocalTime = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * MINUTE_MS;

/** Which places to name below a chart: those at round times of the reader's own clock, `most` at most; every place where there is nothing round. */
export function selectTicks({ places }: TimeAxis, most: number, clock = toLocalTime): readonly number[] {
  const local = places.map(clock);
  const choices = ROUND_INTERVALS_MS.map((round) =>
    local.flatMap((time, index) => (time % round === 0 ? [index] : [])),
  );
  return choices.find((choice) => choice.length >= 2 && choice.length <= most) ?? places.map((_, index) => index);
}

/** The end of the last value's time, which is as long as the one before. */
function findAxisEnd(places: readonly number[]): number {
  const last = places.at(-1) ?? 0;
  return last + (last - (places.at(-2) ?? last - MINUTE_MS));
}

/** What moment lies at a share of the width. At the right edge: the end, so that the last value can be chosen. */
export function timeAtFraction({ places, hasBars }: TimeAxis, share: number): number {
  const end = findAxisEnd(places);
  if (share >= 1) return end;
  const position = Math.max(0, share) * (hasBars ? places.length : places.length - 1);
  const index = Math.floor(position);
  const from = places[index] ?? end;
  return from + (position - index) * ((places[index + 1] ?? end) - from);
}

/** At which share of the width a moment lies, kept within it. */
export function fractionAtTime({ places, hasBars }: TimeAxis, moment: number): number {
  const index = Math.max(
    0,
    places.findLastIndex((place) => place <= moment),
  );
  const [from, to] = [places[index] ?? 0, places[index + 1] ?? findAxisEnd(places)];
  const position = index + (moment - from) / (to - from);
  return Math.min(1, Math.max(0, position / Math.max(1, hasBars ? places.length : places.length - 1)));
}

/** Whether a moment lies in the time that the values stand for. */
export function isWithinAxis({ places }: TimeAxis, moment: number): boolean {
  const first = places.at(0);
  return first !== undefined && moment >= first && moment < findAxisEnd(places);
}

/** Whether the time of a value was not over at a moment: what comes still changes it. */
export function isIncompleteBucket({ places }: TimeAxis, index: number, moment: number): boolean {
  return (places[index + 1] ?? findAxisEnd(places)) > moment;
}

/** Senders that report each minute skip one now and then: a shorter gap is no gap, as in the pictures that the service draws. */
const MAX_BRIDGED_GAP_MS = 3 * MINUTE_MS;

/** Whether a line goes on from one place to another that is not the next, where the places between have no value. */
export function isGapBridged({ places }: TimeAxis, from: number, to: number): boolean {
  if (to - from <= 1) return true;
  const [start, end] = [places[from + 1], places[to]];
  return start !== undefined && end !== undefined && end - start < MAX_BRIDGED_GAP_MS;
}

const findDefinedIndexes = (values: readonly (number | undefined)[]): readonly number[] =>
  values.flatMap((value, index) => (value === undefined ? [] : [index]));

/** Of each place whether the way to it, from the place before, lies in a gap that is not bridged. */
export function markGaps(axis: TimeAxis, values: readonly (number | undefined)[]): readonly boolean[] {
  const result = values.map(() => false);
  findDefinedIndexes(values).forEach((to, at, known) => {
    const from = known[at - 1];
    if (from !== undefined && !isGapBridged(axis, from, to)) result.fill(true, from + 1, to + 1);
  });
  return result;
}

/** Of each value whether no line leads to it or from it, so that it has to be a dot to be seen. */
export function markIsolatedPoints(axis: TimeAxis, values: readonly (number | undefined)[]): readonly boolean[] {
  const known = findDefinedIndexes(values);
  const alone = known.filter((index, at) => {
    const [before, after] = [known[at - 1], known[at + 1]];
    return (
      !(before !== undefined && isGapBridged(axis, before, index)) &&
      !(after !== undefined && isGapBridged(axis, index, after))
    );
  });
  const found = new Set(alone);
  return values.map((_, index) => found.has(index));
}
