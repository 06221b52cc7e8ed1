interface Endpoint {
  readonly operation: string;
  readonly p95LatencyMs: number;
  readonly requestCount: number;
}

/** The operation with the highest p95; undefined where nothing was asked. */
export function slowestP95<Each extends Endpoint>(endpoints: readonly Each[]): Each | undefined {
  return slowestFirst(endpoints).find(({ requestCount }) => requestCount > 0);
}

export function slowestFirst<Each extends Endpoint>(endpoints: readonly Each[]): readonly Each[] {
  return [...endpoints].sort((a, b) => b.p95LatencyMs - a.p95LatencyMs || b.requestCount - a.requestCount);
}

interface Seen {
  readonly version: string;
  readonly instance: string;
  readonly at: number;
}

export interface VersionSeen {
  /** "" where the service does not tell. */
  readonly version: string;
  readonly instances: readonly string[];
  /** When last, in ms since 1970. */
  readonly lastAt: number;
}

/** Versions with the instances that ran them, the one seen last first. */
export function versionsSeen(seen: readonly Seen[]): readonly VersionSeen[] {
  const byVersion = new Map<string, Seen[]>();
  for (const one of seen) byVersion.set(one.version, [...(byVersion.get(one.version) ?? []), one]);
  return [...byVersion]
    .map(([version, all]): VersionSeen => ({
      version,
      instances: [...new Set(all.map(({ instance }) => instance))].filter((instance) => instance !== '').sort(),
      lastAt: Math.max(...all.map(({ at }) => at)),
    }))
    .sort((a, b) => b.lastAt - a.lastAt);
}
