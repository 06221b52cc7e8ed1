/** How a figure has moved. */
export type Verdict = 'worse' | 'better' | 'same' | 'unknown';

/** From here on better or worse, in percent, as the service judges too. */
const SIGNIFICANT_PERCENT = 20;
/** Of an error rate, so many points besides: 0.2 % is no disaster after 0.1 %. */
const SIGNIFICANT_POINTS = 1;
/** In fewer requests one of them moves a figure too far for a verdict. */
const MIN_REQUESTS = 10;

interface MeasuredRow {
  readonly requestCount: number;
  readonly errorRate: number;
}

export interface RowPair<Row> {
  readonly id: string;
  readonly current: Row | undefined;
  readonly baseline: Row | undefined;
  readonly latency: number | undefined;
  readonly verdict: Verdict;
}

/** Rows of two windows side by side by their ids, what got worse first, then what moved most. `latencyOf` is the latency that is judged, in ms. */
export function compareRows<Row extends MeasuredRow>(
  current: readonly Row[],
  baseline: readonly Row[],
  idOf: (row: Row) => string,
  latencyOf: (row: Row) => number,
): readonly RowPair<Row>[] {
  const [now, before] = [indexById(current, idOf), indexById(baseline, idOf)];
  const pairs = [...new Set([...now.keys(), ...before.keys()])].map((id) =>
    pairRows(id, now.get(id), before.get(id), latencyOf),
  );
  return pairs.sort(
    (a, b) =>
      VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict) ||
      Math.abs(b.latency ?? 0) - Math.abs(a.latency ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
}

const VERDICT_ORDER: readonly Verdict[] = ['worse', 'better', 'same', 'unknown'];

function pairRows<Row extends MeasuredRow>(
  id: string,
  current: Row | undefined,
  baseline: Row | undefined,
  latencyOf: (row: Row) => number,
): RowPair<Row> {
  if (current === undefined || baseline === undefined)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  if (Math.min(current.requestCount, baseline.requestCount) === 0)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  const latency = computePercentChange(latencyOf(current), latencyOf(baseline));
  const points = current.errorRate - baseline.errorRate;
  const isFew = Math.min(current.requestCount, baseline.requestCount) < MIN_REQUESTS;
  return {
    id,
    current,
    baseline,
    latency,
    verdict: isFew ? 'unknown' : judgeRow(latency, points, computePercentChange(current.errorRate, baseline.errorRate)),
  };
}

/** What got worse outweighs what got better. */
function judgeRow(latency: number, points: number, errors: number): Verdict {
  if (latency > SIGNIFICANT_PERCENT || (points >= SIGNIFICANT_POINTS && errors > SIGNIFICANT_PERCENT)) return 'worse';
  if (latency < -SIGNIFICANT_PERCENT || (points <= -SIGNIFICANT_POINTS && errors < -SIGNIFICANT_PERCENT))
    return 'better';
  return 'same';
}

/** The change in percent; after nothing, anything is a hundred. */
export function computePercentChange(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return (100 * (current - baseline)) / baseline;
}

/** Of a figure of which more, or less, is worse. */
export function judgeFigure(percent: number, worseWhen: 'more' | 'less'): Verdict {
  if (Math.abs(percent) < 5) return 'same';
  return percent > 0 === (worseWhen === 'more') ? 'worse' : 'better';
}

function indexById<Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [idOf(row), row]));
}
