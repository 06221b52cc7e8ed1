import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { ClientResolver } from '../../../../src/http/connection/client-resolver.js';
import { Http1AbortCounter } from '../../../../src/http/connection/http1-abort-counter.js';
import { waitUntil } from '../../../support/wait-until.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('counter of aborted HTTP/1.1 requests', () => {
  let server: Server;
  let clients: Socket[];
  let open: ServerResponse[];
  /** Requests and whether their connection was in use, of each ended connection with aborted requests. */
  let counted: [string, number, boolean][];
  let ended: number;

  async function start(proxies: readonly string[] = []): Promise<void> {
    [clients, open, counted, ended] = [[], [], [], 0];
    const counter = new Http1AbortCounter({
      aborts: { countAborts: (address, count, _, used) => void counted.push([address, count, used]) },
      clients: new ClientResolver(proxies.map((address) => ({ address, bits: 32, family: 'ipv4' }))),
      now: () => 0,
    });
    server = createServer((request, response) => {
      counter.addRequest(request.socket, response);
      open.push(response);
    });
    server.on('connection', (socket: Socket) => {
      counter.watch(socket);
      socket.once('close', () => ended++);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  async function send(text: string): Promise<Socket> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    clients.push(client.resume());
    await once(client, 'connect');
    if (text !== '') await new Promise((resolve) => client.write(text, resolve));
    return client;
  }

  async function end(client: Socket): Promise<void> {
    const before = ended;
    client.destroy();
    await waitUntil(() => ended > before, 'the server has noticed');
  }

  it('counts half a request, and a whole one whose client goes', async () => {
    await start();
    await end(await send('GET / HTT'));
    assert.deepEqual(counted, [['127.0.0.1', 1, false]]);
    const client = await send(GET);
    await waitUntil(() => open.length === 1, 'it is being served');
    await end(client);
    assert.deepEqual(counted[1], ['127.0.0.1', 1, false]);
  });

  it('counts each of several pipelined requests', async () => {
    await start();
    const client = await send(GET.repeat(7));
    await waitUntil(() => open.length === 7, 'all are being served');
    await end(client);
    assert.deepEqual(counted, [['127.0.0.1', 7, false]]);
  });

  it('counts no answered requests and no connections without bytes', async () => {
    await start();
    await end(await send(''));
    const client = await send(GET);
    await waitUntil(() => open.length === 1, 'it is being served');
    open[0].end('answer');
    await once(client, 'data');
    await end(client);
    assert.deepEqual(counted, []);
  });

  it('does not count a request that was refused before all of its body was sent', async () => {
    await start();
    const client = await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nthe first bytes');
    await waitUntil(() => open.length === 1, 'it is being served');
    open[0].writeHead(429, { 'content-length': 7 }).write('refused');
    await once(client, 'data');
    await end(client);
    assert.deepEqual(counted, []);
    const other = await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nthe first bytes');
    await waitUntil(() => open.length === 2, 'it is being served');
    await end(other);
    assert.deepEqual(counted, [['127.0.0.1', 1, false]], 'a client that goes without an answer');
  });

  it('reports a connection on which requests were answered', async () => {
    await start();
    const client = await send(GET);
    await waitUntil(() => open.length === 1, 'the first is being served');
    open[0].end('answer');
    await once(client, 'data');
    client.write(GET);
    await waitUntil(() => open.length === 2, 'the second is being served');
    await end(client);
    assert.deepEqual(counted, [['127.0.0.1', 1, true]]);
  });

  it('does not count the connections of a trusted proxy', async () => {
    await start(['127.0.0.1']);
    await end(await send('GET / HTT'));
    assert.deepEqual(counted, []);
  });
});
