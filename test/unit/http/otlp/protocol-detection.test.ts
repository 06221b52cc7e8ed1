import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { identifyProtocol, detectProtocol, type HttpProtocol } from '../../../../src/http/otlp/protocol-detection.js';

describe('identifyProtocol', () => {
  it('knows HTTP/2 by its preface, and everything else as HTTP/1.1', () => {
    assert.equal(identifyProtocol(Buffer.from('PRI * HTTP/2.0\r\n')), 'http2');
    assert.equal(identifyProtocol(Buffer.from('PRI')), 'http2');
    for (const start of ['POST /', 'PROPFIND', 'G', 'PO', '\x16\x03\x01'])
      assert.equal(identifyProtocol(Buffer.from(start)), 'http1', start);
  });

  it('waits while it may be either', () => {
    assert.equal(identifyProtocol(Buffer.from('P')), undefined);
    assert.equal(identifyProtocol(Buffer.from('PR')), undefined);
  });
});

describe('detectProtocol', () => {
  let server: Server;
  let found: Promise<{ protocol: HttpProtocol; socket: Socket }>;

  async function start(timeoutMs: number): Promise<Socket> {
    found = new Promise((resolve) => {
      server = createServer({ allowHalfOpen: true }, (socket) => {
        socket.on('error', () => undefined);
        detectProtocol(socket, timeoutMs, (protocol) => resolve({ protocol, socket }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return connect((server.address() as AddressInfo).port, '127.0.0.1')
      .setNoDelay(true)
      .on('error', () => undefined);
  }

  afterEach(() => void server.close());

  it('hands the socket on with everything that was sent, however it was cut', async () => {
    const client = await start(60_000);
    for (const piece of ['P', 'R', 'I * HTTP']) {
      client.write(piece);
      await new Promise(setImmediate);
    }
    const { protocol, socket } = await found;
    client.end('/2.0');
    assert.equal(protocol, 'http2');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    assert.equal(text, 'PRI * HTTP/2.0');
    socket.destroy();
  });

  it('destroys a connection that does not say what it is', async () => {
    const client = await start(10);
    client.write('PR');
    client.resume();
    await closed(client);
  });

  it('destroys a connection that ends before it has begun', async () => {
    const client = await start(60_000);
    client.end('P');
    client.resume();
    await closed(client);
  });
});

/** Resolves when the connection has closed, also if it was reset because the server had not read its data yet. */
function closed(client: Socket): Promise<unknown> {
  client.on('error', () => undefined);
  return new Promise((resolve) => client.once('close', resolve));
}
