import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ConnectionLimiter } from '../../../../src/http/otlp/dual-protocol-listener.js';

describe('Connections', () => {
  let server: Server;
  let connections: ConnectionLimiter;
  let clients: Socket[];

  async function start(
    caps: { connections: number; connectionsPerAddress: number },
    isProxy?: (address: string) => boolean,
  ): Promise<void> {
    connections = new ConnectionLimiter(caps, isProxy);
    clients = [];
    server = createServer((socket) => void connections.admit(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  async function open(): Promise<Socket> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.resume();
    clients.push(client);
    await once(server, 'connection');
    return client;
  }

  afterEach(() => {
    connections.destroyAll();
    server.close();
  });

  it('counts those of a trusted proxy in the total alone', async () => {
    await start({ connections: 3, connectionsPerAddress: 1 }, (address) => address === '127.0.0.1');
    for (let n = 0; n < 3; n++) await open();
    assert.equal(connections.count, 3);
    await once(await open(), 'close');
    assert.equal(connections.count, 3);
  });

  it('closes what comes past the total', async () => {
    await start({ connections: 2, connectionsPerAddress: 9 });
    await open();
    await open();
    const third = await open();
    await once(third, 'close');
    assert.equal(connections.count, 2);
  });

  it('closes what comes past the cap of one address, and takes others again when some have left', async () => {
    await start({ connections: 9, connectionsPerAddress: 1 });
    const first = await open();
    await once(await open(), 'close');
    first.destroy();
    await connections.waitUntilClosed();
    await open();
    assert.equal(connections.count, 1);
  });

  it('tells when all are gone', async () => {
    await start({ connections: 9, connectionsPerAddress: 9 });
    await open();
    await open();
    const gone = connections.waitUntilClosed();
    connections.destroyAll();
    await gone;
    assert.equal(connections.count, 0);
  });
});
