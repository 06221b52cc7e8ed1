import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ConnectionTurns } from '../../../../src/http/connection/connection-turns.js';
import { until } from '../otlp/support/sockets.js';

/** So slow that only the test gives turns. */
const NEVER_PER_SECOND = 0.001;

describe('turns of new connections', () => {
  let server: Server;
  let turns: ConnectionTurns;
  let clients: Socket[];
  /** Addresses whose connections were served, with what they had sent. */
  let served: string[];
  let delayed: string[];
  let refused: string[];
  let sockets: Socket[];
  /** Texts whose connections are refused in their turn. */
  let unwanted: string[];

  beforeEach(async () => {
    [clients, served, delayed, refused, unwanted, sockets] = [[], [], [], [], [], []];
    turns = new ConnectionTurns({
      perSecond: NEVER_PER_SECOND,
      isFlooding: (address) => address !== '127.0.0.1',
      closures: {
        record: (_, client) => void refused.push(client),
        recordDelay: (client) => void delayed.push(client),
      },
    });
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.push(socket);
      turns.begin(socket, () => {
        const text = String(socket.read() ?? '');
        served.push(`${socket.remoteAddress} ${text}`);
        return !unwanted.includes(text);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    turns.destroyAll();
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Resolves when the connection waits, or is served, and what it sends has arrived. */
  async function open(localAddress: string, text = ''): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, 'connection');
    const client = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    clients.push(client.resume());
    if (text !== '') client.write(text);
    const [socket] = (await accepted) as [Socket];
    await until(() => socket.bytesRead === text.length || socket.destroyed);
    return client;
  }

  it('come at once for addresses that do not flood', async () => {
    await open('127.0.0.1');
    assert.deepEqual([served.length, delayed], [1, []]);
  });

  it('come in the order of arrival, with what was sent meanwhile', async () => {
    const first = await open('127.0.0.2', 'a');
    await open('127.0.0.2', 'c');
    first.write('b');
    await until(() => sockets[0].bytesRead === 2);
    assert.deepEqual([served, delayed.length], [[], 2]);
    turns.beginNext();
    assert.deepEqual(served, ['127.0.0.2 ab']);
    turns.beginNext();
    assert.equal(served[1], '127.0.0.2 c');
    turns.beginNext();
    assert.equal(served.length, 2);
  });

  it('go from address to address, so that the connections of one do not delay another', async () => {
    for (let n = 0; n < 20; n++) await open('127.0.0.2');
    await open('127.0.0.3', 'x');
    turns.beginNext();
    turns.beginNext();
    assert.deepEqual(served, ['127.0.0.2 ', '127.0.0.3 x']);
  });

  it('pass connections that have ended', async () => {
    const [gone, reset] = [await open('127.0.0.2', 'gone'), await open('127.0.0.2', 'reset')];
    gone.end();
    reset.resetAndDestroy();
    await until(() => sockets.every((socket) => socket.destroyed));
    await open('127.0.0.2', 'here');
    turns.beginNext();
    assert.deepEqual(served, ['127.0.0.2 here']);
  });

  it('pass from a refused connection to the next one', async () => {
    unwanted = ['flood'];
    for (let n = 0; n < 5; n++) await open('127.0.0.2', 'flood');
    await open('127.0.0.2', 'honest');
    await open('127.0.0.2', 'later');
    turns.beginNext();
    assert.equal(served.at(-1), '127.0.0.2 honest');
  });

  it('are kept for a bounded number of connections; further ones are refused', async () => {
    for (let n = 0; n < 500; n++) await open('127.0.0.2');
    assert.deepEqual(refused, []);
    const late = await open('127.0.0.2');
    if (!late.closed) await once(late, 'close');
    assert.deepEqual(refused, ['127.0.0.2']);
    await open('127.0.0.3', 'x');
    turns.beginNext();
    turns.beginNext();
    assert.equal(served[1], '127.0.0.3 x');
  });
});
