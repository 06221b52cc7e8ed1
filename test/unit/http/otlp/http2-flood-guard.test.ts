import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ClientResolver } from '../../../../src/http/connection/client-resolver.js';
import type { ClosureReason } from '../../../../src/self-telemetry/prometheus-metrics.js';
import { post } from './support/http-client.js';
import { Http2Client } from './support/http2-client.js';
import { connectRaw, FRAMES, resetRequests } from './support/http2-frames.js';
import { startServer, type TestServer } from './support/otlp-server.js';
import { gate, rawSocket, until } from './support/sockets.js';

/** Limits of a connection and of an address in 10 s, as in abort-limiter.ts. */
const ABORTS = 100;

describe('guard against HTTP/2 floods', () => {
  let running: TestServer;
  let closed: [ClosureReason, string][];
  let delayed: number;
  let sockets: Socket[];

  async function start(limits: object = {}, clients?: ClientResolver): Promise<void> {
    closed = [];
    sockets = [];
    delayed = 0;
    const closures = {
      record: (reason: ClosureReason, client: string) => void closed.push([reason, client]),
      recordDelay: () => void delayed++,
    };
    running = await startServer({ limits, closures, ...(clients && { clients }) });
  }

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await running.server.close();
  });

  function open(from?: string): Socket {
    const socket = connectRaw(running.ports.grpc, from);
    sockets.push(socket);
    return socket;
  }

  /** Whether the server has closed the connection: it ends it, and then answers whatever arrives by a reset. */
  async function waitForClosure(socket: Socket): Promise<void> {
    await until(() => {
      if (!socket.closed) socket.write(FRAMES.ping());
      return socket.closed;
    });
  }

  async function flood(times: number): Promise<void> {
    for (let n = 1; n <= times; n++) {
      open().write(resetRequests(ABORTS + 1));
      await until(() => closed.length === n);
    }
  }

  it('closes a connection that resets its requests, also one that ignores GOAWAY', async () => {
    await start();
    const attacker = open();
    attacker.write(resetRequests(ABORTS + 1));
    await waitForClosure(attacker);
    assert.deepEqual(closed, [['aborted-requests', '127.0.0.1']]);
  });

  it('closes a connection whose client has ended it, and records no flood', async () => {
    await start();
    const client = open();
    await once(client, 'data');
    client.end();
    if (!client.closed) await once(client, 'close');
    assert.deepEqual(closed, []);
  });

  it('closes one that sends thousands of resets together with its first bytes', async () => {
    await start();
    const attacker = open();
    attacker.write(resetRequests(4_000));
    await waitForClosure(attacker);
    assert.deepEqual(closed, [['aborted-requests', '127.0.0.1']]);
  });

  it('closes a connection with few aborted requests while its address floods', async () => {
    await start();
    await flood(2);
    const attacker = open();
    attacker.write(resetRequests(11));
    await waitForClosure(attacker);
    assert.deepEqual(closed[2], ['aborted-requests', '127.0.0.1']);
  });

  it('leaves a connection with fewer aborted requests open', async () => {
    await start();
    const client = new Http2Client(running.ports.grpc);
    for (let n = 0; n < ABORTS; n++) {
      const stream = client.session.request({ ':method': 'POST', ':path': '/v1/traces' });
      stream.on('error', () => undefined).close(8);
      await once(stream, 'close');
    }
    assert.equal((await client.call(Buffer.of(1))).code, 0);
    assert.deepEqual(closed, []);
    client.close();
  });

  it('lets new HTTP/2 connections of an address wait after several floods; others of it, HTTP/1.1 and other addresses do not', async () => {
    await start();
    const established = new Http2Client(running.ports.grpc);
    assert.equal((await established.call(Buffer.of(1))).code, 0);
    await flood(2);
    assert.equal((await established.call(Buffer.of(2))).code, 0);
    assert.equal((await post(running.ports.http, { body: Buffer.of(3) })).status, 200);
    const elsewhere = new Http2Client(running.ports.grpc, rawSocket(running.ports.grpc, '', '127.0.0.2'));
    assert.equal((await elsewhere.call(Buffer.of(4))).code, 0);
    assert.equal(delayed, 0);
    const late = new Http2Client(running.ports.grpc);
    assert.equal((await late.call(Buffer.of(5))).code, 0);
    assert.equal(delayed, 1);
    for (const client of [established, elsewhere, late]) client.close();
  });

  for (const [name, attack] of [
    ['flood with their first bytes', (socket: Socket) => void socket.write(resetRequests(1_000))],
    [
      'wait for the settings of the server first',
      (socket: Socket) => void socket.once('data', () => void socket.write(resetRequests(1_000))),
    ],
  ] as const) {
    it(`serves new connections of an address while others of it reconnect and flood without end: they ${name}`, async () => {
      await start();
      let isOver = false;
      const reconnect = (): void => {
        if (isOver) return;
        const attacker = open();
        attack(attacker);
        attacker.once('end', () => attacker.destroy()).once('close', reconnect);
      };
      for (let n = 0; n < 5; n++) reconnect();
      await until(() => delayed >= 10);
      for (let n = 1; n <= 3; n++) {
        const honest = new Http2Client(running.ports.grpc);
        assert.equal((await honest.call(Buffer.of(n))).code, 0);
        honest.close();
      }
      isOver = true;
    });
  }

  it('closes other connections of the address that had no export accepted, before it handles what arrived on them', async () => {
    await start();
    const attackers = [1, 2, 3, 4].map(() => open());
    await Promise.all(attackers.map((socket) => once(socket, 'data')));
    for (const attacker of attackers) attacker.write(resetRequests(1_000));
    await Promise.all(attackers.map(waitForClosure));
    const reasons = closed.map(([reason]) => reason).sort();
    assert.deepEqual(reasons, ['aborted-requests', 'blocked', 'blocked', 'blocked']);
  });

  it('closes a connection that sends control frames without end', async () => {
    await start({ http2CheckMs: 5 });
    const attacker = open();
    const updates = Buffer.concat(Array.from({ length: 4_000 }, () => FRAMES.windowUpdate(0, 1)));
    while (!attacker.closed) await new Promise((resolve) => attacker.write(updates, resolve));
    assert.deepEqual(closed, [['control-frames', '127.0.0.1']]);
  });

  it('does not take bodies for a flood, accepted or refused', async () => {
    await start({ http2CheckMs: 5 });
    const client = new Http2Client(running.ports.grpc);
    const body = Buffer.alloc(1024 * 1024, 1);
    for (let n = 0; n < 6; n++) {
      assert.equal((await client.call(body)).code, 0);
      assert.equal((await client.call(body, { 'api-key': 'hs_unknown_12345678' })).code, 16);
    }
    assert.deepEqual(closed, []);
    client.close();
  });

  it('closes a connection whose session ended by GOAWAY and that stays open', async () => {
    await start({ http2CheckMs: 5, http2SilenceMs: 20 });
    const hanging = gate();
    running.store.before = () => hanging.opened;
    const attacker = open();
    attacker.write(Buffer.concat([FRAMES.request(1), FRAMES.selfDependency(3)]));
    await waitForClosure(attacker);
    assert.deepEqual(closed, [['unresponsive', '127.0.0.1']]);
    hanging.open();
  });

  it('closes an idle connection whose client does not close it either', async () => {
    await start({ http2CheckMs: 5, http2SilenceMs: 20, keepAliveMs: 20 });
    await waitForClosure(open());
    assert.deepEqual(closed, [['unresponsive', '127.0.0.1']]);
  });

  it('keeps a connection whose client waits and answers pings', async () => {
    await start({ http2CheckMs: 5, http2SilenceMs: 50 });
    const disk = gate();
    running.store.before = () => disk.opened;
    const client = new Http2Client(running.ports.grpc);
    const waiting = client.call(Buffer.of(1));
    let pings = 0;
    client.session.on('ping', () => pings++);
    await until(() => pings >= 3);
    disk.open();
    assert.equal((await waiting).code, 0);
    client.close();
  });

  it('resets a response that the client does not take, and counts it as aborted', async () => {
    await start({ http2CheckMs: 5, responseMs: 10 });
    const attacker = open();
    const requests = Array.from({ length: ABORTS + 1 }, (_, n) => FRAMES.request(2 * n + 1, { ended: true }));
    attacker.write(Buffer.concat([FRAMES.streamWindow(0), ...requests]));
    await waitForClosure(attacker);
    assert.deepEqual(closed, [['aborted-requests', '127.0.0.1']]);
  });

  it('behind a trusted proxy blocks the client alone, and keeps the connection', async () => {
    await start({}, new ClientResolver([{ address: '127.0.0.1', bits: 32, family: 'ipv4' }]));
    const proxy = new Http2Client(running.ports.grpc);
    const from = (address: string) => proxy.call(Buffer.of(1), { 'x-forwarded-for': address });
    for (let n = 0; n <= ABORTS; n++) {
      const headers = { ':method': 'POST', ':path': '/v1/traces', 'x-forwarded-for': '192.0.2.1' };
      const stream = proxy.session.request(headers);
      stream.on('error', () => undefined).close(8);
      await once(stream, 'close');
    }
    await until(() =>
      from('192.0.2.1').then(
        () => false,
        (error: Error) => /ENHANCE_YOUR_CALM|code 11/.test(error.message),
      ),
    );
    assert.equal((await from('192.0.2.2')).code, 0);
    assert.deepEqual(closed, []);
    proxy.close();
  });
});
