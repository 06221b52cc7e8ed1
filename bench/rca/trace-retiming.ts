import type { PlainSpan } from '../../test/support/naive-rollups.js';

/** By how much longer a span takes by itself, ms; negative where it takes less. */
export type DelayOf = (span: PlainSpan) => number;

const NOTHING_ENDED = { endNs: 0n, delayMs: 0 };

/**
 * Spans of one trace after some of them took longer: parents wait for children that they waited for before, and what
 * came after a delayed child comes later. Order of the input.
 */
export function delaySpans(trace: readonly PlainSpan[], delayOf: DelayOf): PlainSpan[] {
  const children = groupByParent(trace);
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const moved = new Map<PlainSpan, PlainSpan>();
  for (const span of trace) if (!ids.has(span.parentId)) move(span, 0);
  return trace.map((span) => moved.get(span) ?? span);

  /** Moves a span and all below it by `shiftMs`; returns by how much longer it takes. */
  function move(span: PlainSpan, shiftMs: number): number {
    const ended: { readonly endNs: bigint; readonly delayMs: number }[] = [];
    const delayBefore = (ns: bigint) =>
      ended.filter(({ endNs }) => endNs <= ns).reduce((a, b) => (b.endNs >= a.endNs ? b : a), NOTHING_ENDED).delayMs;
    for (const child of children.get(span.spanId) ?? []) {
      const before = delayBefore(child.startNs);
      ended.push({ endNs: child.endNs, delayMs: before + move(child, shiftMs + before) });
    }
    const longerMs = delayOf(span) + delayBefore(span.endNs);
    moved.set(span, {
      ...span,
      startNs: span.startNs + toNanoseconds(shiftMs),
      endNs: span.endNs + toNanoseconds(shiftMs + longerMs),
    });
    return longerMs;
  }
}

/** Children by the id of their parent, by start ascending. */
export function groupByParent(trace: readonly PlainSpan[]): Map<string, PlainSpan[]> {
  const children = new Map<string, PlainSpan[]>();
  for (const span of [...trace].sort((a, b) => Number(a.startNs - b.startNs)))
    children.set(span.parentId, [...(children.get(span.parentId) ?? []), span]);
  return children;
}

function toNanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}
