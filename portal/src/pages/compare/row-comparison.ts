/** Result of comparing a value; `unknown` with too little data. */
export type Verdict = 'worse' | 'better' | 'same' | 'unknown';

/** Changes above this (percent) are better or worse. The service uses the same threshold. */
const SIGNIFICANT_PERCENT = 20;
/** An error rate must also change by this many percentage points: 0.2 % after 0.1 % is not significant. */
const SIGNIFICANT_POINTS = 1;
/** With fewer requests, a single one changes the values too much. */
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

/** Pairs the rows of two windows by ID: regressions first, then by change of latency. `getLatency` returns the compared latency in ms. */
export function compareRows<Row extends MeasuredRow>(
  current: readonly Row[],
  baseline: readonly Row[],
  getId: (row: Row) => string,
  getLatency: (row: Row) => number,
): readonly RowPair<Row>[] {
  const [now, before] = [indexById(current, getId), indexById(baseline, getId)];
  const pairs = [...new Set([...now.keys(), ...before.keys()])].map((id) =>
    pairRows(id, now.get(id), before.get(id), getLatency),
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
  getLatency: (row: Row) => number,
): RowPair<Row> {
  if (current === undefined || baseline === undefined)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  if (Math.min(current.requestCount, baseline.requestCount) === 0)
    return { id, current, baseline, latency: undefined, verdict: 'unknown' };
  const latency = computePercentChange(getLatency(current), getLatency(baseline));
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

/** Worse if latency or errors got worse, even if the other got better. */
function judgeRow(latency: number, points: number, errors: number): Verdict {
  if (latency > SIGNIFICANT_PERCENT || (points >= SIGNIFICANT_POINTS && errors > SIGNIFICANT_PERCENT)) return 'worse';
  if (latency < -SIGNIFICANT_PERCENT || (points <= -SIGNIFICANT_POINTS && errors < -SIGNIFICANT_PERCENT))
    return 'better';
  return 'same';
}

/** The change in percent; any increase from 0 counts as 100. */
export function computePercentChange(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return (100 * (current - baseline)) / baseline;
}

/** Judges a change in percent, given the direction that is worse. */
export function assessFigure(percent: number, worseWhen: 'more' | 'less'): Verdict {
  if (Math.abs(percent) < 5) return 'same';
  return percent > 0 === (worseWhen === 'more') ? 'worse' : 'better';
}

function indexById<Row>(rows: readonly Row[], getId: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [getId(row), row]));
}
