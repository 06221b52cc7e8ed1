import assert from 'node:assert/strict';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { decompress } from '../../../../src/telemetry/compression/decompress.js';
import { startServer, type TestServer } from './support/otlp-server.js';
import {
  EXPORTED,
  exportAll,
  exported,
  LOST,
  record,
  sdkExporters,
  type Recorded,
  type SdkProtocol,
} from './support/sdk.js';

const PROTOCOLS: readonly SdkProtocol[] = ['grpc', 'http/protobuf', 'http/json'];

describe('the exporters of the OpenTelemetry SDK', () => {
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 100 });
  let running: TestServer;
  let recorded: Recorded;

  before(async () => (recorded = await record()));
  beforeEach(async () => (running = await startServer({ validator })));
  afterEach(() => running.server.close());
  after(() => validator.close());

  for (const protocol of PROTOCOLS) {
    for (const gzip of [false, true]) {
      for (const port of ['http', 'grpc'] as const) {
        it(`deliver over ${protocol}, ${gzip ? 'gzip' : 'uncompressed'}, to the ${port} port`, async () => {
          assert.equal(await exportAll(sdkExporters(protocol, running.ports[port], gzip), recorded), true);
          const counts = Object.fromEntries(
            (await running.store.received()).map(({ data }) => [data.signal, data.accepted]),
          );
          assert.deepEqual(counts, { traces: 2, logs: 1, metrics: 2 });
          for (const { data, body } of await running.store.received()) {
            const inflated = decompress(body!, data.encoding, 1_000_000);
            assert.ok(inflated.ok && inflated.bytes.byteLength === data.inflatedBytes);
            assert.ok(Buffer.from(inflated.bytes).includes('checkout'), 'the resource is in the stored protobuf');
          }
        });
      }
    }
  }

  for (const [reason, pace, fail] of [
    ['429', { admit: false, retryAfterMs: 900 } as const, false],
    ['503', undefined, true],
  ] as const) {
    it(`try again after ${reason} and the time that it names`, async () => {
      const { load, store, meters, ports } = running;
      if (pace !== undefined) load.decision = pace;
      if (fail)
        store.before = () => {
          throw new Error('away');
        };
      const exporter = sdkExporters('http/protobuf', ports.http, true).traces;
      const start = performance.now();
      const result = exported((done) => exporter.export(recorded.spans, done));
      while (meters.refusals.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      load.decision = { admit: true, delayAckMs: 0 };
      store.before = () => undefined;
      assert.equal((await result).code, EXPORTED);
      assert.ok(performance.now() - start >= 990, 'not before Retry-After: 1');
      assert.equal((await store.received()).length, 1);
      await exporter.shutdown();
    });
  }

  it('do not try again what can never be taken', async () => {
    const { access, meters, ports } = running;
    access.keys.clear();
    for (const protocol of PROTOCOLS) {
      const exporter = sdkExporters(protocol, ports.http, false).traces;
      const { code } = await exported((done) => exporter.export(recorded.spans, done));
      assert.equal(code, LOST, protocol);
      await exporter.shutdown();
    }
    assert.equal(meters.refusals.length, PROTOCOLS.length, 'one request each');
  });

  it('take a partial success for final', async () => {
    const { access, store, meters, ports } = running;
    access.grids.set('grid', { gridId: 'grid', subscriptionActive: true, retentionDays: 1 });
    const old = recorded.spans.map((span) =>
      Object.assign(Object.create(span) as typeof span, { startTime: [1_000_000, 0], endTime: [1_000_000, 0] }),
    );
    for (const protocol of PROTOCOLS) {
      const exporter = sdkExporters(protocol, ports.grpc, true).traces;
      const { code } = await exported((done) => exporter.export([recorded.spans[0], old[1]], done));
      assert.equal(code, EXPORTED, protocol);
      await exporter.shutdown();
    }
    assert.equal(meters.rejected > 0, true);
    assert.ok(
      (await store.received()).every(
        ({ data }) => data.accepted === 1 && data.rejected.length === 1 && data.rejected[0] === 1,
      ),
    );
  });
});
