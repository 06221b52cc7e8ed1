import type { RequestListener } from 'node:http';
import { showingIn, type Parts } from '../composition.js';
import { createApp } from '../http/app.js';
import type { ApiPorts } from '../http/route.js';
import type { Logger } from '../log.js';
import { readinessOf } from './readiness.js';

/** Everything that is served on the port of the API. */
export function apiOf(parts: Parts, log: Logger): RequestListener {
  const { settings, access, verifyBearer, metrics, developmentIdentity } = parts;
  return createApp({
    publicUrl: settings.publicUrl,
    ports: portsOf(parts),
    access,
    verifyBearer,
    rateLimits: { userPerMinute: settings.rateLimitUserPerMinute, gridPerMinute: settings.rateLimitGridPerMinute },
    log,
    checks: () => readinessOf(parts),
    metrics: settings.metricsPort === undefined || settings.metricsPort === settings.httpPort ? () => metrics.text() : undefined,
    identityProvider: developmentIdentity?.handler,
  });
}

function portsOf({ reader, diagnostics, lookUps, projector, renderer, live, assistant, ...parts }: Parts): ApiPorts {
  return {
    telemetry: reader.api,
    diagnostics: diagnostics.api,
    charts: diagnostics.api,
    usage: lookUps.api,
    renderer,
    live,
    assistant,
    alertRules: { ...parts.alertRuleCommands, ...showingIn(projector, 'alerts') },
    chartCommands: { ...parts.chartCommands, ...showingIn(projector, 'charts') },
    assistantCommands: { ...parts.assistantCommands, ...showingIn(projector, 'usage') },
  };
}
