import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect as connectPlain, createServer, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { HTTP1_ABORT_LIMITS } from '../../../../src/http/limits/abort-limiter.js';
import { ReloadingCertificate } from '../../../../src/http/connection/reloading-certificate.js';
import { CertificateFolder, makeCertificate, type GeneratedCertificate } from '../../../support/certificates.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startServer, type TestServer } from '../otlp/support/otlp-server.js';
import { FRAMES, PREFACE, resetRequests } from '../otlp/support/http2-frames.js';
import { exportAll, record, sdkExporters, type Recorded, type SdkProtocol } from '../otlp/support/sdk.js';

const REQUEST = 'POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

/** The first bytes of a TLS client. */
async function captureClientHello(): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

describe('ingestion over TLS', () => {
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 100 });
  let made: GeneratedCertificate;
  let folder: CertificateFolder;
  let certificate: ReloadingCertificate;
  let running: TestServer;
  let recorded: Recorded;

  before(async () => {
    made = await makeCertificate();
    folder = await CertificateFolder.with(made);
    certificate = new ReloadingCertificate({
      files: folder,
      log: { info: () => undefined, warn: () => undefined },
      now: Date.now,
    });
    recorded = await record();
  });
  beforeEach(async () => (running = await startServer({ validator, certificate })));
  afterEach(() => running.server.close());
  after(async () => {
    await validator.close();
    await folder.remove();
  });

  for (const protocol of ['grpc', 'http/protobuf', 'http/json'] satisfies SdkProtocol[]) {
    for (const port of ['http', 'grpc'] as const) {
      it(`takes what the SDK sends over ${protocol} to the ${port} port`, async () => {
        assert.equal(await exportAll(sdkExporters(protocol, running.ports[port], true, made.cert), recorded), true);
        const counts = Object.fromEntries(
          (await running.store.received()).map(({ data }) => [data.signal, data.accepted]),
        );
        assert.deepEqual(counts, { traces: 2, logs: 1, metrics: 2 });
      });
    }
  }

  async function secured(ALPNProtocols?: string[]): Promise<TLSSocket> {
    const socket = connect({
      port: running.ports.http,
      host: '127.0.0.1',
      ca: made.cert,
      ...(ALPNProtocols && { ALPNProtocols }),
    });
    await once(socket, 'secureConnect');
    return socket;
  }

  for (const [offer, agreed] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, false],
  ] as const) {
    it(`agrees on ${agreed || 'nothing'} with who offers ${offer?.join(' and ') ?? 'nothing'}`, async () => {
      const socket = await secured(offer && [...offer]);
      assert.equal(socket.alpnProtocol, agreed);
      socket.destroy();
    });
  }

  it('speaks HTTP/1.1 where nothing was agreed on', async () => {
    const socket = await secured();
    socket.write(REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 415 /);
    socket.destroy();
  });

  it('closes a connection that says nothing, or speaks no TLS', async () => {
    await running.server.close();
    running = await startServer({ validator, certificate, limits: { headersMs: 300 } });
    for (const words of ['', REQUEST]) {
      const socket = connectPlain(running.ports.grpc, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(words);
      socket.resume();
      await once(socket, 'close');
    }
  });

  describe('while an address floods it', () => {
    let delayed: number;
    beforeEach(async () => {
      delayed = 0;
      await running.server.close();
      const closures = { record: () => undefined, recordDelay: () => void delayed++ };
      running = await startServer({ validator, certificate, closures });
    });

    function secureOver(socket: Socket, ALPNProtocols: string[]): TLSSocket {
      return connect({ socket, host: '127.0.0.1', ca: made.cert, ALPNProtocols });
    }

    async function isServed(localAddress: string, ALPNProtocols: string[]): Promise<void> {
      const { http: port } = running.ports;
      const socket = secureOver(connectPlain({ port, host: '127.0.0.1', localAddress }), ALPNProtocols);
      socket.write(ALPNProtocols[0] === 'h2' ? PREFACE : REQUEST);
      // HTTP/2: the settings of the server.
      await once(socket, 'data');
      socket.destroy();
    }

    /** Opens an HTTP/2 connection, resets a number of requests, and waits until the server has closed it. */
    async function attack(): Promise<void> {
      const { http: port } = running.ports;
      const socket = connect({ port, host: '127.0.0.1', ca: made.cert, ALPNProtocols: ['h2'] });
      socket.on('error', () => undefined).resume();
      socket.write(Buffer.concat([PREFACE, FRAMES.settings(), resetRequests(150)]));
      await once(socket, 'close');
    }

    it('lets its new connections wait before the handshake, and serves them, over HTTP/2 and HTTP/1.1', async () => {
      await attack();
      await attack();
      let isOver = false;
      const attackers = Array.from({ length: 3 }, async () => {
        while (!isOver) await attack();
      });
      await waitUntil(() => delayed >= 6, 'attackers wait');
      const before = delayed;
      await isServed('127.0.0.2', ['h2']);
      await isServed('127.0.0.1', ['h2']);
      await isServed('127.0.0.1', ['http/1.1']);
      isOver = true;
      await Promise.all(attackers);
      assert.ok(delayed >= before + 2);
    });

    it('closes connections without an accepted request that it had taken before, and are secured only then', async () => {
      const early = connectPlain(running.ports.http, '127.0.0.1').on('error', () => undefined);
      await once(early, 'connect');
      await attack();
      await attack();
      const socket = secureOver(early, ['h2']).on('error', () => undefined);
      socket.write(Buffer.concat([PREFACE, FRAMES.settings()]));
      await once(socket, 'data');
      const closed = once(early, 'close');
      await attack();
      await closed;
    });

    describe('by handshakes', () => {
      beforeEach(async () => {
        await running.server.close();
        const closures = { record: () => undefined, recordDelay: () => void delayed++ };
        const http1AbortLimits = { ...HTTP1_ABORT_LIMITS, windowMs: 60_000, flood: 20 };
        running = await startServer({ validator, certificate, closures, http1AbortLimits });
      });

      async function waitForDelay(ALPNProtocols: string[]): Promise<void> {
        await waitUntil(async () => {
          await isServed('127.0.0.1', ALPNProtocols);
          return delayed > 0;
        }, 'a connection waits');
      }

      it('counts those that are not finished', async () => {
        const hello = await captureClientHello();
        for (let n = 0; n < 25; n++) {
          const socket = connectPlain(running.ports.http, '127.0.0.1').on('error', () => undefined);
          socket.write(hello);
          await Promise.race([once(socket, 'data'), once(socket, 'close')]);
          socket.resetAndDestroy();
        }
        await waitForDelay(['http/1.1']);
      });

      it('counts clients that close during the handshake, without waiting for the end of its time', async () => {
        for (let n = 0; n < 25; n++) (await secured()).destroy();
        await waitForDelay(['http/1.1']);
      });

      it('counts connections over HTTP/2 without any request', async () => {
        for (let n = 0; n < 25; n++) {
          const socket = await secured(['h2']);
          socket.write(Buffer.concat([PREFACE, FRAMES.settings()]));
          await once(socket, 'data');
          socket.destroy();
        }
        await waitForDelay(['http/1.1']);
      });

      it('does not count connections over HTTP/2 whose requests were answered', async () => {
        for (let n = 0; n < 25; n++) {
          const session = connectHttp2(`https://127.0.0.1:${running.ports.http}`, { ca: made.cert });
          const request = session.request({ ':method': 'POST', ':path': '/v1/traces' }).resume();
          await once(request, 'end');
          session.destroy();
          await once(session, 'close');
        }
        await isServed('127.0.0.1', ['h2']);
        assert.equal(delayed, 0);
      });
    });
  });

  for (const protocol of ['grpc', 'http/protobuf'] satisfies SdkProtocol[]) {
    it(`lets requests under way over ${protocol} finish when it stops`, async () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let entered = 0;
      running.store.before = () => {
        entered += 1;
        return held;
      };
      const exported = exportAll(sdkExporters(protocol, running.ports.grpc, false, made.cert), recorded);
      await waitUntil(() => entered === 3, 'all three are being stored');
      const stopped = running.server.stop(5_000);
      release();
      assert.equal(await exported, true);
      await stopped;
    });
  }

  it('ends idle connections of both protocols when it stops', async () => {
    const session = connectHttp2(`https://127.0.0.1:${running.ports.http}`, { ca: made.cert });
    await once(session, 'connect');
    const socket = await secured(['http/1.1']);
    socket.resume();
    const gone = Promise.all([once(session, 'close'), once(socket, 'close')]);
    await running.server.stop(600_000); // longer than the test may take
    await gone;
  });
});
