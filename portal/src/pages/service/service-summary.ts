interface Endpoint {
  readonly operation: string;
  readonly p95LatencyMs: number;
  readonly requestCount: number;
}

/** The endpoint with the highest p95; undefined without requests. */
export function findSlowestEndpoint<Each extends Endpoint>(endpoints: readonly Each[]): Each | undefined {
  return sortSlowestFirst(endpoints).find(({ requestCount }) => requestCount > 0);
}

export function sortSlowestFirst<Each extends Endpoint>(endpoints: readonly Each[]): readonly Each[] {
  return [...endpoints].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs || b.requestCount - a.requestCount);
}

interface VersionObservation {
  readonly version: string;
  readonly instance: string;
  readonly at: number;
}

export interface ObservedVersion {
  /** "" if the service does not report one. */
  readonly version: string;
  readonly instances: readonly string[];
  /** Last observation, in ms since 1970. */
  readonly lastAt: number;
}

/** Versions with their instances, most recently observed first. */
export function groupByVersion(observations: readonly VersionObservation[]): readonly ObservedVersion[] {
  const byVersion = new Map<string, VersionObservation[]>();
  for (const one of observations) byVersion.set(one.version, [...(byVersion.get(one.version) ?? []), one]);
  return [...byVersion]
    .map(([version, all]): ObservedVersion => ({
      version,
      instances: [...new Set(all.map(({ instance }) => instance))].filter((instance) => instance !== '').sort(),
      lastAt: Math.max(...all.map(({ at }) => at)),
    }))
    .sort((a, b) => b.lastAt - a.lastAt);
}
