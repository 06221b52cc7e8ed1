import { randomUUID } from 'node:crypto';
import { SILENT } from '../../../../src/log.js';
import { InProcessFeed } from '../../../../src/streams/live/in-process.js';
import { NatsFeed } from '../../../../src/streams/live/nats/nats-feed.js';
import { NatsLink } from '../../../../src/streams/live/nats/nats-link.js';

/** What one process of a cluster has: its own link, its own feed within the process. */
export interface Member {
  readonly feed: NatsFeed;
  readonly local: InProcessFeed;
  readonly link: NatsLink;
  close(): Promise<void>;
}

/** `name`: of the feed within the process, by which its threads know it. */
export function member(url: string, cluster = 'test', name = `test-${randomUUID()}`): Member {
  const link = new NatsLink(url, 'test', SILENT);
  const local = new InProcessFeed(name);
  const feed = new NatsFeed(link, local, cluster, SILENT);
  const close = async (): Promise<void> => {
    await feed.close();
    await local.close();
    await link.close();
  };
  return { feed, local, link, close };
}
