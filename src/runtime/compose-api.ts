import type { RequestListener } from 'node:http';
import { createVisibilityWaiter, type ServiceParts } from './composition.js';
import { createApp, createPagesApp } from '../http/app.js';
import type { RateCounter } from '../http/limits/rate-counter.js';
import { loadPortalFiles } from '../http/portal/portal-files.js';
import type { ApiPorts } from '../http/route.js';
import type { Logger } from '../self-telemetry/logger.js';
import { tracePort } from '../self-telemetry/port-tracing.js';
import type { Tracer } from '../self-telemetry/tracer.js';
import { resolveSignInPlace } from './compose-identity.js';
import { checkReadiness } from './readiness.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config/settings.js';

/**
 * Everything that is served on the port of the API. `otlpPort` is where telemetry goes over HTTP; absent: to another process.
 * `counts` is where calls are counted with other processes; absent: here.
 */
export function composeApi(
  parts: ServiceParts,
  log: Logger,
  otlpPort: number | undefined,
  counts: RateCounter | undefined,
): RequestListener {
  const { settings, access, verifyBearer, metrics, developmentIdentity, guard, clients, selfObservation } = parts;
  const pages = {
    publicUrl: settings.publicUrl,
    checks: () => checkReadiness(parts),
    metrics:
      settings.metricsPort === undefined || settings.metricsPort === settings.httpPort
        ? () => metrics.toPrometheusText()
        : undefined,
    log,
    clients,
  };
  if (!settings.roles.has('api')) return createPagesApp(pages);
  const tracer = selfObservation?.tracer;
  return createApp({
    ...pages,
    ports: tracer === undefined ? composeApiPorts(parts) : traceApiPorts(composeApiPorts(parts), tracer),
    access,
    verifyBearer,
    rateLimits: {
      userPerMinute: settings.rateLimitUserPerMinute,
      gridPerMinute: settings.rateLimitGridPerMinute,
      counts,
    },
    guard,
    tracer,
    signIn: resolveSignInPlace(settings, developmentIdentity),
    otlpUrl: otlpPort === undefined ? undefined : withPort(settings.publicUrl, otlpPort),
    identityProvider: developmentIdentity?.handler,
    sessions: parts.portalSessions,
    signInMeters: metrics,
    portal: loadPortalFiles(PORTAL_FOLDER),
  });
}

/** The address of another port of the same host. */
function withPort(publicUrl: string, port: number): string {
  const url = new URL(publicUrl);
  url.port = String(port);
  return url.origin;
}

/** The questions that may take long: each a span below that of its request. */
function traceApiPorts(ports: ApiPorts, tracer: Tracer): ApiPorts {
  return {
    ...ports,
    telemetry: tracePort(ports.telemetry, 'telemetry', tracer),
    diagnostics: tracePort(ports.diagnostics, 'diagnostics', tracer),
    charts: tracePort(ports.charts, 'charts', tracer),
  };
}

function composeApiPorts({
  reader,
  diagnostics,
  lookUps,
  standings,
  renderer,
  live,
  assistant,
  ...parts
}: ServiceParts): ApiPorts {
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
    alertRules: { ...parts.alertRuleCommands, ...createVisibilityWaiter(standings, 'alerts', 'audit') },
    chartCommands: { ...parts.chartCommands, ...createVisibilityWaiter(standings, 'charts', 'audit') },
    assistantCommands: { ...parts.assistantCommands, ...createVisibilityWaiter(standings, 'usage', 'audit') },
  };
}

/** Beside the compiled sources, where the build puts it. */
const PORTAL_FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));

/** Where the portal is found; undefined where this process serves none. */
export function findPortalUrl({ roles, publicUrl }: Pick<Settings, 'roles' | 'publicUrl'>): string | undefined {
  return roles.has('api') && existsSync(join(PORTAL_FOLDER, 'index.html')) ? `${publicUrl}/portal/` : undefined;
}
