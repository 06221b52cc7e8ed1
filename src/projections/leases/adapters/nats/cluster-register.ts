import type { NatsLink } from '../../../../streams/live/nats/nats-link.js';
import { KvRegister } from './kv-register.js';

/** What the leases of an installation are kept under; each has a bucket of its own. */
export interface ClusterOptions {
  readonly clusterName: string;
  /** Servers that keep the bucket; counts when it is made. */
  readonly natsReplicas: number;
}

/** The register in which the members of a cluster share its Grids out. Its owner closes the link. */
export function clusterRegister(link: NatsLink, { clusterName, natsReplicas: replicas }: ClusterOptions): KvRegister {
  return new KvRegister(link, { bucket: `hindsight-${clusterName}`, key: 'shares', replicas });
}
