import assert from 'node:assert/strict';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import type { EventStoreDbEventStore } from '../../../../src/streams/adapters/eventstoredb/eventstoredb-event-store.js';
import { telemetryStream } from '../../../../src/streams/stream-names.js';
import { logsOf, protobufOf } from '../../../support/otlp-requests.js';
import { waitUntil } from '../../../support/wait-until.js';
import { ProjectedLog } from '../../projections/engine/support/projected.js';
import { Scene } from '../../../integration/streams/adapters/eventstoredb/scene.js';
import { encode } from './support/encodings.js';
import { GRID } from './support/fake-access.js';
import { InlineValidator } from './support/fakes.js';
import { post } from './support/http-client.js';
import { compressedFrame, Http2Client, LOGS_METHOD } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';

const NOON = Date.UTC(2026, 10, 20, 12);

/** A request of two log records that are equal: both count, and both once. */
function request(body: string): Uint8Array {
  const record = { time: BigInt(NOON) * 1_000_000n, body };
  return protobufOf('logs', logsOf('shop', record, record));
}

/** Sends the request to a process; resolves with whether it was taken. */
type Send = (to: TestServer, body: Uint8Array) => Promise<boolean>;

const SENDS: Readonly<Record<string, Send>> = {
  HTTP: async ({ ports }, body) => (await post(ports.http, { path: '/v1/logs', body })).status === 200,
  'HTTP, gzip': async ({ ports }, body) =>
    (await post(ports.http, { path: '/v1/logs', body: encode(body, 'gzip'), headers: { 'content-encoding': 'gzip' } }))
      .status === 200,
  gRPC: ({ ports }, body) => call(ports.grpc, body, {}),
  'gRPC, zstd': ({ ports }, body) =>
    call(ports.grpc, body, { 'grpc-encoding': 'zstd' }, compressedFrame(encode(body, 'zstd'))),
};

async function call(
  port: number,
  body: Uint8Array,
  headers: Record<string, string>,
  frame?: Uint8Array,
): Promise<boolean> {
  const client = new Http2Client(port);
  try {
    return (await client.call(body, { ':path': LOGS_METHOD, ...headers }, frame)).code === 0;
  } finally {
    client.close();
  }
}

describe('requests at several ingest processes over one EventStoreDB', () => {
  let scene: Scene;
  let stores: EventStoreDbEventStore[];
  let processes: TestServer[];
  let log: ProjectedLog;

  beforeEach(async () => {
    scene = await Scene.open({ clock: () => NOON });
    stores = [scene.store(), scene.store()];
    processes = await Promise.all(stores.map(open));
    const storage = {
      events: scene.store(),
      store: new MemoryReadModelStore(),
      scratch: () => new MemoryReadModelStore(),
      remove: () => Promise.resolve(),
    };
    log = new ProjectedLog(undefined, {}, { name: 'EventStoreDB', open: () => storage });
  });
  afterEach(async () => {
    await log.remove();
    await Promise.all(processes.map(({ server }) => server.close()));
    await scene.close();
  });

  function open(store: EventStoreDbEventStore): Promise<TestServer> {
    return startServer({ store, validator: new InlineValidator(), now: () => NOON });
  }

  async function counted(): Promise<number> {
    await log.settle();
    return (await log.logs(GRID)).length;
  }

  it('count once, sent to all at once and again, over every transport', async () => {
    const sends = Object.values(SENDS);
    for (let n = 0; n < 5; n++) {
      const body = request(`request ${n}`);
      const taken = await Promise.all(processes.flatMap((to) => sends.map((send) => send(to, body))));
      for (const send of sends) for (const to of processes) taken.push(await send(to, body));
      assert.ok(
        taken.every((each) => each),
        'a repetition is a success to who sends it',
      );
    }
    assert.equal(await counted(), 10);
    const written = await stores[0].readStream(telemetryStream(GRID));
    assert.equal(
      written.length,
      10,
      'each process wrote each request once: the journal of the one projector dropped the second',
    );
  });

  it('count once where one process has them written and cannot say so, and the sender goes to the other', async () => {
    processes.push(await open(scene.store({ storeTimeoutMs: 500 })));
    const [, other, hasty] = processes;
    await waitUntil(() => SENDS['HTTP'](hasty, request('before')), 'the first one writes');
    scene.server.faults.always('append', { kind: 'apply-then-hang' });
    scene.server.faults.always('read', { kind: 'hang' });
    assert.equal(await SENDS['HTTP'](hasty, request('paid')), false);
    scene.server.faults.always('append', undefined);
    scene.server.faults.always('read', undefined);
    assert.equal(await SENDS['gRPC'](other, request('paid')), true);
    await waitUntil(() => SENDS['HTTP'](hasty, request('paid')), 'the first one writes again');
    const bodies = (await stores[1].readStream(telemetryStream(GRID))).length;
    assert.ok(bodies >= 3, 'it landed when nobody could say so, and again');
    assert.equal(await counted(), 4);
  });

  it('count once where the first process died, and the projector too, before the second was asked', async () => {
    assert.equal(await SENDS['HTTP'](processes[0], request('paid')), true);
    assert.equal(await counted(), 2);
    await processes[0].server.close();
    await stores[0].close();
    await log.stop();
    assert.equal(await SENDS['gRPC'](processes[1], request('paid')), true);
    assert.equal(await SENDS['gRPC'](processes[1], request('paid again')), true);
    assert.equal(await counted(), 4);
  });
});
