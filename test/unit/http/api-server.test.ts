import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { EVERY_ROLE, defineRoute } from '../../../src/http/route.js';
import { createApiServer } from '../../../src/http/api-server.js';
import { HTTP1_ABORT_LIMITS } from '../../../src/http/limits/abort-limiter.js';
import { ConnectionLimiter } from '../../../src/http/connection/connection-limiter.js';
import { ANY_RESPONSE } from '../../support/any-response.js';
import { isObject, PUBLIC_URL, startApi } from '../../support/api.js';
import { exchange, rawRequest } from '../../support/raw-http.js';
import { waitUntil } from '../../support/wait-until.js';

/** Longer than any test may take. */
const NO_DEADLINE_MS = 600_000;

/** An app with one operation that answers when the test says so. */
async function slowApi() {
  let entered = (): void => undefined;
  let release = (): void => undefined;
  const inFlight = new Promise<void>((resolve) => (entered = resolve));
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow = defineRoute({
    method: 'GET',
    path: '/slow',
    operationId: 'slow',
    tag: 'Test',
    summary: '',
    grid: 'none',
    roles: EVERY_ROLE,
    run: async () => {
      entered();
      await gate;
      return { done: true };
    },
    responseSchema: ANY_RESPONSE,
    present: (result) => result,
  });
  return { api: await startApi({ routes: [slow] }), inFlight, release: () => release() };
}

/** Sends a text and resets the connection once it has arrived. */
async function sendAndGo(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => socket.write(text, resolve));
  socket.destroy();
  await once(socket, 'close');
}

