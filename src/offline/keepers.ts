import type { EngineSettings } from '../engines/engine-settings.js';
import { SILENT } from '../log.js';
import type { SeatsTaken } from '../projections/leases/seats-taken.js';
import { toldOfOthers } from './told-of-keepers.js';

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

/** The same for a process that holds some shares, in a sentence about the rest; undefined where it has all, or nobody knows. */
export async function othersThan(held: readonly number[], settings: EngineSettings): Promise<string | undefined> {
  if (held.length === settings.projectorShares) return undefined;
  const found = await keepersOf(settings).catch(() => undefined); // NATS is away: leases lapse, and `doctor` tells
  return found && toldOfOthers(found, held);
}
