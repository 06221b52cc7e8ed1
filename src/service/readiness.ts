import type { Health } from '../component.js';
import type { Parts } from '../composition.js';

/** How long a component may take to say how it is. */
const CHECK_MS = 1_900;

/** One entry a component; each answers within 2 s. */
export async function readinessOf({ eventStore, lookUps, projector, otlpServer }: Pick<Parts, 'eventStore' | 'lookUps' | 'projector' | 'otlpServer'>): Promise<Record<string, Health>> {
  const [log, readModels, projections, ingestion] = await Promise.all([
    inTime(eventStore.check()),
    inTime(lookUps.api.ping().then(() => ({ ok: true }) as const)),
    inTime(projector.api.check()),
    inTime(otlpServer.check()),
  ]);
  return { log, readModels, projections, ingestion };
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