describe('API server', () => {
  it('finishes requests in flight before it has stopped, and takes no new ones', async () => {
    const { api, inFlight, release } = await slowApi();
    const answer = api.get('/slow');
    await inFlight;
    const stopped = api.server.stop(NO_DEADLINE_MS);
    await assert.rejects(fetch(`http://127.0.0.1:${api.port}/live`));
    release();
    const reply = await answer;
    assert.deepEqual([reply.status, reply.json()], [200, { done: true }]);
    await stopped; // the kept-alive connection does not delay it
  });

  it('cuts what has not finished at the deadline', async () => {
    const { api, inFlight } = await slowApi();
    const answer = api.get('/slow');
    const cut = assert.rejects(answer);
    await inFlight;
    await api.server.stop(50);
    await cut;
  });

  it('can be stopped twice, and before it ever listened', async () => {
    const { api } = await slowApi();
    await Promise.all([api.server.stop(1_000), api.server.stop(1_000)]);
    await api.server.close();
    const idle = createApiServer({ app: () => undefined, bindAddress: '127.0.0.1', port: 0, publicUrl: PUBLIC_URL });
    await idle.stop(10);
  });

  it('says in check whether it listens', async () => {
    const { api } = await slowApi();
    assert.deepEqual(await api.server.check(), { ok: true });
    await api.stop();
    assert.equal((await api.server.check()).ok, false);
  });

  it('rejects when the port is taken', async () => {
    const { api } = await slowApi();
    const second = createApiServer({
      app: () => undefined,
      bindAddress: '127.0.0.1',
      port: api.port,
      publicUrl: PUBLIC_URL,
    });
    await assert.rejects(second.listen(), { code: 'EADDRINUSE' });
    await api.stop();
  });

  it('can be used after a stop that came before it', async () => {
    const server = createApiServer({
      app: (_request, response) => response.end('x'),
      bindAddress: '127.0.0.1',
      port: 0,
      publicUrl: PUBLIC_URL,
    });
    await server.stop(10);
    const port = await server.listen();
    assert.equal((await fetch(`http://127.0.0.1:${port}`)).status, 200);
    await server.stop(10);
    assert.equal((await server.check()).ok, false);
  });

  it('makes room for new connections by closing idle ones, and never those with a request', async () => {
    const limits = { connections: 9, connectionsPerAddress: 3 };
    const connections = new ConnectionLimiter({ limits });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = createApiServer({
      app: (request, response) =>
        void (request.url === '/slow' ? held : Promise.resolve()).then(() => response.end('answer')),
      bindAddress: '127.0.0.1',
      port: 0,
      publicUrl: PUBLIC_URL,
      connections,
    });
    const port = await server.listen();
    const slow = exchange(port, rawRequest('GET', '/slow', ['Connection: close']));
    for (let n = 0; n < 20; n++) connect(port, '127.0.0.1').on('error', () => undefined);
    assert.equal((await exchange(port, rawRequest('GET', '/', ['Connection: close']))).status, 200);
    assert.ok(connections.count <= limits.connectionsPerAddress);
    release();
    assert.equal((await slow).status, 200);
    await server.stop(10);
  });

  it('lets new connections of an address wait that aborts requests in large numbers, and serves them', async () => {
    let delayed = 0;
    const server = createApiServer({
      app: (request, response) => void (request.url === '/live' && response.end('answer')),
      bindAddress: '127.0.0.1',
      port: 0,
      publicUrl: PUBLIC_URL,
      closures: { record: () => undefined, recordDelay: () => delayed++ },
      abortLimits: { ...HTTP1_ABORT_LIMITS, windowMs: 60_000, flood: 20 },
    });
    const port = await server.listen();
    const status = async (localAddress: string): Promise<number> =>
      (await exchange(port, rawRequest('GET', '/live', ['Connection: close']), localAddress)).status;
    assert.deepEqual([await status('127.0.0.1'), delayed], [200, 0]);
    // Half a request head, and requests whose client goes before the answer.
    for (const text of ['GET /li', rawRequest('GET', '/slow', [])])
      for (let n = 0; n < 12; n++) await sendAndGo(port, text);
    await waitUntil(async () => (await status('127.0.0.1')) === 200 && delayed > 0, 'a connection waits');
    const before = delayed;
    assert.equal(await status('127.0.0.2'), 200);
    assert.equal(delayed, before);
    await server.stop(10);
  });

  it('answers 408 to headers and to a body that do not arrive in time, and closes', async () => {
    const limits = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };
    const server = createApiServer({
      app: (request) => request.resume(),
      bindAddress: '127.0.0.1',
      port: 0,
      publicUrl: PUBLIC_URL,
      limits,
    });
    const port = await server.listen();
    for (const slow of [
      'GET / HTTP/1.1\r\nHost: x\r\nX-Slow:',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{',
    ]) {
      const reply = await exchange(port, slow);
      assert.equal(reply.status, 408);
      assert.match(reply.body, /problems\/request-timeout/);
    }
    await server.stop(10);
  });

  it('lets a client close in the middle of its body without a line at error level', async () => {
    const api = await startApi();
    const socket = connect(api.port, '127.0.0.1');
    socket.write('POST /apm/traces/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    assert.equal((await api.get('/live')).status, 200);
    assert.ok(api.log.every(({ level }) => level === 'debug'));
    await api.stop();
  });
});

describe('data that is not HTTP', () => {
  const cases: readonly (readonly [string, string | Uint8Array, number, string])[] = [
    ['garbage', 'hello\r\n\r\n', 400, 'malformed-http'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'malformed-http'],
    [
      'two lengths',
      rawRequest('POST', '/live', ['Content-Length: 1', 'Content-Length: 2'], 'x'),
      400,
      'malformed-http',
    ],
    [
      'length and chunks',
      rawRequest('POST', '/live', ['Content-Length: 1', 'Transfer-Encoding: chunked'], 'x'),
      400,
      'malformed-http',
    ],
    [
      'a header folded into a second one',
      rawRequest('GET', '/live', ['X-A: b\r\n Set-Cookie: x']),
      400,
      'malformed-http',
    ],
    ['a NUL in a header', rawRequest('GET', '/live', ['X-A: a\0b']), 400, 'malformed-http'],
    ['headers of 20 KiB', rawRequest('GET', '/live', [`X-A: ${'a'.repeat(20_000)}`]), 431, 'headers-too-large'],
  ];
  for (const [name, bytes, status, slug] of cases) {
    it(`${name} is answered with a problem, and the connection is closed`, async () => {
      const api = await startApi();
      try {
        const reply = await exchange(api.port, bytes);
        assert.equal(reply.status, status, reply.head);
        assert.match(reply.head, /content-type: application\/problem\+json/i);
        const problem: unknown = JSON.parse(reply.body);
        assert.ok(isObject(problem));
        assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail']);
        assert.equal(problem['type'], `${PUBLIC_URL}/problems/${slug}`);
        assert.equal((await api.get('/live')).status, 200);
      } finally {
        await api.stop();
      }
    });
  }
});
