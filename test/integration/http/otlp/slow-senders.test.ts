import assert from 'node:assert/strict';
import { once } from 'node:events';
import { API_KEY } from '../../../unit/http/otlp/support/fake-access.js';
import { post } from '../../../unit/http/otlp/support/http-client.js';
import { Http2Client, TRACES_METHOD } from '../../../unit/http/otlp/support/http2-client.js';
import { startServer, type TestServer } from '../../../unit/http/otlp/support/otlp-server.js';
import { gate, rawSocket, readToClose, until } from '../../../unit/http/otlp/support/sockets.js';

const HEAD = `POST /v1/traces HTTP/1.1\r\nHost: x\r\napi-key: ${API_KEY}\r\ncontent-type: application/x-protobuf\r\n`;

/** Sends a little, again and again, until something holds. */
async function drip(send: () => void, holds: () => boolean): Promise<void> {
  for (; !holds(); await new Promise((resolve) => setTimeout(resolve, 5))) send();
}

/** Whether a request of this session is taken. One that a busy machine holds up is cut off as a slow one. */
const isTaken = (client: Http2Client): Promise<boolean> =>
  client.call(Buffer.of(1)).then(
    ({ code }) => code === 0,
    () => false,
  );

describe('slow senders', () => {
  let running: TestServer;
  let port: number;
  const start = async (limits: object): Promise<void> => {
    running = await startServer({ limits });
    port = running.ports.http;
  };
  afterEach(() => running.server.close());

  it('lose the connection when they never say anything, or not enough to determine what it is', async () => {
    await start({ headersMs: 50 });
    assert.equal(await readToClose(rawSocket(port)), '');
    assert.equal(await readToClose(rawSocket(port, 'PR')), '');
  });

  it('lose it when their headers do not end, and do not get 408, at which they would drop data', async () => {
    await start({ headersMs: 100 });
    assert.equal(await readToClose(rawSocket(port, HEAD)), '');
  });

  it('lose it when the headers of a later request do not end', async () => {
    await start({ headersMs: 1_000 });
    const socket = rawSocket(port, `${HEAD}content-length: 0\r\n\r\n${HEAD}`);
    assert.match(await readToClose(socket), /^HTTP\/1\.1 200 /);
  });

  it('lose it when the body makes no progress, and may continue as long as it does', async () => {
    const bodyIdleMs = 300;
    await start({ bodyIdleMs });
    assert.equal(await readToClose(rawSocket(port, `${HEAD}content-length: 3\r\n\r\nab`)), '');
    let answer = '';
    // A machine that stands still for as long makes one sender idle, and not each of several.
    for (let tried = 0; tried < 3 && answer === ''; tried++) {
      const steady = rawSocket(port, `${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
      const whole = readToClose(steady);
      const begun = performance.now();
      await drip(
        () => steady.write('1\r\na\r\n'),
        () => performance.now() - begun > 1.5 * bodyIdleMs,
      );
      steady.write('0\r\n\r\n');
      answer = await whole;
    }
    assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  it('lose it when they drip for longer than a request may take', async () => {
    await start({ headersMs: 100, requestMs: 100 });
    const dripping = rawSocket(port, `${HEAD}transfer-encoding: chunked\r\n\r\n`);
    dripping.resume();
    await drip(
      () => dripping.write('1\r\na\r\n'),
      () => dripping.destroyed,
    );
  });

  it('lose only their own stream when they drip for too long on HTTP/2', async () => {
    await start({ headersMs: 200, requestMs: 200 });
    const client = new Http2Client(port);
    for (const [path, type] of [
      [TRACES_METHOD, 'application/grpc'],
      ['/v1/traces', 'application/x-protobuf'],
    ]) {
      const stream = client.session.request({
        ':method': 'POST',
        ':path': path,
        'api-key': API_KEY,
        'content-type': type,
      });
      stream.on('error', () => undefined);
      await drip(
        () => stream.write(Buffer.of(0)),
        () => stream.destroyed,
      );
      assert.equal(stream.rstCode, 8, 'CANCEL');
    }
    await until(() => isTaken(client));
    client.close();
  });

  it('may take a while to notice that they were answered in the middle of a body, and no longer', async () => {
    const begin = `POST /v1/traces HTTP/1.1\r\nHost: x\r\ncontent-type: application/x-protobuf\r\ncontent-length: 1000000\r\n\r\n`;
    await start({ lingerMs: 10_000 });
    const heedless = rawSocket(port, begin).pause();
    const begun = performance.now();
    await drip(
      () => heedless.write('a'),
      () => performance.now() - begun > 1_200,
    );
    const answer = readToClose(heedless);
    heedless.resume().end();
    assert.match(await answer, /^HTTP\/1\.1 401 /);
    await running.server.close();
    await start({ lingerMs: 50 });
    const endless = rawSocket(port, begin);
    endless.resume();
    await drip(
      () => endless.write('a'),
      () => endless.destroyed,
    );
  });

  it('are not those whose whole request is here and waits for the store', async () => {
    await start({ headersMs: 1_000, requestMs: 1_000 });
    const disk = gate();
    running.store.before = () => disk.opened;
    const client = new Http2Client(port);
    const waiting = client.call(Buffer.of(1));
    const lost = client.session.request({
      ':method': 'POST',
      ':path': TRACES_METHOD,
      'api-key': API_KEY,
      'content-type': 'application/grpc',
    });
    lost.on('error', () => undefined);
    await once(lost, 'close'); // began later, and its time is over
    disk.open();
    assert.equal((await waiting).code, 0);
    client.close();
  });

  it('lose only their own stream on HTTP/2', async () => {
    await start({ bodyIdleMs: 60 });
    const client = new Http2Client(port);
    const stream = client.session.request({
      ':method': 'POST',
      ':path': TRACES_METHOD,
      'api-key': API_KEY,
      'content-type': 'application/grpc',
    });
    stream.on('error', () => undefined);
    stream.write(Buffer.of(0, 0, 0));
    await once(stream, 'close');
    assert.equal(stream.rstCode, 8, 'CANCEL');
    await until(() => isTaken(client));
    client.close();
  });

  it('lose a connection on which they ask for nothing', async () => {
    await start({ keepAliveMs: 50 });
    const idle = rawSocket(port, `${HEAD}content-length: 0\r\n\r\n`);
    assert.match(await readToClose(idle), /^HTTP\/1\.1 200 /);
    const client = new Http2Client(port);
    await once(client.session, 'close');
  });

  it('leave room for others: past the cap of one address the connection that has been idle for longest is closed', async () => {
    await start({ connectionsPerAddress: 3 });
    const open = [1, 2, 3].map(() => rawSocket(port, 'POST'));
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    assert.equal((await post(port)).status, 200);
    await until(() => open.some((socket) => socket.closed));
    assert.equal(open.filter((socket) => socket.closed).length, 1);
    for (const socket of open) socket.destroy();
  });
});
