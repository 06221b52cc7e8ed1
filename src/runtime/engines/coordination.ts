import type { Logger } from '../../self-telemetry/logger.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import type { EngineSettings } from './engine-settings.js';
import { hostname } from 'node:os';
import type { ShardLeases } from '../../projections/sharding/shard-leases.js';
import { SettingsError } from '../../config/settings.js';

/**
 * Opens the live feed: hints within this process, and with NATS also those of all processes of the cluster. One per
 * process; worker threads have an `InProcessFeed` each.
 */
export async function openLiveFeed(
  { natsUrl: url, clusterName }: Pick<EngineSettings, 'natsUrl' | 'clusterName'>,
  name: string,
  log: Logger,
): Promise<LiveFeed> {
  const local = new InProcessFeed();
  if (url === undefined) return local;
  const { NatsFeed } = await import('../../streams/live/nats/nats-feed.js');
  const { SharedNatsConnection } = await import('../../streams/live/nats/shared-nats-connection.js');
  const link = wrapNatsUrlError(() => new SharedNatsConnection(url, name, log));
  const feed = new NatsFeed(link, local, clusterName, log);
  const close = feed.close.bind(feed);
  return Object.assign(feed, {
    close: () =>
      close()
        .then(() => Promise.all([link.close(), local.close()]))
        .then(() => undefined),
  });
}

type LeaseSettings = Pick<EngineSettings, 'natsUrl' | 'clusterName' | 'natsReplicas' | 'projectorShares'>;

/**
 * Opens the shard leases: with NATS shared among all processes of the cluster, otherwise this process owns all shards.
 * Closing them releases the shards to the others.
 */
export async function openLeases(settings: LeaseSettings, log: Logger): Promise<ShardLeases> {
  const { natsUrl: url, projectorShares: shards } = settings;
  const name = `${hostname()}:${process.pid}`;
  if (url === undefined) {
    const { SingleProcessLeases } = await import('../../projections/sharding/single-process-leases.js');
    return new SingleProcessLeases(shards, Date.now(), name);
  }
  const { SharedNatsConnection } = await import('../../streams/live/nats/shared-nats-connection.js');
  const { createClusterRegister } = await import('../../projections/sharding/adapters/nats/nats-shared-register.js');
  const { ClusterLeases } = await import('../../projections/sharding/cluster-leases.js');
  const link = wrapNatsUrlError(() => new SharedNatsConnection(url, `hindsight leases ${name}`, log));
  // Connects now and stays connected: the first lease renewal should find a connection.
  link.connections.subscribe();
  const leases = new ClusterLeases(createClusterRegister(link, settings), { name, shardCount: shards }, log);
  const close = leases.close.bind(leases);
  return Object.assign(leases, { close: () => close().finally(() => link.close()) });
}

/** Turns a rejected address into a `SettingsError` for NATS_URL. */
export function wrapNatsUrlError<Link>(open: () => Link): Link {
  try {
    return open();
  } catch (cause) {
    throw new SettingsError('NATS_URL', `is not usable: ${(cause as Error).message}`, { cause });
  }
}
