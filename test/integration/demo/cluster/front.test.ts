import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TcpLoadBalancer } from '../../../../demo/cluster/tcp-load-balancer.js';

describe('TCP load balancer', () => {
  const servers: Server[] = [];
  let front: TcpLoadBalancer;
  let url: string;

  beforeEach(async () => {
    for (const name of ['one', 'two'])
      servers.push(
        createServer((request, response) => void request.resume().on('end', () => response.end(name))).listen(
          0,
          '127.0.0.1',
        ),
      );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    front = new TcpLoadBalancer(servers.map((server) => (server.address() as AddressInfo).port));
    url = await front.open(0);
  });
  afterEach(async () => {
    await front.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Each request has a connection of its own. */
  const ask = async (): Promise<string> =>
    (await fetch(url, { method: 'POST', body: 'x'.repeat(100_000), headers: { connection: 'close' } })).text();

  it('uses the servers in turn', async () => {
    assert.deepEqual([await ask(), await ask(), await ask()], ['one', 'two', 'one']);
  });

  it('skips servers that refuse connections', async () => {
    servers[0].close();
    assert.deepEqual([await ask(), await ask()], ['two', 'two']);
  });

  it('closes the connection without a server, and continues', async () => {
    for (const server of servers) server.close();
    await assert.rejects(ask());
    await assert.rejects(ask());
  });

  it('uses another port if its port is taken', async () => {
    const other = new TcpLoadBalancer([1]);
    const taken = Number(new URL(url).port);
    assert.notEqual(Number(new URL(await other.open(taken)).port), taken);
    await other.close();
  });
});
