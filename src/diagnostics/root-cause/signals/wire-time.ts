import { UNNAMED } from '../../rollups.js';
import type { Course } from '../course.js';
import type { Finding } from '../finding.js';
import type { Signal } from '../signal.js';
import { splitsOfRise } from '../screen.js';
import type { EdgeSeries } from '../series.js';
import { surpriseOfExtremes, type ExtremesOf, type Times } from '../extremes.js';
import { shiftOfMean, total, type Shift, type Split } from '../statistics.js';
import { milliseconds } from '../wording.js';

/** A change of less than this many standard errors is none. */
const LEAST_SCORE = 3;

interface EdgeShift {
  readonly edge: EdgeSeries;
  readonly shift: Shift;
  /** A call, ns; 0 where it is no more than usual. */
  readonly added: number;
}

/**
 * Time on the wire of answered calls, and whole time of calls to what sends no spans. A slow network, or a process that
 * cannot get at its sockets, shows on all edges of its service and on no others: of an edge's added time its target bears
 * what all of the target's inbound edges have in common, its source what all of the source's outbound edges have.
 */
export const wireTime: Signal = ({ edges }, { first, extremes }) => {
  const screened = edges.map((edge) => ({ edge, splits: edge.virtual ? splitsOfRise(edge.durationNs, edge.count, first) : splitsOfRise(edge.wireNs, edge.paired, first) }));
  return (split) => findingsOf(screened.map(({ edge, splits }) => shiftOf(edge, split, splits?.[split.at] === 1)), split, extremes);
};

function findingsOf(all: readonly (EdgeShift | undefined)[], split: Split, extremes: ExtremesOf): Finding[] {
  const shifts = all.filter((shift) => shift !== undefined);
  if (shifts.every(({ added }) => added === 0)) return [];
  const bySource = groups(shifts, ({ edge }) => edge.source);
  const byTarget = groups(shifts, ({ edge }) => targetKey(edge));
  const parts = shifts.filter(({ added }) => added > 0).flatMap((each) => blamed(each, commonIn(bySource.get(each.edge.source)!), commonIn(byTarget.get(targetKey(each.edge))!)));
  return [...groups(parts, ({ culprit, signal }) => `${signal} ${culprit}`).values()].map((own) => combined(own, split, extremes));
}

/** Undefined for an edge without calls on one of the sides. What has not risen is not looked at closely. */
function shiftOf(edge: EdgeSeries, split: Split, mayHaveRisen: boolean): EdgeShift | undefined {
  if (!mayHaveRisen) return isOnBothSides(edge.virtual ? edge.count : edge.paired, split) ? { edge, shift: NO_SHIFT, added: 0 } : undefined;
  const shift = edge.virtual ? shiftOfMean(edge.durationNs, edge.count, split) : shiftOfMean(edge.wireNs, edge.paired, split);
  if (shift === undefined) return undefined;
  const added = shift.after - shift.before;
  return { edge, shift, added: added >= LEAST_SCORE * shift.error ? added : 0 };
}

const NO_SHIFT: Shift = { before: 0, after: 0, weightBefore: 0, weightAfter: 0, error: 0 };

function isOnBothSides(count: Float64Array, { past, at, to }: Split): boolean {
  return total(count, 0, past) > 0 && total(count, at, to) > 0;
}

/** What most edges have in common: their median, the lower one of two; undefined where there is but one, which says nothing. */
function commonIn(shifts: readonly EdgeShift[]): number | undefined {
  if (shifts.length < 2) return undefined;
  const added = shifts.map((shift) => shift.added).sort((a, b) => a - b);
  return added[Math.floor((added.length - 1) / 2)];
}

interface Part {
  readonly signal: Finding['signal'];
  readonly culprit: string;
  readonly of: EdgeShift;
  readonly share: number;
}

/** An edge that differs from all others of both its ends is the target's; so is one that has no others to compare with. */
function blamed(shift: EdgeShift, ofSource: number | undefined, ofTarget: number | undefined): Part[] {
  const { edge, added } = shift;
  // What has no name is taken for the caller's own.
  if (edge.virtual && edge.target === UNNAMED) return [{ signal: 'dependency time', culprit: edge.source, of: shift, share: 1 }];
  const source = Math.min(1, (ofSource ?? 0) / added);
  const target = ofTarget === undefined ? 1 - source : Math.min(1, ofTarget / added);
  const toSource = ofSource === undefined && ofTarget !== undefined ? 1 - target : source;
  const toTarget = Math.max(target, 1 - toSource);
  return [
    { signal: 'outbound wire time', culprit: edge.source, of: shift, share: toSource / (toSource + toTarget) } as const,
    { signal: edge.virtual ? 'dependency time' : 'wire time', culprit: edge.target, of: shift, share: toTarget / (toSource + toTarget) } as const,
  ].filter(({ share }) => share > 0.05);
}

function combined(parts: readonly Part[], split: Split, extremes: ExtremesOf): Finding {
  const amount = (part: Part) => part.share * part.of.added * part.of.shift.weightAfter;
  const added = parts.reduce((sum, part) => sum + amount(part), 0);
  const error = Math.hypot(...parts.map(({ share, of }) => share * of.shift.error * of.shift.weightAfter));
  const surprise = surpriseOfExtremes(parts.map(({ of: { edge } }) => timesOf(edge)), 'slow', extremes, split);
  const worst = parts.reduce((a, b) => (amount(b) > amount(a) ? b : a));
  const usual = parts.reduce((sum, { share, of }) => sum + share * of.shift.before * of.shift.weightAfter, 0) / 1e6;
  const { signal, culprit } = worst;
  return { signal, culprit, score: Math.min(added / error, 2 * surprise), amount: added / 1e6, usual, course: courseOf(worst.of), sentence: () => sentence(worst, parts.length) };
}

function courseOf({ edge, shift: { before, after } }: EdgeShift): Course {
  return edge.virtual ? { sum: edge.durationNs, weight: edge.count, before, after } : { sum: edge.wireNs, weight: edge.paired, before, after };
}

function timesOf(edge: EdgeSeries): Times {
  return edge.virtual ? { count: edge.count, sketches: edge.latency } : { count: edge.paired, sketches: edge.wire };
}

function sentence({ signal, of: { edge, shift } }: Part, edges: number): string {
  const change = `from ${milliseconds(shift.before)} to ${milliseconds(shift.after)} a call`;
  if (signal === 'dependency time') return `Calls of ${edge.source} to ${edge.target === UNNAMED ? 'what it depends on' : edge.target} went ${change}`;
  const others = edges === 1 ? '' : `, and likewise on ${edges - 1} more of its edges`;
  return `Time on the wire from ${edge.source} to ${edge.target} rose ${change}${others}`;
}

function targetKey({ target, virtual, source }: EdgeSeries): string {
  return virtual && target === UNNAMED ? `unknown of ${source}` : `${virtual ? 'virtual' : 'service'} ${target}`;
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}
