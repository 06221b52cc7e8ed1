import type { RequestListener } from 'node:http';
import { showingIn, type Parts } from '../composition.js';
import { createApp, createPagesApp } from '../http/app.js';
import type { CallCounts } from '../http/call-counts.js';
import { readPortal } from '../http/portal/portal-files.js';
import type { ApiPorts } from '../http/route.js';
import type { Logger } from '../log.js';
import { tracedPort } from '../tracing/traced-port.js';
import type { Tracer } from '../tracing/tracer.js';
import { PORTAL_FOLDER } from './portal.js';
import { signInPlace } from './sign-in-place.js';
import { readinessOf } from './readiness.js';

/**
 * Everything that is served on the port of the API. `otlpPort` is where telemetry goes over HTTP; absent: to another process.
 * `counts` is where calls are counted with other processes; absent: here.
 */
export function apiOf(parts: Parts, log: Logger, otlpPort: number | undefined, counts: CallCounts | undefined): RequestListener {
  const { settings, access, verifyBearer, metrics, developmentIdentity, guard, clients, selfObservation } = parts;
  const pages = {
    publicUrl: settings.publicUrl,
    checks: () => readinessOf(parts),
    metrics: settings.metricsPort === undefined || settings.metricsPort === settings.httpPort ? () => metrics.text() : undefined,
    log,
    clients,
  };
  if (!settings.roles.has('api')) return createPagesApp(pages);
  const tracer = selfObservation?.tracer;
  return createApp({
    ...pages,
    ports: tracer === undefined ? portsOf(parts) : tracedPorts(portsOf(parts), tracer),
    access,
    verifyBearer,
    rateLimits: { userPerMinute: settings.rateLimitUserPerMinute, gridPerMinute: settings.rateLimitGridPerMinute, counts },
    guard,
    tracer,
    signIn: signInPlace(settings, developmentIdentity),
    otlpUrl: otlpPort === undefined ? undefined : beside(settings.publicUrl, otlpPort),
    identityProvider: developmentIdentity?.handler,
    sessions: parts.portalSessions,
    signInMeters: metrics,
    portal: readPortal(PORTAL_FOLDER),
  });
}

/** The address of another port of the same host. */
function beside(publicUrl: string, port: number): string {
  const url = new URL(publicUrl);
  url.port = String(port);
  return url.origin;
}

/** The questions that may take long: each a span below that of its request. */
function tracedPorts(ports: ApiPorts, tracer: Tracer): ApiPorts {
  return {
    ...ports,
    telemetry: tracedPort(ports.telemetry, 'telemetry', tracer),
    diagnostics: tracedPort(ports.diagnostics, 'diagnostics', tracer),
    charts: tracedPort(ports.charts, 'charts', tracer),
  };
}

function portsOf({ reader, diagnostics, lookUps, standings, renderer, live, assistant, ...parts }: Parts): ApiPorts {
  return {
    telemetry: reader.api,
    diagnostics: diagnostics.api,
    charts: diagnostics.api,
    usage: lookUps.api,
    renderer,
    live,
    assistant,
    grids: parts.grids,
    administration: parts.administration,
    defaultRetentionDays: parts.settings.retentionDays,
    alertRules: { ...parts.alertRuleCommands, ...showingIn(standings, 'alerts', 'audit') },
    chartCommands: { ...parts.chartCommands, ...showingIn(standings, 'charts', 'audit') },
    assistantCommands: { ...parts.assistantCommands, ...showingIn(standings, 'usage', 'audit') },
  };
}
