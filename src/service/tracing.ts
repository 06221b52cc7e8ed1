import { hostname } from 'node:os';
import { version } from '../cli/version.js';
import type { Settings } from '../config.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Projected } from '../projections/projector.js';
import { OwnTelemetry } from '../tracing/own-telemetry.js';
import type { Tracer } from '../tracing/tracer.js';

/** How Hindsight watches itself. */
export interface SelfObservation {
  readonly tracer: Tracer;
  readonly own: OwnTelemetry;
}

/** Undefined where it is switched off; no package of it is loaded then. */
export async function observeSelf({ selfOtlpEndpoint: endpoint, selfOtlpApiKey }: Settings, metrics: Metrics, log: Logger): Promise<SelfObservation | undefined> {
  if (endpoint === undefined || selfOtlpApiKey === undefined) return undefined;
  const { createOpenTelemetryTracer } = await import('../tracing/adapters/opentelemetry/opentelemetry-tracer.js');
  const apiKey = selfOtlpApiKey.reveal();
  const tracer = createOpenTelemetryTracer({ endpoint, apiKey, version: version(), instanceId: `${hostname()}:${process.pid}`, log, metrics: () => metrics.snapshot() });
  // hs_<keyId>_<secret>, as the setting was read.
  return { tracer, own: new OwnTelemetry(apiKey.split('_')[1] ?? '') };
}

/** Told of each commit of the projector; has a span for those in which others' telemetry became visible. */
export function commitsOf(observation: SelfObservation | undefined): (commit: Projected) => void {
  if (observation === undefined) return () => undefined;
  const { tracer, own } = observation;
  return ({ group, position, records, busyMs, lagMs = 0 }) => {
    if (group !== 'telemetry') return;
    const total = Object.values(records).reduce((sum, count) => sum + count, 0);
    if (own.othersIn(position, total) > 0) tracer.done('commit telemetry', busyMs, { records: total, 'lag.ms': Math.round(lagMs) });
  };
}
