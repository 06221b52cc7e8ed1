import { type EngineSettings, isLogEmbedded } from './engines/engine-settings.js';
import { SILENT_LOGGER } from '../self-telemetry/logger.js';
import type { ShardOwnership } from '../projections/sharding/lease-observer.js';
import { describeOtherOwners, describeOwners } from '../operations/shard-owner-descriptions.js';
import type { Operations } from '../operations/operations-port.js';
import { HindsightError } from '../errors.js';

/** The first connection of a link is made in the background. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Who keeps the read models of the installation, as told by its leases; undefined without NATS. Rejects with `unavailable` where NATS does not tell. */
export async function findShardOwners({
  natsUrl,
  clusterName,
  natsReplicas,
  projectorShares: count,
}: EngineSettings): Promise<ShardOwnership | undefined> {
  if (natsUrl === undefined) return undefined;
  const { SharedNatsConnection } = await import('../streams/live/nats/shared-nats-connection.js');
  const { createClusterRegister } = await import('../projections/sharding/adapters/nats/nats-shared-register.js');
  const { observeShardOwnership } = await import('../projections/sharding/lease-observer.js');
  const link = new SharedNatsConnection(natsUrl, 'hindsight operator', SILENT_LOGGER);
  try {
    await link.waitUntilConnected(CONNECT_TIMEOUT_MS);
    return (
      (await observeShardOwnership(createClusterRegister(link, { clusterName, natsReplicas }))) ?? {
        count,
        keepers: [],
        free: [],
      }
    );
  } finally {
    await link.close();
  }
}

/** The same for a process that holds some shares, in a sentence about the rest; undefined where it has all, or nobody knows. */
export async function describeShardsElsewhere(
  held: readonly number[],
  settings: EngineSettings,
): Promise<string | undefined> {
  if (held.length === settings.projectorShares) return undefined;
  const found = await findShardOwners(settings).catch(() => undefined); // NATS is away: leases lapse, and `doctor` tells
  return found && describeOtherOwners(found, held);
}

const RUN_ON_OWNER = 'run it where one of them runs, with its DATA_DIR';

/** An embedded log belongs to one process, which therefore keeps everything. */
const START_SERVICE_FIRST = 'start the service of this data folder, then run it again';

/** What only those can do who keep the read models: refused with code `unavailable`, which names them where leases tell. */
export function refuseOwnerOnlyOperations(
  settings: EngineSettings,
): Pick<Operations, 'projections' | 'replay' | 'verify' | 'retryParked'> {
  const refuse = async (): Promise<never> => {
    const keepers = await findShardOwners(settings).catch(() => undefined); // without NATS nobody is known by name
    throw new HindsightError(
      'unavailable',
      `${describeOwners(keepers)}\n  → ${isLogEmbedded(settings) ? START_SERVICE_FIRST : RUN_ON_OWNER}`,
    );
  };
  return { projections: refuse, replay: refuse, verify: refuse, retryParked: refuse };
}
