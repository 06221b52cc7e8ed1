import { hostname } from 'node:os';
import { readPackageVersion } from '../config/package-version.js';
import type { Settings } from '../config/settings.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { PrometheusMetrics } from '../self-telemetry/prometheus-metrics.js';
import type { CommitReport } from '../projections/engine/projector-types.js';
import { OwnTelemetryFilter } from '../self-telemetry/own-telemetry-filter.js';
import type { Tracer } from '../self-telemetry/tracer.js';

/** Traces and metrics that Hindsight exports about itself. */
export interface SelfTelemetry {
  readonly tracer: Tracer;
  readonly own: OwnTelemetryFilter;
}

/** Undefined without SELF_OTLP_ENDPOINT and its API key; the OpenTelemetry packages are then not loaded. */
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
    metrics: () => metrics.readSnapshot(),
  });
  // Format hs_<keyId>_<secret>, validated when the setting was read.
  return { tracer, own: new OwnTelemetryFilter(apiKey.split('_')[1] ?? '') };
}

/**
 * Returns a listener for projector commits. It records a span for commits that contain telemetry other than our own:
 * tracing the commits of own telemetry would produce telemetry without end.
 */
export function createCommitTracer({ tracer, own }: SelfTelemetry): (commit: CommitReport) => void {
  return ({ group, position, records, busyMs, lagMs = 0 }) => {
    if (group !== 'telemetry') return;
    const total = Object.values(records).reduce((sum, count) => sum + count, 0);
    if (own.countOthers(position, total) > 0)
      tracer.recordCompleted('commit telemetry', busyMs, { records: total, 'lag.ms': Math.round(lagMs) });
  };
}
