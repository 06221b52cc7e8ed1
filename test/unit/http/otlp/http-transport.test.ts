import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { API_KEY, GRID } from './support/fake-access.js';
import { post } from './support/http-client.js';
import { Http2Client } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';
import { statusBytes } from './support/rpc-status.js';

const ORIGIN = 'https://shop.example';

describe('OTLP/HTTP', () => {
  let running: TestServer;
  let port: number;

  beforeEach(async () => {
    running = await startServer({ allowedOrigins: [ORIGIN], limits: { requestBytes: 100_000 } });
    port = running.ports.http;
  });
  afterEach(() => running.server.close());

  it('stores a body as it arrived and answers in its own encoding', async () => {
    const reply = await post(port, {
      path: '/v1/logs',
      body: Buffer.of(1, 2),
      headers: { 'content-encoding': 'zstd' },
    });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/x-protobuf');
    const [event] = await running.store.received();
    assert.deepEqual([...event.body!], [1, 2]);
    assert.equal(event.data.encoding, 'zstd');
    const json = await post(port, { headers: { 'content-type': 'application/json; charset=utf-8' }, body: '12' });
    assert.deepEqual(
      [json.status, json.headers['content-type'], json.body.toString()],
      [200, 'application/json', '{}'],
    );
  });

  it('takes every signal on both ports, behind a prefix and before a slash', async () => {
    // Different bodies: equal ones would be taken for a repetition.
    for (const [at, each] of [running.ports.http, running.ports.grpc].entries()) {
      for (const path of ['/v1/traces', '/v1/logs/', '/eu/v1/metrics?x=1'])
        assert.equal((await post(each, { path, body: Buffer.of(at) })).status, 200, path);
    }
    assert.deepEqual(running.meters.records, { traces: 2, logs: 2, metrics: 2 });
  });

  it('speaks HTTP/2 with prior knowledge just as well', async () => {
    const client = new Http2Client(port);
    const headers = { ':path': '/v1/traces', 'api-key': API_KEY, 'content-type': 'application/x-protobuf' };
    const good = await client.request(headers, Buffer.of(1, 255));
    assert.equal(good.headers[':status'], 200);
    assert.equal(good.headers['content-type'], 'application/x-protobuf');
    assert.deepEqual([...good.body.subarray(0, 4)], [0x0a, good.body.byteLength - 2, 0x08, 1]);
    const lost = await client.request({ ...headers, ':path': '/' }, Buffer.of(1));
    assert.equal(lost.headers[':status'], 404);
    const large = await client.request(headers, Buffer.alloc(100_001));
    assert.equal(large.headers[':status'], 413);
    client.close();
  });

  it('takes an empty body as a request without records', async () => {
    assert.equal((await post(port)).status, 200);
    assert.deepEqual(await running.store.received(), []);
  });

  it('takes a body without a length, up to the limit', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    assert.equal((await post(port, { headers: chunked, body: Buffer.alloc(100_000, 1) })).status, 200);
    assert.equal((await post(port, { headers: chunked, body: Buffer.alloc(100_001, 1) })).status, 413);
  });

  it('refuses an announced length past the limit before anything is sent', async () => {
    const request = http.request({
      port,
      host: '127.0.0.1',
      path: '/v1/traces',
      method: 'POST',
      headers: { 'api-key': API_KEY, 'content-type': 'application/x-protobuf', 'content-length': 2 ** 40 },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    assert.equal(response.statusCode, 413);
    assert.equal(response.headers.connection, 'close');
    request.destroy();
  });

  it('asks for the body of a sender that waits to be asked, but not where it is refused', async () => {
    const expecting = { expect: '100-continue', 'content-length': 1, 'content-type': 'application/x-protobuf' };
    const send = async (key: string): Promise<[asked: boolean, status: number | undefined]> => {
      const request = http.request({
        port,
        host: '127.0.0.1',
        path: '/v1/traces',
        method: 'POST',
        headers: { ...expecting, 'api-key': key },
      });
      request.on('error', () => undefined);
      let asked = false;
      request.once('continue', () => {
        asked = true;
        request.end(Buffer.of(1));
      });
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      request.destroy();
      return [asked, response.statusCode];
    };
    assert.deepEqual(await send(API_KEY), [true, 200]);
    assert.deepEqual(await send('hs_wrong_key'), [false, 401]);
  });

  it('answers a sender in the middle of a body that it refuses', async () => {
    const reply = await post(port, {
      headers: { 'api-key': 'hs_wrong_key', 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(5_000_000),
    });
    assert.equal(reply.status, 401);
  });

  it('wants exactly one key, in the header of any case, and no bearer token', async () => {
    const status = async (headers: http.OutgoingHttpHeaders) =>
      (await post(port, { headers: { 'api-key': undefined, ...headers } })).status;
    assert.equal(await status({ 'API-Key': API_KEY }), 200);
    assert.equal(await status({}), 401);
    assert.equal(await status({ 'api-key': [API_KEY, API_KEY] }), 401);
    assert.equal(await status({ 'api-key': '' }), 401);
    assert.equal(await status({ authorization: `Bearer ${API_KEY}` }), 401);
  });

  it('answers errors with the exact bytes of a google.rpc.Status', async () => {
    const wrong = await post(port, { headers: { 'api-key': 'hs_wrong_key' } });
    assert.deepEqual(wrong.body, statusBytes(16, 'the API key is unknown or was revoked'));
    running.access.grids.set(GRID, { gridId: GRID, subscriptionActive: false, retentionDays: 7 });
    const inactive = await post(port);
    assert.equal(inactive.status, 403);
    assert.deepEqual(inactive.body, statusBytes(7, 'the subscription of this Grid is inactive'));
  });

  it('helps who has lost the way', async () => {
    const lost = await post(port, { path: '/' });
    assert.equal(lost.status, 404);
    assert.match(lost.body.toString(), /\/v1\/traces/);
    assert.equal((await post(port, { path: '/v1development/profiles' })).status, 404);
    const got = await post(port, { method: 'GET' });
    assert.deepEqual([got.status, got.headers.allow], [405, 'POST']);
    const form = await post(port, { headers: { 'content-type': 'text/plain' } });
    assert.deepEqual([form.status, form.headers['content-type']], [415, 'application/json']);
    assert.equal(JSON.parse(form.body.toString()).code, 12);
    const brotli = await post(port, { headers: { 'content-encoding': 'br' } });
    assert.deepEqual(
      [brotli.status, brotli.headers['accept-encoding']],
      [415, 'gzip, deflate, zstd, snappy, lz4, identity'],
    );
    assert.deepEqual(running.meters.refusedSignals, ['unknown', 'unknown', 'traces', 'traces', 'traces']);
    assert.deepEqual(new Set(running.meters.refusals), new Set(['unsupported']));
  });

  it('informs an overloading sender when to come back', async () => {
    running.load.decision = { admit: false, retryAfterMs: 2_100 };
    const reply = await post(port, { body: Buffer.of(1) });
    assert.deepEqual([reply.status, reply.headers['retry-after']], [429, '3']);
    assert.deepEqual(await running.store.received(), []);
  });

  it('never answers 500: a failing store is 503 with a hint', async () => {
    running.store.before = () => {
      throw new TypeError('bug');
    };
    const reply = await post(port, { body: Buffer.of(1) });
    assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '1']);
    assert.equal(running.log.lines.length, 1);
    assert.doesNotMatch(JSON.stringify(reply.body.toString()), /bug|at /);
  });

  it('notices a revoked key on a connection that is kept alive', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal((await post(port, { agent, body: Buffer.of(1) })).status, 200);
    running.access.keys.clear();
    assert.equal((await post(port, { agent, body: Buffer.of(2) })).status, 401);
    running.access.keys.set(API_KEY, { keyId: 'key', gridId: GRID, kind: 'full', issuedBy: 'owner' });
    assert.equal((await post(port, { agent, body: Buffer.of(3) })).status, 200);
    assert.equal(Object.values(agent.freeSockets).flat().length, 1, 'one connection served all three');
    agent.destroy();
  });

  it('answers the preflight of an allowed origin, and no other', async () => {
    const preflight = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'api-key,content-type',
      'api-key': undefined,
    };
    const allowed = await post(port, { method: 'OPTIONS', headers: preflight });
    assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin']], [204, ORIGIN]);
    const foreign = await post(port, { method: 'OPTIONS', headers: { ...preflight, origin: 'https://evil.example' } });
    assert.deepEqual([foreign.status, foreign.headers['access-control-allow-origin']], [405, undefined]);
    const sent = await post(port, { headers: { origin: ORIGIN }, body: Buffer.of(1) });
    assert.deepEqual([sent.status, sent.headers['access-control-allow-origin']], [200, ORIGIN]);
    const refused = await post(port, { headers: { origin: ORIGIN, 'api-key': 'hs_wrong_key' } });
    assert.equal(refused.headers['access-control-allow-origin'], ORIGIN, 'a page must be able to read its error');
  });

  it('answers bytes that are no HTTP with a status and closes', async () => {
    for (const bytes of [
      '\x16\x03\x01 hello\r\n\r\n',
      'POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.write(bytes);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.equal(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).code, 3);
    }
    assert.equal((await post(port, { headers: { filler: 'x'.repeat(20_000) } })).status, 431);
  });

  it('keeps nothing of a body whose sender went away', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/traces HTTP/1.1\r\nHost: x\r\napi-key: ${API_KEY}\r\ncontent-type: application/x-protobuf\r\ncontent-length: 10\r\n\r\n123`,
    );
    await once(socket, 'connect');
    socket.destroy();
    assert.equal((await post(port, { body: Buffer.of(1) })).status, 200);
    assert.equal((await running.store.received()).length, 1);
    assert.deepEqual(running.meters.refusals, []);
  });
});
