import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ConnectionLimiter, type ConnectionLimits } from '../../../../src/http/connection/connection-limiter.js';
import type { ClosureReason } from '../../../../src/self-telemetry/prometheus-metrics.js';

describe('connection limiter', () => {
  let server: Server;
  let connections: ConnectionLimiter;
  let accepted: Socket[];
  let closed: [ClosureReason, string][];

  async function start(limits: ConnectionLimits, isProxy?: (address: string) => boolean): Promise<void> {
    closed = [];
    accepted = [];
    const closures = { record: (reason: ClosureReason, client: string) => void closed.push([reason, client]) };
    connections = new ConnectionLimiter({ limits, closures, ...(isProxy && { isProxy }) });
    server = createServer((socket) => {
      accepted.push(socket);
      connections.admit(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    client.resume();
    await once(server, 'connection');
    return client;
  }

  afterEach(() => {
    connections.destroyAll();
    server.close();
  });

  it('closes the connection of an address that has been idle for longest, when it opens one too many', async () => {
    await start({ connections: 9, connectionsPerAddress: 2 });
    const first = await open();
    const second = await open();
    connections.beginRequest(accepted[0])(); // now the second one has been idle for longer
    await open();
    await once(second, 'close');
    assert.equal(connections.count, 2);
    assert.equal(first.closed, false);
    assert.deepEqual(closed, [['address-limit', '127.0.0.1']]);
  });

  it('never closes a connection with a request: then the new one is refused', async () => {
    await start({ connections: 9, connectionsPerAddress: 2 });
    const clients = [await open(), await open()];
    const ends = accepted.map((socket) => connections.beginRequest(socket));
    await once(await open(), 'close');
    assert.equal(connections.count, 2);
    assert.ok(clients.every((client) => !client.closed));
    ends[1]();
    await open();
    await once(clients[1], 'close');
    assert.equal(clients[0].closed, false);
  });

  it('takes a connection for busy until its last request has ended', async () => {
    await start({ connections: 9, connectionsPerAddress: 1 });
    const client = await open();
    const [endFirst, endSecond] = [connections.beginRequest(accepted[0]), connections.beginRequest(accepted[0])];
    endFirst();
    await once(await open(), 'close');
    assert.equal(client.closed, false);
    endSecond();
    await open();
    await once(client, 'close');
  });

  it('leaves other addresses alone', async () => {
    await start({ connections: 9, connectionsPerAddress: 1 });
    const other = await open('127.0.0.2');
    const first = await open();
    await open();
    await once(first, 'close');
    assert.equal(other.closed, false);
    assert.equal(connections.count, 2);
  });

  it('at the total closes the connection that has been idle for longest, of any address', async () => {
    await start({ connections: 2, connectionsPerAddress: 9 });
    const longest = await open('127.0.0.2');
    await open();
    await open();
    await once(longest, 'close');
    assert.equal(connections.count, 2);
    assert.deepEqual(closed, [['total-limit', '127.0.0.2']]);
    const busy = accepted.slice(1).map((socket) => connections.beginRequest(socket));
    await once(await open(), 'close');
    assert.equal(connections.count, 2);
    assert.equal(busy.length, 2);
  });

  it('counts connections of a trusted proxy in the total alone', async () => {
    await start({ connections: 3, connectionsPerAddress: 1 }, (address) => address === '127.0.0.1');
    for (let n = 0; n < 3; n++) await open();
    assert.equal(connections.count, 3);
    assert.deepEqual(closed, []);
  });

  it('has no limit by address where it is 0', async () => {
    await start({ connections: 4, connectionsPerAddress: 0 });
    for (let n = 0; n < 4; n++) await open();
    assert.equal(connections.count, 4);
  });

  it('accepts others when some have left', async () => {
    await start({ connections: 1, connectionsPerAddress: 1 });
    const first = await open();
    connections.beginRequest(accepted[0]);
    first.destroy();
    await connections.waitUntilClosed();
    await open();
    assert.equal(connections.count, 1);
    assert.deepEqual(closed, []);
  });

  it('reports when all are gone', async () => {
    await start({ connections: 9, connectionsPerAddress: 9 });
    await open();
    await open();
    const gone = connections.waitUntilClosed();
    connections.destroyAll();
    await gone;
    assert.equal(connections.count, 0);
  });
});
