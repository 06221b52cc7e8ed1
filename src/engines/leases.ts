import { hostname } from 'node:os';
import type { Logger } from '../log.js';
import type { Leases } from '../projections/leases/leases.js';
import type { EngineSettings } from './engine-settings.js';
import { addressed } from './nats-address.js';

type LeaseSettings = Pick<EngineSettings, 'natsUrl' | 'clusterName' | 'natsReplicas' | 'projectorShares'>;

/** Who keeps which shares of the Grids: with NATS all processes of the cluster, divided among them; without, this process has all. Closing them lets the others know. */
export async function openLeases(settings: LeaseSettings, log: Logger): Promise<Leases> {
  const { natsUrl: url, projectorShares: shares } = settings;
  const name = `${hostname()}:${process.pid}`;
  if (url === undefined) {
    const { SoleHolder } = await import('../projections/leases/sole-holder.js');
    return new SoleHolder(shares, Date.now(), name);
  }
  const { NatsLink } = await import('../streams/live/nats/nats-link.js');
  const { clusterRegister } = await import('../projections/leases/adapters/nats/cluster-register.js');
  const { LeaseKeeper } = await import('../projections/leases/lease-keeper.js');
  const link = addressed(() => new NatsLink(url, `hindsight leases ${name}`, log));
  // Connects from now on, until it is closed: the first beat of who joins should find a connection.
  link.connections.subscribe();
  const leases = new LeaseKeeper(clusterRegister(link, settings), { name, shares }, log);
  const close = leases.close.bind(leases);
  return Object.assign(leases, { close: () => close().finally(() => link.close()) });
}
