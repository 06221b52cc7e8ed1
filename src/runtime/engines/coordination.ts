import type { Logger } from '../../self-telemetry/logger.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import type { LiveFeed } from '../../streams/live/live-feed.js';
import type { EngineSettings } from './engine-settings.js';
import { hostname } from 'node:os';
import type { ShardLeases } from '../../projections/sharding/shard-leases.js';
import { SettingsError } from '../../config/settings.js';

/** The hints of this process, and with NATS those of all processes of the cluster. One a process; threads have an `InProcessFeed` each. */
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

/** Who keeps which shares of the Grids: with NATS all processes of the cluster, divided among them; without, this process has all. Closing them lets the others know. */
export async function openLeases(settings: LeaseSettings, log: Logger): Promise<ShardLeases> {
  const { natsUrl: url, projectorShares: shares } = settings;
  const name = `${hostname()}:${process.pid}`;
  if (url === undefined) {
    const { SingleProcessLeases } = await import('../../projections/sharding/single-process-leases.js');
    return new SingleProcessLeases(shares, Date.now(), name);
  }
  const { SharedNatsConnection } = await import('../../streams/live/nats/shared-nats-connection.js');
  const { createClusterRegister } = await import('../../projections/sharding/adapters/nats/nats-shared-register.js');
  const { ClusterLeases } = await import('../../projections/sharding/cluster-leases.js');
  const link = wrapNatsUrlError(() => new SharedNatsConnection(url, `hindsight leases ${name}`, log));
  // Connects from now on, until it is closed: the first beat of who joins should find a connection.
  link.connections.subscribe();
  const leases = new ClusterLeases(createClusterRegister(link, settings), { name, shares }, log);
  const close = leases.close.bind(leases);
  return Object.assign(leases, { close: () => close().finally(() => link.close()) });
}

/** What `open` makes; an address that it does not take is the setting's fault. */
export function wrapNatsUrlError<Link>(open: () => Link): Link {
  try {
    return open();
  } catch (cause) {
    throw new SettingsError('NATS_URL', `cannot be used: ${(cause as Error).message}`, { cause });
  }
}
