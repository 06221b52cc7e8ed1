import type { Health } from '../component.js';
import type { Parts } from '../composition.js';

/** How long a component may take to say how it is. */
const CHECK_MS = 1_900;

/** One entry for each component that the roles of the process need; each answers within 2 s. */
export async function readinessOf({ settings, feed, eventStore, lookUps, projector, otlpServer }: Pick<Parts, 'settings' | 'feed' | 'eventStore' | 'lookUps' | 'projector' | 'otlpServer'>): Promise<Record<string, Health>> {
  const { roles, natsUrl } = settings;
  const checks: Record<string, Promise<Health>> = {
    log: eventStore.check(),
    readModels: lookUps.api.ping().then(() => ({ ok: true }) as const),
    ...(roles.has('project') && { projections: projector.api.check() }),
    ...(roles.has('ingest') && { ingestion: otlpServer.check() }),
    ...(natsUrl !== undefined && { hints: feed.check() }),
  };
  return Object.fromEntries(await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await inTime(check)] as const)));
}

/** What a component that fails or keeps silent amounts to. */
function inTime(check: Promise<Health>): Promise<Health> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, reason: `no answer within ${CHECK_MS} ms` }), CHECK_MS);
    const settle = (health: Health) => {
      clearTimeout(timer);
      resolve(health);
    };
    check.then(settle, (error: unknown) => settle({ ok: false, reason: (error as Error).message }));
  });
}
