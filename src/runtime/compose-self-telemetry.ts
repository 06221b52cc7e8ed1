import { hostname } from 'node:os';
import { readPackageVersion } from '../config/package-version.js';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import type { Projected } from '../projections/engine/projector.js';
import { OwnTelemetryFilter } from '../self-telemetry/own-telemetry-filter.js';
import type { Tracer } from '../self-telemetry/tracer.js';

/** How Hindsight watches itself. */
export interface SelfTelemetry {
  readonly tracer: Tracer;
  readonly own: OwnTelemetryFilter;
}

/** Undefined where it is switched off; no package of it is loaded then. */
export async function startSelfTelemetry(
  { selfOtlpEndpoint: endpoint, selfOtlpApiKey }: Settings,
  metrics: PrometheusMetrics,
  log: Logger,
): Promise<SelfTelemetry | undefined> {
  if (endpoint === undefined || selfOtlpApiKey === undefined) return undefined;
  const { createOpenTelemetryTracer } =
    await import('../self-telemetry/adapters/opentelemetry/opentelemetry-tracer.js');
  const apiKey = selfOtlpApiKey.reveal();
  const tracer = createOpenTelemetryTracer({
    endpoint,
    apiKey,
    version: readPackageVersion(),
    instanceId: `${hostname()}:${process.pid}`,
    log,
    metrics: () => metrics.snapshot(),
  });
  // hs_<keyId>_<secret>, as the setting was read.
  return { tracer, own: new OwnTelemetryFilter(apiKey.split('_')[1] ?? '') };
}

/** Told of each commit of the projector; has a span for those in which others' telemetry became visible. */
export function createCommitTracer(observation: SelfTelemetry | undefined): (commit: Projected) => void {
  if (observation === undefined) return () => undefined;
  const { tracer, own } = observation;
  return ({ group, position, records, busyMs, lagMs = 0 }) => {
    if (group !== 'telemetry') return;
    const total = Object.values(records).reduce((sum, count) => sum + count, 0);
    if (own.countOthers(position, total) > 0)
      tracer.recordCompleted('commit telemetry', busyMs, { records: total, 'lag.ms': Math.round(lagMs) });
  };
}
