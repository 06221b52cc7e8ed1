import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import { EventStoreDbEventStore } from '../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { openEventStore } from '../../src/streams/adapters/sqlite/sqlite-event-store.js';
import type { EventStore } from '../../src/streams/event-store.js';
import { InProcessFeed } from '../../src/streams/live/in-process-feed.js';
import { EventStoreDbServerDouble } from '../../test/support/eventstoredb-server/server.js';
import { MongoServer } from '../../test/support/mongodb-server/mongodb-server.js';
import { MeteringProxy, type TransferredBytes } from './metering-proxy.js';
import type { EngineAddresses } from './projector-process.js';

export interface StoredBytes {
  readonly log: number;
  readonly readModels: number;
}

/** Stores of a process while it is measured. */
export interface MeasuredEngines {
  readonly addresses: EngineAddresses;
  /** Connection for filling the log. */
  readonly log: EventStore;
  /** Bytes transferred so far; undefined without network. */
  transferred(): { readonly log: TransferredBytes; readonly readStore: TransferredBytes };
  stored(): Promise<StoredBytes>;
  close(): Promise<void>;
}

const NO_TRANSFER: TransferredBytes = { up: 0, down: 0 };

/**
 * The adapters of EventStoreDB and MongoDB over the test doubles: the CPU of the doubles does not count, their bytes
 * do.
 */
export async function startDistributedEngines(): Promise<MeasuredEngines> {
  const [logServer, readServer] = [await new EventStoreDbServerDouble().start(), await MongoServer.start()];
  const [logWire, readWire] = [
    await MeteringProxy.listenFor(logServer.port),
    await MeteringProxy.listenFor(Number(/:(\d+)\//.exec(readServer.url)?.[1])),
  ];
  const log = new EventStoreDbEventStore({ url: logServer.url });
  return {
    // Direct connection: otherwise the driver would bypass the proxy and use the address that the member announces.
    addresses: {
      log: `esdb://127.0.0.1:${logWire.port}?tls=false`,
      readStore: `mongodb://127.0.0.1:${readWire.port}/hindsight-test?directConnection=true`,
    },
    log,
    transferred: () => ({ log: logWire.crossed, readStore: readWire.crossed }),
    stored: async () => ({ log: countLogBytes(logServer), readModels: countDocumentBytes(readServer) }),
    async close() {
      await log.close();
      for (const wire of [logWire, readWire]) wire.close();
      await Promise.all([logServer.stop(), readServer.stop()]);
    },
  };
}

export async function createEmbeddedEngines(): Promise<MeasuredEngines> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-footprint-'));
  const log = await openEventStore(folder, new InProcessFeed());
  const size = async (name: string): Promise<number> => (await stat(join(folder, name))).size;
  return {
    addresses: { folder },
    log,
    transferred: () => ({ log: NO_TRANSFER, readStore: NO_TRANSFER }),
    stored: async () => ({ log: await size('events.db'), readModels: await size('read-models.db') }),
    async close() {
      await log.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Data and metadata of all events; a server adds names, ids and its index. */
function countLogBytes({ log }: EventStoreDbServerDouble): number {
  return log.all.reduce((sum, { data, metadata }) => sum + data.byteLength + metadata.byteLength, 0);
}

/** Documents as BSON, chunks of blobs included; a server compresses them and adds its indexes. */
function countDocumentBytes(server: MongoServer): number {
  const collections = new Set(
    server.received.flatMap(({ insert, update }) => [insert, update]).filter((name) => typeof name === 'string'),
  );
  return [...collections]
    .flatMap((name) => server.documentsOf(name))
    .reduce((sum, document) => sum + BSON.calculateObjectSize(document), 0);
}
