import { UNKNOWN_TARGET } from '../../rollups/rollup-types.js';
import type { EvidenceDetector, Finding, StepSeries } from '../evidence-detector.js';
import { findMeanRiseSplits } from '../split-prefilter.js';
import type { EdgeSeries } from '../telemetry-series.js';
import { scoreExtremeCalls, type ExtremeCallCounter, type CallTimes } from '../extreme-calls.js';
import { estimateMeanShift, sumRange, type MeanShift, type Split } from '../robust-statistics.js';
import { formatMilliseconds } from '../evidence-formatting.js';

/** A change of less than this many standard errors is none. */
const LEAST_SCORE = 3;

interface EdgeShift {
  readonly edge: EdgeSeries;
  readonly shift: MeanShift;
  /** A call, ns; 0 where it is no more than usual. */
  readonly added: number;
}

/**
 * Time on the wire of answered calls, and whole time of calls to what sends no spans. A slow network, or a process that
 * cannot get at its sockets, shows on all edges of its service and on no others: of an edge's added time its target bears
 * what all of the target's inbound edges have in common, its source what all of the source's outbound edges have.
 */
export const detectAddedWireTime: EvidenceDetector = ({ edges }, { first, extremes }) => {
  const screened = edges.map((edge) => ({
    edge,
    splits: edge.virtual
      ? findMeanRiseSplits(edge.durationNs, edge.count, first)
      : findMeanRiseSplits(edge.wireNs, edge.paired, first),
  }));
  return (split) =>
    buildWireTimeFindings(
      screened.map(({ edge, splits }) => estimateEdgeShift(edge, split, splits?.[split.at] === 1)),
      split,
      extremes,
    );
};

function buildWireTimeFindings(
  all: readonly (EdgeShift | undefined)[],
  split: Split,
  extremes: ExtremeCallCounter,
): Finding[] {
  const shifts = all.filter((shift) => shift !== undefined);
  if (shifts.every(({ added }) => added === 0)) return [];
  const bySource = groupBy(shifts, ({ edge }) => edge.source);
  const byTarget = groupBy(shifts, ({ edge }) => edgeTargetKey(edge));
  const parts = shifts
    .filter(({ added }) => added > 0)
    .flatMap((each) =>
      attributeShift(
        each,
        medianAddedTime(bySource.get(each.edge.source)!),
        medianAddedTime(byTarget.get(edgeTargetKey(each.edge))!),
      ),
    );
  return [...groupBy(parts, ({ culprit, signal }) => `${signal} ${culprit}`).values()].map((own) =>
    combineShifts(own, split, extremes),
  );
}

/** Undefined for an edge without calls on one of the sides. What has not risen is not looked at closely. */
function estimateEdgeShift(edge: EdgeSeries, split: Split, mayHaveRisen: boolean): EdgeShift | undefined {
  if (!mayHaveRisen)
    return hasCallsOnBothSides(edge.virtual ? edge.count : edge.paired, split)
      ? { edge, shift: NO_SHIFT, added: 0 }
      : undefined;
  const shift = edge.virtual
    ? estimateMeanShift(edge.durationNs, edge.count, split)
    : estimateMeanShift(edge.wireNs, edge.paired, split);
  if (shift === undefined) return undefined;
  const added = shift.after - shift.before;
  return { edge, shift, added: added >= LEAST_SCORE * shift.error ? added : 0 };
}

const NO_SHIFT: MeanShift = { before: 0, after: 0, weightBefore: 0, weightAfter: 0, error: 0 };

function hasCallsOnBothSides(count: Float64Array, { past, at, to }: Split): boolean {
  return sumRange(count, 0, past) > 0 && sumRange(count, at, to) > 0;
}

/** What most edges have in common: their median, the lower one of two; undefined where there is but one, which says nothing. */
function medianAddedTime(shifts: readonly EdgeShift[]): number | undefined {
  if (shifts.length < 2) return undefined;
  const added = shifts.map((shift) => shift.added).sort((a, b) => a - b);
  return added[Math.floor((added.length - 1) / 2)];
}

interface AttributedShift {
  readonly signal: Finding['signal'];
  readonly culprit: string;
  readonly of: EdgeShift;
  readonly share: number;
}

/** An edge that differs from all others of both its ends is the target's; so is one that has no others to compare with. */
function attributeShift(
  shift: EdgeShift,
  ofSource: number | undefined,
  ofTarget: number | undefined,
): AttributedShift[] {
  const { edge, added } = shift;
  // What has no name is taken for the caller's own.
  if (edge.virtual && edge.target === UNKNOWN_TARGET)
    return [{ signal: 'dependency time', culprit: edge.source, of: shift, share: 1 }];
  const source = Math.min(1, (ofSource ?? 0) / added);
  const target = ofTarget === undefined ? 1 - source : Math.min(1, ofTarget / added);
  const toSource = ofSource === undefined && ofTarget !== undefined ? 1 - target : source;
  const toTarget = Math.max(target, 1 - toSource);
  return [
    { signal: 'outbound wire time', culprit: edge.source, of: shift, share: toSource / (toSource + toTarget) } as const,
    {
      signal: edge.virtual ? 'dependency time' : 'wire time',
      culprit: edge.target,
      of: shift,
      share: toTarget / (toSource + toTarget),
    } as const,
  ].filter(({ share }) => share > 0.05);
}

function combineShifts(parts: readonly AttributedShift[], split: Split, extremes: ExtremeCallCounter): Finding {
  const amount = (part: AttributedShift) => part.share * part.of.added * part.of.shift.weightAfter;
  const added = parts.reduce((sum, part) => sum + amount(part), 0);
  const error = Math.hypot(...parts.map(({ share, of }) => share * of.shift.error * of.shift.weightAfter));
  const surprise = scoreExtremeCalls(
    parts.map(({ of: { edge } }) => toCallTimes(edge)),
    'slow',
    extremes,
    split,
  );
  const worst = parts.reduce((a, b) => (amount(b) > amount(a) ? b : a));
  const usual = parts.reduce((sum, { share, of }) => sum + share * of.shift.before * of.shift.weightAfter, 0) / 1e6;
  const { signal, culprit } = worst;
  return {
    signal,
    culprit,
    score: Math.min(added / error, 2 * surprise),
    amount: added / 1e6,
    usual,
    course: toStepSeries(worst.of),
    sentence: () => describeWireTime(worst, parts.length),
  };
}

function toStepSeries({ edge, shift: { before, after } }: EdgeShift): StepSeries {
  return edge.virtual
    ? { sum: edge.durationNs, weight: edge.count, before, after }
    : { sum: edge.wireNs, weight: edge.paired, before, after };
}

function toCallTimes(edge: EdgeSeries): CallTimes {
  return edge.virtual ? { count: edge.count, sketches: edge.latency } : { count: edge.paired, sketches: edge.wire };
}

function describeWireTime({ signal, of: { edge, shift } }: AttributedShift, edges: number): string {
  const change = `from ${formatMilliseconds(shift.before)} to ${formatMilliseconds(shift.after)} a call`;
  if (signal === 'dependency time')
    return `Calls of ${edge.source} to ${edge.target === UNKNOWN_TARGET ? 'what it depends on' : edge.target} went ${change}`;
  const others = edges === 1 ? '' : `, and likewise on ${edges - 1} more of its edges`;
  return `Time on the wire from ${edge.source} to ${edge.target} rose ${change}${others}`;
}

function edgeTargetKey({ target, virtual, source }: EdgeSeries): string {
  return virtual && target === UNKNOWN_TARGET ? `unknown of ${source}` : `${virtual ? 'virtual' : 'service'} ${target}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}
