import type { Health } from '../component.js';
import type { ServiceParts } from './service-parts.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { hasCode } from '../errors.js';

/** Part of STORE_TIMEOUT that a component has to report its health. */
const CHECK_PART = 0.95;

/** Health of each component that the roles of this process need, by name. Resolves within STORE_TIMEOUT. */
export async function checkReadiness({
  settings,
  feed,
  eventStore,
  logScrub,
  accessThread,
  accessLog,
  projector,
  otlpServer,
  retentionClock,
}: Pick<
  ServiceParts,
  | 'settings'
  | 'feed'
  | 'eventStore'
  | 'logScrub'
  | 'accessThread'
  | 'accessLog'
  | 'projector'
  | 'otlpServer'
  | 'retentionClock'
>): Promise<Record<string, Health>> {
  const { roles, natsUrl } = settings;
  const timeoutMs = CHECK_PART * settings.storeTimeoutMs;
  const checks: Record<string, Promise<Health>> = {
    log: eventStore.check().then((health) => addFinding(health, logScrub?.finding)),
    readModels: checkReadModels(accessThread, roles, timeoutMs),
    ...((roles.has('ingest') || roles.has('api')) && { access: Promise.resolve(accessLog.check()) }),
    ...(roles.has('project') && { projections: projector.api.check() }),
    ...((roles.has('project') || roles.has('ingest')) && { retention: retentionClock.check() }),
    ...(roles.has('ingest') && { ingestion: otlpServer.check() }),
    ...(natsUrl !== undefined && { hints: feed.check() }),
  };
  return Object.fromEntries(
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await toTimelyHealth(check, timeoutMs)] as const),
    ),
  );
}

/** A component that works and of which something is known is degraded. */
function addFinding(health: Health, finding: string | undefined): Health {
  return health.ok && finding !== undefined ? { ok: true, degraded: finding } : health;
}

/**
 * A process that only ingests needs no read models: without them it is ready, but the data that it receives is not
 * visible.
 */
async function checkReadModels(
  { api }: ServiceParts['accessThread'],
  roles: ServiceParts['settings']['roles'],
  timeoutMs: number,
): Promise<Health> {
  const needsReadModels = roles.has('project') || roles.has('api');
  const health = await toTimelyHealth(
    api.ping().then(() => ({ ok: true }) as const),
    timeoutMs,
  );
  if (health.ok || needsReadModels) return health;
  return { ok: true, degraded: `telemetry is stored, but not visible yet: ${health.reason}` };
}

/** Reports a component as unhealthy when its check rejects or takes too long. */
function toTimelyHealth(check: Promise<Health>, timeoutMs: number): Promise<Health> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, reason: `no response within ${timeoutMs} ms` }), timeoutMs);
    const settle = (health: Health) => {
      clearTimeout(timer);
      resolve(health);
    };
    check.then(settle, (error: unknown) => settle({ ok: false, reason: (error as Error).message }));
  });
}

/** Exports the health of the components, and the cluster name where several processes share the read models. */
export function registerHealthMetrics(parts: ServiceParts): void {
  const { metrics, settings } = parts;
  metrics.registerHealth(() => checkReadiness(parts));
  if (!areReadModelsEmbedded(settings)) metrics.registerCluster(settings.clusterName);
}

/**
 * Rejects when the read models were created with another number of shards than PROJECTOR_SHARES: reads would go to the
 * wrong shard and find nothing. An unreachable read store is only logged; `/ready` reports it.
 */
export async function assertShardCountMatches({
  settings,
  accessThread,
  log,
}: Pick<ServiceParts, 'settings' | 'accessThread' | 'log'>): Promise<void> {
  if (areReadModelsEmbedded(settings)) return;
  try {
    await accessThread.api.ping();
  } catch (error) {
    if (!hasCode(error, 'unavailable')) throw error;
    log.warn('Read store is not reachable yet', { error });
  }
}
