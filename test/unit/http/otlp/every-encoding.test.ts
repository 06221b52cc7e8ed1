import assert from 'node:assert/strict';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { ENCODINGS_UNDER_TEST, sendOver, TRANSPORTS } from './support/transports.js';
import { decompress } from '../../../../src/telemetry/compression/decompress.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';
import { encode } from './support/encodings.js';
import { Http2Client } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';

const generator = createTelemetryGenerator(7, { startNs: BigInt(Date.now()) * 1_000_000n - 60_000_000_000n });

describe('every encoding over every transport', () => {
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 1_000 });
  let running: TestServer;

  beforeEach(async () => (running = await startServer({ validator })));
  afterEach(() => running.server.close());
  after(() => validator.close());

  for (const transport of TRANSPORTS) {
    for (const encoding of ENCODINGS_UNDER_TEST) {
      for (const port of ['http', 'grpc'] as const) {
        it(`${transport}, ${encoding}, ${port} port`, async () => {
          const spans = generator.traces(64);
          await sendOver(transport, running.ports[port], spans, encoding);
          const [event] = await running.store.received();
          assert.equal(event.data.accepted, 64);
          assert.equal(
            event.data.encoding,
            encoding === 'identity' ? 'gzip' : encoding,
            'what came compressed is kept as it came',
          );
          if (encoding !== 'identity') assert.deepEqual(Buffer.from(event.body!), Buffer.from(encode(spans, encoding)));
          const inflated = decompress(event.body!, event.data.encoding, 10_000_000);
          assert.ok(inflated.ok);
          assert.deepEqual(Buffer.from(inflated.bytes), spans);
        });
      }
    }
  }

  it('the same request counts once, however it comes and however often, also at the same time', async () => {
    const spans = generator.traces(64);
    const sends = TRANSPORTS.flatMap((transport) =>
      ENCODINGS_UNDER_TEST.map((encoding) => () => sendOver(transport, running.ports.http, spans, encoding)),
    );
    await Promise.all(sends.map((send) => send()));
    for (const send of sends) await send();
    assert.equal((await running.store.received()).length, 1);
    assert.deepEqual([running.meters.records.traces, running.meters.repeated], [64, 2 * sends.length - 1]);
  });

  it('the same bytes as another signal, or of another Grid, are another request', async () => {
    running.access.keys.set('hs_other_key', {
      keyId: 'other',
      gridId: 'other',
      kind: 'send',
      issuedBy: 'owner',
    });
    running.access.grids.set('other', { gridId: 'other', subscriptionActive: true, retentionDays: 0 });
    const client = new Http2Client(running.ports.grpc);
    const spans = generator.traces(8);
    assert.equal((await client.call(spans)).code, 0);
    assert.equal((await client.call(spans, { 'api-key': 'hs_other_key' })).code, 0);
    assert.equal((await running.store.received()).length, 2);
    client.close();
  });
});
