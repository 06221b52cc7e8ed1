import { type EngineSettings, isLogEmbedded } from './engines/engine-settings.js';
import { SILENT_LOGGER } from '../self-telemetry/logger.js';
import type { ShardOwnership } from '../projections/sharding/lease-observer.js';
import { describeOtherOwners, describeOwners } from '../operations/shard-owner-descriptions.js';
import type { Operations } from '../operations/operations-port.js';
import { HindsightError } from '../errors.js';

/** Time (ms) to wait for the NATS connection. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The owners of all shards according to their leases; undefined without NATS. Rejects with `unavailable` when NATS is
 * not reachable.
 */
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
  const connection = new SharedNatsConnection(natsUrl, 'hindsight operator', SILENT_LOGGER);
  try {
    await connection.waitUntilConnected(CONNECT_TIMEOUT_MS);
    return (
      (await observeShardOwnership(createClusterRegister(connection, { clusterName, natsReplicas }))) ?? {
        count,
        owners: [],
        free: [],
      }
    );
  } finally {
    await connection.close();
  }
}

/**
 * Describes the owners of the shards that this process does not own. Undefined when it owns all, or when the leases
 * cannot be read.
 */
export async function describeShardsElsewhere(
  ownedShards: readonly number[],
  settings: EngineSettings,
): Promise<string | undefined> {
  if (ownedShards.length === settings.projectorShares) return undefined;
  const ownership = await findShardOwners(settings).catch(() => undefined); // `doctor` reports an unreachable NATS
  return ownership && describeOtherOwners(ownership, ownedShards);
}

const RUN_ON_OWNER = 'run the command where one of them runs, with its DATA_DIR';

/** An embedded event log has one process, which owns all shards. */
const START_SERVICE_FIRST = 'start the service of this data folder, then run the command again';

/**
 * Operations that only the owners of the read models can run: reject with `unavailable`, naming the owners if the
 * leases can be read.
 */
export function refuseOwnerOnlyOperations(
  settings: EngineSettings,
): Pick<Operations, 'projections' | 'replay' | 'verify' | 'retryDeadLetters'> {
  const refuse = async (): Promise<never> => {
    const ownership = await findShardOwners(settings).catch(() => undefined); // the message then names no owner
    throw new HindsightError(
      'unavailable',
      `${describeOwners(ownership)}\n  → ${isLogEmbedded(settings) ? START_SERVICE_FIRST : RUN_ON_OWNER}`,
    );
  };
  return { projections: refuse, replay: refuse, verify: refuse, retryDeadLetters: refuse };
}
