import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { withGridQuota } from '../commands/grids/grid-quota.js';
import { createVisibilityWaiter } from './command-visibility.js';
import type { ServiceParts } from './service-parts.js';
import { createApp, createPagesApp } from '../http/app.js';
import type { RateCounter } from '../http/limits/rate-limiter.js';
import { refuseTokenMemberChanges, withTokenMembers } from '../http/api/token-memberships.js';
import { loadPortalFiles } from '../http/portal/portal-files.js';
import type { ApiPorts } from '../http/api-call.js';
import { withNearbyChanges } from '../queries/incidents/incident-details.js';
import { withObjectiveCharts } from '../queries/charts/objective-charts.js';
import { withQueryCharts } from '../queries/charts/query-charts.js';
import type { Logger } from '../self-telemetry/logger.js';
import { tracePort } from '../self-telemetry/port-tracing.js';
import type { Tracer } from '../self-telemetry/tracer.js';
import { resolveTokenIssuer } from './identity-provider.js';
import { checkReadiness } from './readiness.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config/settings.js';

/**
 * Builds the request listener of the API port: the API, or health and metrics pages only without the role `api`.
 * `otlpPort` is the port of OTLP over HTTP; absent: another process ingests. `rateCounter` rateCounter calls together with
 * other processes; absent: this process rateCounter alone.
 */
export function composeApi(
  parts: ServiceParts,
  log: Logger,
  otlpPort: number | undefined,
  rateCounter: RateCounter | undefined,
): RequestListener {
  const {
    settings,
    access,
    verifyBearer,
    metrics,
    developmentIdentity,
    credentialGuard,
    clientResolver,
    selfTelemetry,
  } = parts;
  const pages = {
    publicUrl: settings.publicUrl,
    checks: () => checkReadiness(parts),
    metrics:
      settings.metricsPort === undefined || settings.metricsPort === settings.httpPort
        ? () => metrics.toPrometheusText()
        : undefined,
    log,
    clients: clientResolver,
  };
  if (!settings.roles.has('api')) return createPagesApp(pages);
  const tracer = selfTelemetry?.tracer;
  return createApp({
    ...pages,
    ports: tracer === undefined ? composeApiPorts(parts) : traceApiPorts(composeApiPorts(parts), tracer),
    access,
    verifyBearer,
    rateLimits: {
      userPerMinute: settings.rateLimitUserPerMinute,
      gridPerMinute: settings.rateLimitGridPerMinute,
      counts: rateCounter,
    },
    guard: credentialGuard,
    tracer,
    signIn: resolveTokenIssuer(settings, developmentIdentity),
    otlpUrl: otlpPort === undefined ? undefined : withPort(settings.publicUrl, otlpPort),
    identityProvider: developmentIdentity?.handler,
    sessions: parts.portalSessions,
    linkAcknowledgements: parts.linkAcknowledgements,
    signInMeters: metrics,
    portal: loadPortalFiles(PORTAL_FOLDER),
  });
}

/** The same origin with another port. */
function withPort(publicUrl: string, port: number): string {
  const url = new URL(publicUrl);
  url.port = String(port);
  return url.origin;
}

/** Adds a span below that of the request to each query that can be slow. */
function traceApiPorts(ports: ApiPorts, tracer: Tracer): ApiPorts {
  return {
    ...ports,
    telemetry: tracePort(ports.telemetry, 'telemetry', tracer),
    diagnostics: tracePort(ports.diagnostics, 'diagnostics', tracer),
    recordRules: tracePort(ports.recordRules, 'recordRules', tracer),
    charts: tracePort(ports.charts, 'charts', tracer),
  };
}

function composeApiPorts({
  reader,
  diagnostics,
  accessThread,
  progress,
  renderer,
  live,
  assistant,
  ...parts
}: ServiceParts): ApiPorts {
  return {
    telemetry: reader.api,
    views: reader.api,
    diagnostics: diagnostics.api,
    recordRules: reader.api,
    charts: withQueryCharts(withObjectiveCharts(diagnostics.api, diagnostics.api), {
      telemetry: reader.api,
      newId: randomUUID,
    }),
    usage: accessThread.api,
    renderer,
    live,
    assistant,
    grids: withGridQuota(refuseTokenMemberChanges(parts.grids, parts.tokenMembers, parts.access), {
      creators: parts.settings.gridCreators,
      gridsPerUser: parts.settings.gridsPerUser,
      findCreatedGrids: (userId) => parts.administration.gridsCreatedBy(userId),
    }),
    administration: withTokenMembers(parts.administration, parts.tokenMembers),
    defaultRetentionDays: parts.settings.retentionDays,
    alertRules: { ...parts.alertRuleCommands, ...createVisibilityWaiter(progress, 'alerts', 'audit') },
    notificationCommands: {
      ...parts.notificationCommands,
      ...createVisibilityWaiter(progress, 'notifications', 'alerts', 'audit'),
    },
    notifications: accessThread.api,
    incidentCommands: {
      ...parts.incidentCommands,
      ...createVisibilityWaiter(progress, 'incidents', 'alerts', 'audit'),
    },
    incidents: withNearbyChanges(accessThread.api, diagnostics.api, Date.now),
    chartCommands: { ...parts.chartCommands, ...createVisibilityWaiter(progress, 'charts', 'audit') },
    slos: diagnostics.api,
    sloCommands: { ...parts.sloCommands, ...createVisibilityWaiter(progress, 'slos', 'audit') },
    errorGroupCommands: { ...parts.errorGroupCommands, ...createVisibilityWaiter(progress, 'error-groups', 'audit') },
    viewCommands: { ...parts.viewCommands, ...createVisibilityWaiter(progress, 'views', 'audit') },
    assistantCommands: { ...parts.assistantCommands, ...createVisibilityWaiter(progress, 'usage', 'audit') },
  };
}

/** Folder of the built portal, beside the compiled sources. */
const PORTAL_FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));

/** URL of the portal; undefined without the role `api` or without a built portal. */
export function findPortalUrl({ roles, publicUrl }: Pick<Settings, 'roles' | 'publicUrl'>): string | undefined {
  return roles.has('api') && existsSync(join(PORTAL_FOLDER, 'index.html')) ? `${publicUrl}/portal/` : undefined;
}
