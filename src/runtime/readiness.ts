import type { Health } from '../component.js';
import type { ServiceParts } from './composition.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { hasCode } from '../errors.js';

/** How long a component may take to say how it is. */
const CHECK_TIMEOUT_MS = 1_900;

/** One entry for each component that the roles of the process need; each answers within 2 s. */
export async function checkReadiness({
  settings,
  feed,
  eventStore,
  lookUps,
  projector,
  otlpServer,
}: Pick<ServiceParts, 'settings' | 'feed' | 'eventStore' | 'lookUps' | 'projector' | 'otlpServer'>): Promise<
  Record<string, Health>
> {
  const { roles, natsUrl } = settings;
  const checks: Record<string, Promise<Health>> = {
    log: eventStore.check(),
    readModels: lookUps.api.ping().then(() => ({ ok: true }) as const),
    ...(roles.has('project') && { projections: projector.api.check() }),
    ...(roles.has('ingest') && { ingestion: otlpServer.check() }),
    ...(natsUrl !== undefined && { hints: feed.check() }),
  };
  return Object.fromEntries(
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await toTimelyHealth(check)] as const),
    ),
  );
}

/** What a component that fails or keeps silent amounts to. */
function toTimelyHealth(check: Promise<Health>): Promise<Health> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ ok: false, reason: `no answer within ${CHECK_TIMEOUT_MS} ms` }),
      CHECK_TIMEOUT_MS,
    );
    const settle = (health: Health) => {
      clearTimeout(timer);
      resolve(health);
    };
    check.then(settle, (error: unknown) => settle({ ok: false, reason: (error as Error).message }));
  });
}

/** Tells Prometheus how the components are, and of which cluster the process is where others belong to it. */
export function registerHealthMetrics(parts: ServiceParts): void {
  const { metrics, settings } = parts;
  metrics.registerHealth(() => checkReadiness(parts));
  if (!areReadModelsEmbedded(settings)) metrics.registerCluster(settings.clusterName);
}

/**
 * Rejects where the read models were made for another number of shares than this process is set to: it would answer of Grids as if they were
 * empty. A store that is away now says so later, by `/ready`.
 */
export async function assertShardCountMatches({
  settings,
  lookUps,
  log,
}: Pick<ServiceParts, 'settings' | 'lookUps' | 'log'>): Promise<void> {
  if (areReadModelsEmbedded(settings)) return;
  try {
    await lookUps.api.ping();
  } catch (error) {
    if (!hasCode(error, 'unavailable')) throw error;
    log.warn('the read store does not answer yet', { error });
  }
}
