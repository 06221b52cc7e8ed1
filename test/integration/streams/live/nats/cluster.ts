import { randomUUID } from 'node:crypto';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { NatsFeed } from '../../../../../src/streams/live/nats/nats-feed.js';
import { SharedNatsConnection } from '../../../../../src/streams/live/nats/shared-nats-connection.js';

/** What one process of a cluster has: its own link, its own feed within the process. */
export interface Member {
  readonly feed: NatsFeed;
  readonly local: InProcessFeed;
  readonly link: SharedNatsConnection;
  close(): Promise<void>;
}

/** `name`: of the feed within the process, by which its threads know it. */
export function member(url: string, cluster = 'test', name = `test-${randomUUID()}`): Member {
  const link = new SharedNatsConnection(url, 'test', SILENT_LOGGER);
  const local = new InProcessFeed(name);
  const feed = new NatsFeed(link, local, cluster, SILENT_LOGGER);
  const close = async (): Promise<void> => {
    await feed.close();
    await local.close();
    await link.close();
  };
  return { feed, local, link, close };
}
