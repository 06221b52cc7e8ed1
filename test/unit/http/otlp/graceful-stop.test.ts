import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { API_KEY } from './support/fake-access.js';
import { post } from './support/http-client.js';
import { Http2Client } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';
import { gate, rawSocket, readToClose, until } from './support/sockets.js';

const UNTIL_DONE_MS = 60_000;

describe('stopping the OTLP server', () => {
  let running: TestServer;

  beforeEach(async () => (running = await startServer()));
  afterEach(() => running.server.close());

  it('answers what is in flight, turns away what is new, then closes everything', async () => {
    const { server, ports, store } = running;
    const agent = new http.Agent({ keepAlive: true });
    await post(ports.http, { agent, body: Buffer.of(0) });
    const client = new Http2Client(ports.grpc);
    await client.call(Buffer.of(0, 0));

    const disk = gate();
    let appending = 0;
    store.before = () => {
      appending++;
      return disk.opened;
    };
    const slowHttp = post(ports.http, { body: Buffer.of(1) });
    const slowGrpc = client.call(Buffer.of(2));
    await until(() => appending === 2);

    const goaway = once(client.session, 'goaway');
    const stopped = server.stop(UNTIL_DONE_MS);
    assert.deepEqual(await server.check(), { ok: false, reason: 'shutting down' });
    const late = await post(ports.http, { agent, body: Buffer.of(3) });
    assert.deepEqual([late.status, late.headers['retry-after'], late.headers.connection], [503, '1', 'close']);
    await assert.rejects(post(ports.http, { body: Buffer.of(4) }), { code: 'ECONNREFUSED' });
    await goaway;

    disk.open();
    assert.equal((await slowHttp).status, 200);
    assert.equal((await slowGrpc).code, 0);
    await stopped;
    await until(() => client.session.destroyed);
    agent.destroy();
    assert.equal((await store.received()).length, 4);
  });

  it('refuses a call that crosses the GOAWAY so that clients send it again elsewhere', async () => {
    const { server, ports, store } = running;
    const disk = gate();
    let appending = false;
    store.before = () => {
      appending = true;
      return disk.opened;
    };
    const client = new Http2Client(ports.grpc);
    const slow = client.call(Buffer.of(1));
    await until(() => appending);
    const crossing = assert.rejects(client.call(Buffer.of(2)), /NGHTTP2_REFUSED_STREAM/);
    const stopped = server.stop(UNTIL_DONE_MS);
    await crossing;
    disk.open();
    assert.equal((await slow).code, 0);
    await stopped;
    client.close();
  });

  it('answers calls of a connection that began only then', async () => {
    const { server, ports, store } = running;
    const disk = gate();
    let appending = false;
    store.before = () => {
      appending = true;
      return disk.opened;
    };
    const silent = rawSocket(ports.grpc);
    await once(silent, 'connect');
    // Connections are accepted in their order: once this call arrives, so has the silent connection.
    const client = new Http2Client(ports.grpc);
    const slow = client.call(Buffer.of(1));
    await until(() => appending);
    const stopped = server.stop(UNTIL_DONE_MS);
    const late = new Http2Client(ports.grpc, silent);
    assert.equal((await late.call(Buffer.of(2))).code, 14);
    disk.open();
    assert.equal((await slow).code, 0);
    await stopped;
    client.close();
    late.close();
  });

  it('takes the rest of a body that is being sent, and stores it', async () => {
    const { server, ports, store } = running;
    const request = http.request({
      host: '127.0.0.1',
      port: ports.http,
      path: '/v1/traces',
      method: 'POST',
      agent: false,
      headers: {
        'api-key': API_KEY,
        'content-type': 'application/x-protobuf',
        'content-length': 2,
        expect: '100-continue',
      },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.write(Buffer.of(1));
    const stopped = server.stop(UNTIL_DONE_MS);
    request.end(Buffer.of(2));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    assert.equal(response.statusCode, 200);
    await stopped;
    assert.equal((await store.received()).length, 1);
  });

  it('does not wait longer than it was asked to', async () => {
    const { server, ports, store } = running;
    let appending = false;
    store.before = () => {
      appending = true;
      return gate().opened;
    };
    const stuck = assert.rejects(post(ports.http, { body: Buffer.of(1) }));
    await until(() => appending);
    await server.stop(20);
    await stuck;
  });

  it('does not wait for connections that only stand open', async () => {
    const { server, ports } = running;
    const idle = rawSocket(ports.http, 'POST /v1/tr');
    await once(idle, 'connect');
    await until(async () => (await post(ports.http)).status === 200);
    await server.stop(UNTIL_DONE_MS);
    await readToClose(idle);
  });

  it('may be stopped twice, at once, and before it ever listened', async () => {
    await Promise.all([running.server.stop(1_000), running.server.stop(1_000)]);
    await running.server.close();
    const { createOtlpServer } = await import('../../../../src/http/otlp/otlp-server.js');
    const { InlineValidator, validateBytes } = await import('./support/fakes.js');
    const unused = createOtlpServer({
      ...running,
      backlog: running.load,
      validator: new InlineValidator(validateBytes),
      now: Date.now,
      bindAddress: '127.0.0.1',
      ports: { http: 0, grpc: 0 },
    });
    assert.deepEqual(await unused.check(), { ok: false, reason: 'not listening' });
    await unused.close();
    await unused.close();
  });

  it('refuses to start on a port that is taken', async () => {
    await assert.rejects(startServer({ ports: running.ports }), { code: 'EADDRINUSE' });
  });

  it('stores exactly what it acknowledged, when it stops under load', async () => {
    const { server, ports, store } = running;
    const client = new Http2Client(ports.grpc);
    let acknowledged = 0;
    const sendUntilStopped = async (lane: number, send: (body: Buffer) => Promise<boolean>): Promise<void> => {
      for (let n = 0; await send(Buffer.of(lane, n & 0x7f, (n >> 7) & 0x7f)).catch(() => false); n++) acknowledged++;
    };
    const agent = new http.Agent({ keepAlive: true });
    const lanes = [
      ...[0, 1, 2, 3].map((lane) =>
        sendUntilStopped(lane, async (body) => (await post(ports.http, { agent, body })).status === 200),
      ),
      ...[4, 5, 6, 7].map((lane) => sendUntilStopped(lane, async (body) => (await client.call(body)).code === 0)),
    ];
    await until(() => acknowledged > 200);
    await server.stop(UNTIL_DONE_MS);
    await Promise.all(lanes);
    assert.equal((await store.received()).length, acknowledged);
    agent.destroy();
  });
});
