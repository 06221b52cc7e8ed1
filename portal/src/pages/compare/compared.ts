/** How a figure has moved. */
export type Verdict = 'worse' | 'better' | 'same' | 'unknown';

/** From here on better or worse, in percent, as the service judges too. */
const TELLING_PERCENT = 20;
/** Of an error rate, so many points besides: 0.2 % is no disaster after 0.1 %. */
const TELLING_POINTS = 1;
/** In fewer requests one of them moves a figure too far for a verdict. */
const FEWEST = 10;

interface Measured {
  readonly requestCount: number;
  readonly errorRate: number;
}

export interface Pair<Row> {
  readonly id: string;
  readonly current: Row | undefined;
  readonly baseline: Row | undefined;
  readonly latency: number | undefined;
  readonly verdict: Verdict;
}

/** Rows of two windows side by side by their ids, what got worse first, then what moved most. `latencyOf` is the latency that is judged, in ms. */
export function compared<Row extends Measured>(
  current: readonly Row[],
  baseline: readonly Row[],
  idOf: (row: Row) => string,
  latencyOf: (row: Row) => number,
): readonly Pair<Row>[] {
  const [now, before] = [byId(current, idOf), byId(baseline, idOf)];
  const pairs = [...new Set([...now.keys(), ...before.keys()])].map((id) =>
    pairOf(id, now.get(id), before.get(id), latencyOf),
  );
  return pairs.sort(
    (a, b) =>
      RANK.indexOf(a.verdict) - RANK.indexOf(b.verdict) ||
      Math.abs(b.latency ?? 0) - Math.abs(a.latency ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
}

const RANK: readonly Verdict[] = ['worse', 'better', 'same', 'unknown'];

function pairOf<Row extends Measured>(
  id: string,
  current: Row | undefined,
  baseline: Row | undefined,
  latencyOf: (row: Row) => number,
): Pair<Row> {
  if (current === undefined || baseline === undefined)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  if (Math.min(current.requestCount, baseline.requestCount) === 0)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  const latency = percentOf(latencyOf(current), latencyOf(baseline));
  const points = current.errorRate - baseline.errorRate;
  const isFew = Math.min(current.requestCount, baseline.requestCount) < FEWEST;
  return {
    id,
    current,
    baseline,
    latency,
    verdict: isFew ? 'unknown' : verdictOf(latency, points, percentOf(current.errorRate, baseline.errorRate)),
  };
}

/** What got worse outweighs what got better. */
function verdictOf(latency: number, points: number, errors: number): Verdict {
  if (latency > TELLING_PERCENT || (points >= TELLING_POINTS && errors > TELLING_PERCENT)) return 'worse';
  if (latency < -TELLING_PERCENT || (points <= -TELLING_POINTS && errors < -TELLING_PERCENT)) return 'better';
  return 'same';
}

/** The change in percent; after nothing, anything is a hundred. */
export function percentOf(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return (100 * (current - baseline)) / baseline;
}

/** Of a figure of which more, or less, is worse. */
export function figureVerdict(percent: number, worseWhen: 'more' | 'less'): Verdict {
  if (Math.abs(percent) < 5) return 'same';
  return percent > 0 === (worseWhen === 'more') ? 'worse' : 'better';
}

function byId<Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [idOf(row), row]));
}
