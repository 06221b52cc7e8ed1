import { UNKNOWN_TARGET } from '../../rollups/rollup-types.js';
import type { EvidenceDetector, Finding, StepSeries } from '../evidence-detector.js';
import { findMeanRiseSplits } from '../split-prefilter.js';
import type { EdgeSeries } from '../telemetry-series.js';
import { scoreExtremeCalls, type ExtremeCallCounter, type CallTimes } from '../extreme-calls.js';
import { estimateMeanShift, sumRange, type MeanShift, type Split } from '../robust-statistics.js';
import { formatMilliseconds } from '../evidence-formatting.js';

/** A change by fewer standard errors is not significant. */
const MIN_SCORE = 3;

interface EdgeShift {
  readonly edge: EdgeSeries;
  readonly shift: MeanShift;
  /** Added time per call, ns; 0 if not significant. */
  readonly added: number;
}

/**
 * Detects added time on the wire of answered calls, and added duration of calls to nodes that send no spans. A slow
 * network, or a process that cannot serve its sockets, affects all edges of its service and no others: the part of an
 * edge's added time common to all inbound edges of its target is attributed to the target, the part common to all
 * outbound edges of its source to the source.
 */
export const detectAddedWireTime: EvidenceDetector = ({ edges }, { first, extremes }) => {
  const prefiltered = edges.map((edge) => ({
    edge,
    splits: edge.virtual
      ? findMeanRiseSplits(edge.durationNs, edge.count, first)
      : findMeanRiseSplits(edge.wireNs, edge.paired, first),
  }));
  return (split) =>
    buildWireTimeFindings(
      prefiltered.map(({ edge, splits }) => estimateEdgeShift(edge, split, splits?.[split.at] === 1)),
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
  return [...groupBy(parts, ({ serviceName, kind }) => `${kind} ${serviceName}`).values()].map((own) =>
    combineShifts(own, split, extremes),
  );
}

/**
 * Undefined for an edge without calls on either side. Edges that did not rise get a zero shift without further
 * analysis.
 */
function estimateEdgeShift(edge: EdgeSeries, split: Split, mayHaveRisen: boolean): EdgeShift | undefined {
  if (!mayHaveRisen)
    return hasCallsOnBothSides(edge.virtual ? edge.count : edge.paired, split)
      ? { edge, shift: NO_SHIFT, added: 0 }
      : undefined;
  const shift = edge.virtual
    ? estimateMeanShift(edge.durationNs, edge.count, split)
    : estimateMeanShift(edge.wireNs, edge.paired, split, edge.estimatedFromNs);
  if (shift === undefined) return undefined;
  const added = shift.after - shift.before;
  return { edge, shift, added: added >= MIN_SCORE * shift.error ? added : 0 };
}

const NO_SHIFT: MeanShift = { before: 0, after: 0, weightBefore: 0, weightAfter: 0, error: 0 };

function hasCallsOnBothSides(count: Float64Array, { past, at, to }: Split): boolean {
  return sumRange(count, 0, past) > 0 && sumRange(count, at, to) > 0;
}

/**
 * Added time common to most edges: their median, the lower one of two; undefined for a single edge, which allows no
 * comparison.
 */
function medianAddedTime(shifts: readonly EdgeShift[]): number | undefined {
  if (shifts.length < 2) return undefined;
  const added = shifts.map((shift) => shift.added).sort((a, b) => a - b);
  return added[Math.floor((added.length - 1) / 2)];
}

interface AttributedShift {
  readonly kind: Finding['kind'];
  readonly serviceName: string;
  readonly edgeShift: EdgeShift;
  readonly share: number;
}

/**
 * Divides the added time of an edge between its ends. If it differs from all other edges of both ends, or if there are
 * none to compare with, it is attributed to the target.
 */
function attributeShift(
  shift: EdgeShift,
  sourceMedian: number | undefined,
  targetMedian: number | undefined,
): AttributedShift[] {
  const { edge, added } = shift;
  // An unnamed target is attributed to the caller.
  if (edge.virtual && edge.target === UNKNOWN_TARGET)
    return [{ kind: 'dependency time', serviceName: edge.source, edgeShift: shift, share: 1 }];
  const source = Math.min(1, (sourceMedian ?? 0) / added);
  const target = targetMedian === undefined ? 1 - source : Math.min(1, targetMedian / added);
  const toSource = sourceMedian === undefined && targetMedian !== undefined ? 1 - target : source;
  const toTarget = Math.max(target, 1 - toSource);
  return [
    {
      kind: 'outbound wire time',
      serviceName: edge.source,
      edgeShift: shift,
      share: toSource / (toSource + toTarget),
    } as const,
    {
      kind: edge.virtual ? 'dependency time' : 'wire time',
      serviceName: edge.target,
      edgeShift: shift,
      share: toTarget / (toSource + toTarget),
    } as const,
  ].filter(({ share }) => share > 0.05);
}

function combineShifts(parts: readonly AttributedShift[], split: Split, extremes: ExtremeCallCounter): Finding {
  const amount = (part: AttributedShift) => part.share * part.edgeShift.added * part.edgeShift.shift.weightAfter;
  const added = parts.reduce((sum, part) => sum + amount(part), 0);
  const error = Math.hypot(
    ...parts.map(({ share, edgeShift }) => share * edgeShift.shift.error * edgeShift.shift.weightAfter),
  );
  const extremeScore = scoreExtremeCalls(
    parts.map(({ edgeShift: { edge } }) => toCallTimes(edge)),
    'slow',
    extremes,
    split,
  );
  const worst = parts.reduce((a, b) => (amount(b) > amount(a) ? b : a));
  const usual =
    parts.reduce((sum, { share, edgeShift }) => sum + share * edgeShift.shift.before * edgeShift.shift.weightAfter, 0) /
    1e6;
  const { kind, serviceName } = worst;
  return {
    kind,
    serviceName,
    score: Math.min(added / error, 2 * extremeScore),
    amount: added / 1e6,
    usual,
    stepSeries: toStepSeries(worst.edgeShift),
    describe: () => describeWireTime(worst, parts.length),
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

function describeWireTime({ kind, edgeShift: { edge, shift } }: AttributedShift, edges: number): string {
  const change = `${formatMilliseconds(shift.after)} instead of ${formatMilliseconds(shift.before)}`;
  if (kind === 'dependency time')
    return `Calls from ${edge.source} to ${edge.target === UNKNOWN_TARGET ? 'an unnamed dependency' : edge.target} take ${change}`;
  const others =
    edges === 1
      ? ''
      : edges === 2
        ? ', as does one more of its connections'
        : `, as do ${edges - 1} more of its connections`;
  return `Calls from ${edge.source} to ${edge.target} spend ${change} in the network${others}`;
}

function edgeTargetKey({ target, virtual, source }: EdgeSeries): string {
  return virtual && target === UNKNOWN_TARGET ? `unknown of ${source}` : `${virtual ? 'virtual' : 'service'} ${target}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
