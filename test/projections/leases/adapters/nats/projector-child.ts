import { hostname } from 'node:os';
import { KvRegister } from '../../../../../src/projections/leases/adapters/nats/kv-register.js';
import { LeaseKeeper } from '../../../../../src/projections/leases/lease-keeper.js';
import { SILENT } from '../../../../../src/log.js';
import { NatsLink } from '../../../../../src/streams/live/nats/nats-link.js';

/** A process that does nothing but hold leases; tells its parent what it holds, and leaves in order when it is told to. */
const link = new NatsLink(process.argv[2], 'projector', SILENT);
const leases = new LeaseKeeper(new KvRegister(link, { bucket: 'hindsight-test', key: 'projectors', replicas: 1 }), { name: `${hostname()}:${process.pid}`, shares: 256 }, SILENT);

leases.held.subscribe((held) => process.send?.([...held]));
leases.join();
process.once('message', () => {
  void leases
    .close()
    .then(() => link.close())
    .then(() => process.disconnect());
});
