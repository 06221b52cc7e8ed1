import type { Logger } from '../log.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import type { LiveFeed } from '../streams/live/live-feed.js';
import type { EngineSettings } from './engine-settings.js';
import { addressed } from './nats-address.js';

/** The hints of this process, and with NATS those of all processes of the cluster. One a process; threads have an `InProcessFeed` each. */
export async function openFeed({ natsUrl: url, clusterName }: Pick<EngineSettings, 'natsUrl' | 'clusterName'>, name: string, log: Logger): Promise<LiveFeed> {
  const local = new InProcessFeed();
  if (url === undefined) return local;
  const { NatsFeed } = await import('../streams/live/nats/nats-feed.js');
  const { NatsLink } = await import('../streams/live/nats/nats-link.js');
  const link = addressed(() => new NatsLink(url, name, log));
  const feed = new NatsFeed(link, local, clusterName, log);
  const close = feed.close.bind(feed);
  return Object.assign(feed, { close: () => close().then(() => Promise.all([link.close(), local.close()])).then(() => undefined) });
}
