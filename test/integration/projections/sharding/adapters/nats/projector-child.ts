import { hostname } from 'node:os';
import { NatsSharedRegister } from '../../../../../../src/projections/sharding/adapters/nats/nats-shared-register.js';
import { ClusterLeases } from '../../../../../../src/projections/sharding/cluster-leases.js';
import { SILENT_LOGGER } from '../../../../../../src/self-telemetry/logger.js';
import { SharedNatsConnection } from '../../../../../../src/streams/live/nats/shared-nats-connection.js';

/** A process that does nothing but hold leases; tells its parent what it holds, and leaves in order when it is told to. */
const link = new SharedNatsConnection(process.argv[2], 'projector', SILENT_LOGGER);
const leases = new ClusterLeases(
  new NatsSharedRegister(link, { bucket: 'hindsight-test', key: 'projectors', replicas: 1 }),
  { name: `${hostname()}:${process.pid}`, shardCount: 256 },
  SILENT_LOGGER,
);

leases.held.subscribe((held) => process.send?.([...held]));
leases.join();
process.once('message', () => {
  void leases
    .close()
    .then(() => link.close())
    .then(() => process.disconnect());
});
