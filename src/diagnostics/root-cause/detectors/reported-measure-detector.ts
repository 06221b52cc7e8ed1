import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { findLevelRiseSplits } from '../split-prefilter.js';
import type { ReportedSeries } from '../telemetry-series.js';
import { computeCentre, rankDeviance, type Split } from '../robust-statistics.js';
import { formatFigure } from '../evidence-formatting.js';

/** Buckets of history, below which one cannot tell what is usual. */
const MIN_HISTORY_BUCKETS = 3;

/** A request seldom makes more calls than this: added time of its calls explains at most so many times as much. */
const MAX_CALLS_PER_REQUEST = 10;

/** Smaller differences occur by chance. */
const MIN_SCORE = 2;

/** Beyond so many powers of ten a latency is no more unusual. */
const MAX_MAGNITUDE = 2;

/** Added failures below a percent of the requests, or one a bucket, are none. */
const MIN_FAILED_SHARE = 0.01;
const MIN_FAILURES = 1;

/** What rises when something is wrong: time, failures, or the share that does not succeed. */
interface Rise {
  readonly series: ReportedSeries;
  readonly before: number;
  readonly after: number;
  /** Standard score, corrected for the number of series of which it is one. */
  readonly score: number;
}

/**
 * Detects latencies and failures in metrics without a convention, for services whose requests nothing else measures.
 * Nobody knows there who calls whom, so that own evidence must decide: latency beyond what the calls of the service
 * itself explain, and failures. Scores are robust (MAD), as BARO (Pham et al., FSE 2024) ranks metrics, and corrected
 * for the number of series compared.
 */
export const detectReportedMeasures: EvidenceDetector = ({ services }, { first }) => {
  const unmeasured = services.filter(({ requests }) => !requests.some((count) => count > 0));
  const penalty =
    2 *
    Math.log(
      Math.max(
        1,
        unmeasured.reduce((sum, { reported }) => sum + reported.length, 0),
      ),
    );
  const prefiltered = unmeasured.map(({ service, reported }) => ({
    service,
    items: reported
      .map((series) => (series.measure === 'successes' ? invert(series) : series))
      .flatMap((series) => toPrefilteredItems(series, findLevelRiseSplits(series.sum, series.weight, first))),
  }));
  return (split) =>
    prefiltered.flatMap(({ service, items }) =>
      buildFindings(
        service,
        selectAtSplit(items, split).flatMap((series) => measureRise(series, split, penalty) ?? []),
      ),
    );
};

/** The share that does not succeed, of the share that does. */
function invert(series: ReportedSeries): ReportedSeries {
  const whole = isPercentage(series) ? 100 : 1;
  return { ...series, sum: series.sum.map((each, i) => Math.max(0, whole * series.weight[i] - each)) };
}

function isPercentage({ unit, sum, weight }: ReportedSeries): boolean {
  return unit === '%' || sum.some((each, i) => each > 1.01 * weight[i]);
}

function measureRise(series: ReportedSeries, split: Split, penalty: number): Rise | undefined {
  const { sum, weight } = series;
  const before = computeCentre(sum, weight, 0, split.past);
  const after = computeCentre(sum, weight, split.at, split.to);
  if (before === undefined || after === undefined || before.bucketCount < MIN_HISTORY_BUCKETS) return undefined;
  const spread = Math.max(before.spread, measureUpperSpread(series, before.value, split.past), minimumRise(series));
  const certainty = Math.sqrt(Math.max(0, rankDeviance(before.bucketCount, after.bucketCount) - penalty));
  const score = Math.min((after.value - before.value) / spread, certainty);
  return score >= MIN_SCORE ? { series, before: before.value, after: after.value, score } : undefined;
}

/** Standard deviations from the median to the quantile of a normal distribution. */
const UPPER_QUANTILE = 0.9;
const UPPER_DEVIATIONS = 1.282;

/** Spread upwards: what mostly is constant but often rises has no spread around its median (MAD). */
function measureUpperSpread({ sum, weight }: ReportedSeries, median: number, past: number): number {
  const values: number[] = [];
  for (let i = 0; i < past; i++) if (weight[i] > 0) values.push(sum[i] / weight[i]);
  values.sort((a, b) => a - b);
  return (values[Math.ceil(UPPER_QUANTILE * values.length) - 1] - median) / UPPER_DEVIATIONS;
}

function minimumRise(series: ReportedSeries): number {
  if (series.measure.endsWith('latency')) return 0;
  if (series.unit === '%') return 100 * MIN_FAILED_SHARE;
  return series.unit === '1' && !isPercentage(series) ? MIN_FAILED_SHARE : MIN_FAILURES;
}

function buildFindings(service: string, rises: readonly Rise[]): Finding[] {
  const strongest = (measures: readonly ReportedSeries['measure'][]) =>
    rises
      .filter(({ series }) => measures.includes(series.measure))
      .reduce<Rise | undefined>((a, b) => (a === undefined || b.score > a.score ? b : a), undefined);
  const [latency, failures] = [strongest(['latency']), strongest(['failures', 'successes'])];
  const outboundMs = Math.max(
    0,
    ...rises
      .filter(({ series }) => series.measure === 'outbound latency')
      .map((rise) => MAX_CALLS_PER_REQUEST * (rise.after - rise.before) * millisecondsIn(rise.series)),
  );
  return [
    ...(latency === undefined ? [] : [buildLatencyFinding(service, latency, outboundMs)]),
    ...(failures === undefined ? [] : [buildFailureFinding(service, failures)]),
  ];
}

/**
 * Small changes count little, as added time of spans does; beyond a doubling each power of ten counts, since the slow
 * service itself changes more, relative to its usual time, than those that wait for it among other things.
 */
function buildLatencyFinding(service: string, { series, before, after, score }: Rise, outboundMs: number): Finding {
  const addedMs = (after - before) * millisecondsIn(series);
  const ownShare = Math.max(0, 1 - outboundMs / addedMs);
  const effect = 1 - before / after;
  const magnitude = 1 + Math.min(MAX_MAGNITUDE, Math.log10(after / before));
  return buildFinding('reported latency', service, series, score * effect ** 2 * magnitude * ownShare, before, after);
}

function buildFailureFinding(service: string, { series, before, after, score }: Rise): Finding {
  return buildFinding('reported failures', service, series, score * (1 - before / after), before, after);
}

function buildFinding(
  kind: 'reported latency' | 'reported failures',
  serviceName: string,
  series: ReportedSeries,
  score: number,
  before: number,
  after: number,
): Finding {
  const what = series.measure === 'successes' ? `Failures (derived from ${series.label})` : series.label;
  const text = `${what} rose from ${formatFigure(before)} to ${formatFigure(after)} ${series.unit}`.trimEnd();
  const stepSeries = { sum: series.sum, weight: series.weight, before, after };
  return { kind, serviceName, score, amount: after - before, stepSeries, describe: () => text };
}

/** Of an unknown unit it only matters that it is the same one everywhere. */
function millisecondsIn({ unit, name }: ReportedSeries): number {
  const stated = unit === '' ? (/(?:^|[._])(s|seconds|us|microseconds|ns|nanoseconds)$/i.exec(name)?.[1] ?? '') : unit;
  return MILLISECONDS.get(stated.toLowerCase()) ?? 1;
}

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['seconds', 1_000],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['microseconds', 1e-3],
  ['ns', 1e-6],
  ['nanoseconds', 1e-6],
]);
