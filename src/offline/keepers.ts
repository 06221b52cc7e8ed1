import type { EngineSettings } from '../engines/engine-settings.js';
import { SILENT } from '../log.js';
import type { SeatsTaken } from '../projections/leases/seats-taken.js';

/** The first connection of a link is made in the background. */
const CONNECTED_WITHIN_MS = 3_000;

/** Who keeps the read models of the installation, as told by its leases; undefined without NATS. Rejects with `unavailable` where NATS does not tell. */
export async function keepersOf({ natsUrl, clusterName, natsReplicas, projectorShares: count }: EngineSettings): Promise<SeatsTaken | undefined> {
  if (natsUrl === undefined) return undefined;
  const { NatsLink } = await import('../streams/live/nats/nats-link.js');
  const { clusterRegister } = await import('../projections/leases/adapters/nats/cluster-register.js');
  const { seatsTaken } = await import('../projections/leases/seats-taken.js');
  const link = new NatsLink(natsUrl, 'hindsight operator', SILENT);
  try {
    await link.whenConnected(CONNECTED_WITHIN_MS);
    return (await seatsTaken(clusterRegister(link, { clusterName, natsReplicas }))) ?? { count, keepers: [], free: [] };
  } finally {
    await link.close();
  }
}

/** Why something is not done here, and who could. */
export function toldOfKeepers(found: SeatsTaken | undefined): string {
  const why = 'the read models are kept in MongoDB by the processes with the role project';
  const living = found?.keepers.filter(({ isAlive }) => isAlive) ?? [];
  if (found === undefined) return why;
  if (living.length === 0) return `${why}, of which none is alive`;
  return `${why}: ${living.map(({ name, shares }) => `${name} (shares ${ranges(shares)})`).join(', ')}`;
}

/** Such as `0-3, 7`; `none` without any. */
export function ranges(shares: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const share of shares) {
    const last = runs.at(-1);
    if (last?.[1] === share - 1) last[1] = share;
    else runs.push([share, share]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ') || 'none';
}
