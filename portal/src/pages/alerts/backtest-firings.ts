/** A firing in the result of a backtest. */
export interface BacktestFiring {
  readonly serviceName: string;
  readonly firedAt: string;
  readonly resolvedAt: string | null;
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Firing intervals by service, longest total first, cut to the range. Firings that have not ended last to the end of the range. */
export function groupFiringsByService(
  firings: readonly BacktestFiring[],
  range: TimeRange,
): { readonly serviceName: string; readonly intervals: readonly TimeRange[] }[] {
  const byService = new Map<string, TimeRange[]>();
  for (const { serviceName, firedAt, resolvedAt } of firings) {
    const interval = {
      from: Math.max(range.from, Date.parse(firedAt)),
      to: resolvedAt === null ? range.to : Math.min(range.to, Date.parse(resolvedAt)),
    };
    byService.set(serviceName, [...(byService.get(serviceName) ?? []), interval]);
  }
  const totalDuration = (intervals: readonly TimeRange[]): number =>
    intervals.reduce((sum, { from, to }) => sum + to - from, 0);
  return [...byService]
    .map(([serviceName, intervals]) => ({ serviceName, intervals }))
    .sort(
      (a, b) => totalDuration(b.intervals) - totalDuration(a.intervals) || a.serviceName.localeCompare(b.serviceName),
    );
}

/** Intervals of a service in which the rule would have fired, and those of recorded alerts that it would have missed. */
export interface ServiceLane {
  readonly serviceName: string;
  readonly fired: readonly TimeRange[];
  readonly missed: readonly TimeRange[];
}

/** Lanes of services: first those that would have fired, then those with missed alerts only. */
export function buildServiceLanes(
  firings: readonly BacktestFiring[],
  missed: readonly BacktestFiring[],
  range: TimeRange,
): ServiceLane[] {
  const missedByService = new Map(
    groupFiringsByService(missed, range).map(({ serviceName, intervals }) => [serviceName, intervals]),
  );
  const fired = groupFiringsByService(firings, range).map(({ serviceName, intervals }) => ({
    serviceName,
    fired: intervals,
    missed: missedByService.get(serviceName) ?? [],
  }));
  const known = new Set(fired.map(({ serviceName }) => serviceName));
  return [
    ...fired,
    ...[...missedByService]
      .filter(([serviceName]) => !known.has(serviceName))
      .map(([serviceName, intervals]) => ({ serviceName, fired: [], missed: intervals })),
  ];
}

const WEEK_MS = 604_800_000;

/** Says how often the rule would have fired. */
export function describeFirings(count: number, perWeek: number, { from, to }: TimeRange): string {
  if (count === 0) return 'The rule would not have fired in this time range.';
  const times = count === 1 ? 'once' : `${count} times`;
  const weekly = Math.round(perWeek * 10) / 10;
  return to - from >= WEEK_MS * 0.99
    ? `The rule would have fired ${times}.`
    : `The rule would have fired ${times} (${weekly} times per week at this rate).`;
}
