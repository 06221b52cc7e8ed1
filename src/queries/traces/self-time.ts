interface TimedSpan {
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * The time (ns) of a span in which none of its children runs. Children are cut to the span: what runs after it has ended takes
 * none of its time.
 * @param children the earliest first
 */
export function measureSelfTimeNs({ start, end }: TimedSpan, children: readonly TimedSpan[]): number {
  let self = 0n;
  let reached = start;
  for (const child of children) {
    if (child.start >= end) break;
    if (child.start > reached) self += child.start - reached;
    if (child.end > reached) reached = child.end;
  }
  if (end > reached) self += end - reached;
  return Number(self);
}
