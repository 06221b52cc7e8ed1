import type { Cluster } from '../../test/support/cluster/cluster.js';
import { sleepSeconds, logLine } from '../fault-schedule.js';
import type { DemoService } from '../hindsight-service.js';

/** Time (s) within which spans sent after a fault must be found. */
const VISIBILITY_LIMIT_S = 20;
const POLL_INTERVAL_S = 0.2;
const SHOP_SERVICES = ['frontend', 'cart', 'checkout', 'payment', 'inventory', 'shipping'];

/** At least one process of each role; the others must take over. */
const KILLED_PROCESSES = ['ingest-1', 'project-1', 'project-2', 'api-1'];

/**
 * Kills processes one after the other, and checks each time that new spans of the whole shop are found. Resolves to
 * whether they always were.
 */
export async function checkFailover(cluster: Cluster, service: DemoService, signal: AbortSignal): Promise<boolean> {
  if (!(await waitForAllServices(service, 'the shop is open', signal))) return false;
  for (const name of KILLED_PROCESSES) {
    await cluster.kill(name);
    const succeeded = await waitForAllServices(service, `${name} is dead`, signal);
    await cluster.restart(name);
    logLine(`${name} runs again`);
    if (!succeeded) return false;
  }
  return waitForAllServices(service, 'all run again', signal);
}

/** Resolves to whether new spans of every service are found in time. */
async function waitForAllServices(service: DemoService, when: string, signal: AbortSignal): Promise<boolean> {
  const startMs = Date.now();
  let missing: readonly string[] = SHOP_SERVICES;
  for (let elapsed = 0; elapsed < VISIBILITY_LIMIT_S * 1_000 && !signal.aborted; elapsed = Date.now() - startMs) {
    missing = await findMissingServices(service, startMs).catch(() => SHOP_SERVICES);
    if (missing.length === 0) {
      logLine(
        `${when}: new spans of all ${SHOP_SERVICES.length} services found ${(elapsed / 1_000).toFixed(1)} s later`,
      );
      return true;
    }
    await sleepSeconds(POLL_INTERVAL_S, signal);
  }
  logLine(`${when}: FAILED, no new spans of ${missing.join(', ')} within ${VISIBILITY_LIMIT_S} s`);
  return false;
}

async function findMissingServices(service: DemoService, sinceMs: number): Promise<readonly string[]> {
  const range = { rangeStart: new Date(sinceMs).toISOString(), rangeEnd: new Date(Date.now() + 60_000).toISOString() };
  const counts = await Promise.all(
    SHOP_SERVICES.map(async (serviceName) => (await searchTraces(service, { ...range, serviceName })).totalCount),
  );
  return SHOP_SERVICES.filter((_, at) => counts[at] === 0);
}

async function searchTraces({ apiUrl, gridId, apiKey }: DemoService, filter: object): Promise<{ totalCount: number }> {
  const headers = { 'api-key': apiKey, 'x-api-version': '2.0', 'content-type': 'application/json' };
  const response = await fetch(`${apiUrl}/apm/traces/${gridId}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...filter, pageSize: 1 }),
  });
  if (response.status !== 200) throw new Error(`The search responded with status ${response.status}`);
  return (await response.json()) as { totalCount: number };
}
