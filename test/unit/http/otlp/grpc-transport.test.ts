import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http2';
import { API_KEY, GRID } from './support/fake-access.js';
import { compressedFrame, Http2Client, LOGS_METHOD, METRICS_METHOD, TRACES_METHOD } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';
import { retryInfo, statusBytes } from './support/rpc-status.js';

describe('OTLP/gRPC', () => {
  let running: TestServer;
  let client: Http2Client;

  beforeEach(async () => {
    running = await startServer({ limits: { requestBytes: 1_000_000 } });
    client = new Http2Client(running.ports.grpc);
  });
  afterEach(async () => {
    client.close();
    await running.server.close();
  });

  it('takes each service, with the media types of gRPC', async () => {
    for (const path of [TRACES_METHOD, LOGS_METHOD, METRICS_METHOD])
      assert.equal((await client.call(Buffer.of(1), { ':path': path })).code, 0);
    for (const type of ['application/grpc+proto', 'application/grpc; v=1', 'Application/GRPC']) {
      assert.equal((await client.call(Buffer.of(1), { 'content-type': type })).code, 0, type);
    }
    assert.deepEqual(running.meters.records, { traces: 1, logs: 1, metrics: 1 });
    assert.equal(running.meters.repeated, 3);
  });

  it('takes calls on the HTTP port too', async () => {
    const other = new Http2Client(running.ports.http);
    assert.equal((await other.call(Buffer.of(1))).code, 0);
    other.close();
  });

  it('keeps the message in the encoding in which it came, and announces the encodings it reads', async () => {
    for (const encoding of ['gzip', 'deflate', 'zstd']) {
      const message = Buffer.from(encoding);
      const reply = await client.call(message, { 'grpc-encoding': encoding }, compressedFrame(message));
      assert.equal(reply.code, 0);
      assert.equal(reply.headers['grpc-accept-encoding'], 'identity,deflate,gzip,zstd,snappy,lz4');
    }
    const plain = Buffer.from('not compressed, though gzip was announced');
    assert.equal((await client.call(plain, { 'grpc-encoding': 'gzip' })).code, 0);
    const stored = (await running.store.received()).map(({ body, data }) => [
      data.encoding,
      Buffer.from(body!).toString(),
    ]);
    assert.deepEqual(stored, [
      ['gzip', 'gzip'],
      ['deflate', 'deflate'],
      ['zstd', 'zstd'],
      ['identity', plain.toString()],
    ]);
  });

  it('answers a partial success with OK', async () => {
    const reply = await client.call(Buffer.of(1, 255));
    assert.equal(reply.code, 0);
    assert.deepEqual([...reply.response.subarray(2, 4)], [0x08, 1]);
  });

  it('takes an empty message as a request without records', async () => {
    assert.equal((await client.call(Buffer.alloc(0))).code, 0);
    assert.deepEqual(await running.store.received(), []);
  });

  it('answers a call that brings no body at all', async () => {
    const stream = client.session.request(
      { ':method': 'POST', ':path': TRACES_METHOD, 'api-key': API_KEY, 'content-type': 'application/grpc' },
      { endStream: true },
    );
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    assert.equal(headers['grpc-status'], '3');
  });

  it('calls what it does not know unimplemented', async () => {
    assert.equal(
      (
        await client.call(Buffer.of(1), {
          ':path': '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
        })
      ).code,
      12,
    );
    assert.equal((await client.call(Buffer.of(1), { ':path': '/constructor' })).code, 12);
    const unknown = await client.call(
      Buffer.of(1),
      { ':path': LOGS_METHOD, 'grpc-encoding': 'br' },
      compressedFrame(Buffer.of(1)),
    );
    assert.equal(unknown.code, 12);
    assert.equal(unknown.headers['grpc-accept-encoding'], 'identity,deflate,gzip,zstd,snappy,lz4');
    assert.deepEqual(running.meters.refusals, ['unsupported', 'unsupported', 'unsupported']);
    assert.deepEqual(running.meters.refusedSignals, ['unknown', 'unknown', 'logs']);
  });

  it('answers another media type in HTTP', async () => {
    for (const type of ['application/grpc-web', 'application/grpc+json']) {
      const reply = await client.request(
        { ':path': TRACES_METHOD, 'api-key': API_KEY, 'content-type': type },
        Buffer.of(1),
      );
      assert.equal(reply.headers[':status'], 404, type);
    }
  });

  it('refuses what is not exactly one message', async () => {
    const frames = [
      [],
      [0, 0, 0],
      [0, 0, 0, 0, 2, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [3, 0, 0, 0, 1, 1],
      [1, 0, 0, 0, 1, 1],
    ];
    for (const frame of frames)
      assert.equal((await client.call(Buffer.alloc(0), {}, Buffer.from(frame))).code, 3, frame.join());
  });

  it('refuses a message past the limit by its header, without RetryInfo, and continues serving the connection', async () => {
    const header = Buffer.of(0, 0x7f, 0xff, 0xff, 0xff);
    const reply = await client.call(Buffer.alloc(0), {}, Buffer.concat([header, Buffer.alloc(300_000)]));
    assert.equal(reply.code, 8);
    assert.deepEqual(reply.details, statusBytes(8, 'the body is larger than 1000000 bytes'));
    assert.equal((await client.call(new Uint8Array(1_000_000))).code, 0, 'the limit itself is taken');
    assert.equal((await client.call(new Uint8Array(1_000_001))).code, 8);
  });

  it('checks the key of each call, also on an open connection', async () => {
    assert.equal((await client.call(Buffer.of(1), { 'api-key': undefined })).code, 16);
    assert.equal((await client.call(Buffer.of(1), { 'api-key': [API_KEY, API_KEY] })).code, 16);
    assert.equal(
      (await client.call(Buffer.of(1), { 'api-key': undefined, authorization: `Bearer ${API_KEY}` })).code,
      16,
    );
    assert.equal((await client.call(Buffer.of(1))).code, 0);
    running.access.keys.clear();
    const revoked = await client.call(Buffer.of(2));
    assert.deepEqual(
      [revoked.code, revoked.message, revoked.trailersOnly],
      [16, 'the API key is unknown or was revoked', true],
    );
    assert.deepEqual(revoked.details, statusBytes(16, revoked.message));
  });

  it('refuses an inactive subscription for good', async () => {
    running.access.grids.set(GRID, { gridId: GRID, subscriptionActive: false, retentionDays: 7 });
    assert.equal((await client.call(Buffer.of(1))).code, 7);
  });

  it('names the precise time to wait under overload, and while the store is unavailable', async () => {
    running.load.decision = { admit: false, retryAfterMs: 2_100 };
    const busy = await client.call(Buffer.of(1));
    assert.deepEqual([busy.code, busy.details], [8, statusBytes(8, busy.message, retryInfo(2_100))]);
    running.load.decision = { admit: true, delayAckMs: 0 };
    running.store.before = () => {
      throw new Error('away');
    };
    const away = await client.call(Buffer.of(1));
    assert.deepEqual([away.code, away.details], [14, statusBytes(14, away.message, retryInfo(1_000))]);
  });

  it('serves many calls of one connection at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, n) => client.call(Buffer.of(n & 0x7f, n >> 7, 9))),
    );
    assert.ok(replies.every(({ code }) => code === 0));
    assert.equal((await running.store.received()).length, 200);
  });
});
