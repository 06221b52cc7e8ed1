import type { Cluster } from '../../test/support/cluster/cluster.js';
import { pause, say } from '../schedule.js';
import type { Service } from '../service.js';

/** How soon a service of the shop shows with spans of after the fault. */
const LIMIT_S = 20;
const POLL_S = 0.2;
const SHOP = ['frontend', 'cart', 'checkout', 'payment', 'inventory', 'shipping'];

/** One of each role: what is left has to do. */
const VICTIMS = ['ingest-1', 'project-1', 'project-2', 'api-1'];

/** Kills processes in turn and looks each time whether new spans of the whole shop are found without them. Answers whether they all were. */
export async function checkCluster(cluster: Cluster, front: Service, signal: AbortSignal): Promise<boolean> {
  if (!(await showsTheShop(front, 'the shop is open', signal))) return false;
  for (const name of VICTIMS) {
    await cluster.kill(name);
    const isFound = await showsTheShop(front, `${name} is dead`, signal);
    await cluster.restart(name);
    say(`${name} runs again`);
    if (!isFound) return false;
  }
  return showsTheShop(front, 'all run again', signal);
}

/** Whether spans that begin from now on are found of every service, soon enough. */
async function showsTheShop(front: Service, when: string, signal: AbortSignal): Promise<boolean> {
  const began = Date.now();
  let missing: readonly string[] = SHOP;
  for (let elapsed = 0; elapsed < LIMIT_S * 1_000 && !signal.aborted; elapsed = Date.now() - began) {
    missing = await missingSince(front, began).catch(() => SHOP);
    if (missing.length === 0) {
      say(`${when}: new spans of all ${SHOP.length} services found ${(elapsed / 1_000).toFixed(1)} s later`);
      return true;
    }
    await pause(POLL_S, signal);
  }
  say(`${when}: FAILED, no new spans of ${missing.join(', ')} within ${LIMIT_S} s`);
  return false;
}

async function missingSince(front: Service, sinceMs: number): Promise<readonly string[]> {
  const range = { rangeStart: new Date(sinceMs).toISOString(), rangeEnd: new Date(Date.now() + 60_000).toISOString() };
  const counts = await Promise.all(SHOP.map(async (serviceName) => (await tracesOf(front, { ...range, serviceName })).totalCount));
  return SHOP.filter((_, at) => counts[at] === 0);
}

async function tracesOf({ apiUrl, gridId, apiKey }: Service, filter: object): Promise<{ totalCount: number }> {
  const headers = { 'api-key': apiKey, 'x-api-version': '2.0', 'content-type': 'application/json' };
  const response = await fetch(`${apiUrl}/apm/traces/${gridId}`, { method: 'POST', headers, body: JSON.stringify({ ...filter, pageSize: 1 }) });
  if (response.status !== 200) throw new Error(`the search answers ${response.status}`);
  return (await response.json()) as { totalCount: number };
}
