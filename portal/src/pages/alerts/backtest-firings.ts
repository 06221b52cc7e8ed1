/** A firing as the backtest answers it. */
export interface BacktestFiring {
  readonly serviceName: string;
  readonly firedAt: string;
  readonly resolvedAt: string | null;
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** When each service would have fired, those that fired longest first. What has not ended lasts to the end of the range. */
export function groupFiringsByService(
  firings: readonly BacktestFiring[],
  range: TimeRange,
): { readonly serviceName: string; readonly stretches: readonly TimeRange[] }[] {
  const byService = new Map<string, TimeRange[]>();
  for (const { serviceName, firedAt, resolvedAt } of firings) {
    const stretch = {
      from: Math.max(range.from, Date.parse(firedAt)),
      to: resolvedAt === null ? range.to : Math.min(range.to, Date.parse(resolvedAt)),
    };
    byService.set(serviceName, [...(byService.get(serviceName) ?? []), stretch]);
  }
  const lasting = (stretches: readonly TimeRange[]): number =>
    stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  return [...byService]
    .map(([serviceName, stretches]) => ({ serviceName, stretches }))
    .sort((a, b) => lasting(b.stretches) - lasting(a.stretches) || a.serviceName.localeCompare(b.serviceName));
}

/** What there is to see of a service: when the rule would have fired, and the alerts that it would have missed. */
export interface ServiceLane {
  readonly serviceName: string;
  readonly fired: readonly TimeRange[];
  readonly missed: readonly TimeRange[];
}

/** Those that fired first, then those of which something was only missed. */
export function buildServiceLanes(
  firings: readonly BacktestFiring[],
  missed: readonly BacktestFiring[],
  range: TimeRange,
): ServiceLane[] {
  const lost = new Map(
    groupFiringsByService(missed, range).map(({ serviceName, stretches }) => [serviceName, stretches]),
  );
  const fired = groupFiringsByService(firings, range).map(({ serviceName, stretches }) => ({
    serviceName,
    fired: stretches,
    missed: lost.get(serviceName) ?? [],
  }));
  const known = new Set(fired.map(({ serviceName }) => serviceName));
  return [
    ...fired,
    ...[...lost]
      .filter(([serviceName]) => !known.has(serviceName))
      .map(([serviceName, stretches]) => ({ serviceName, fired: [], missed: stretches })),
  ];
}

/** The chart that draws what a rule watches, and which of its lines; undefined where no chart of services does. */
export function findMetricChart(metric: string): { readonly chart: string; readonly line?: string } | undefined {
  const percentile = /^latency_(p\d+)$/.exec(metric)?.[1];
  if (percentile !== undefined) return { chart: 'latency', line: percentile };
  return ['error_rate', 'request_rate', 'apdex'].includes(metric) ? { chart: metric } : undefined;
}

const WEEK_MS = 604_800_000;

/** In words, how often the rule would have fired. */
export function describeFirings(count: number, perWeek: number, { from, to }: TimeRange): string {
  if (count === 0) return 'It would not have fired in this time.';
  const times = count === 1 ? 'once' : `${count} times`;
  const weekly = Math.round(perWeek * 10) / 10;
  return to - from >= WEEK_MS * 0.99
    ? `It would have fired ${times}.`
    : `It would have fired ${times}: ${weekly} a week, if all time were like this.`;
}
