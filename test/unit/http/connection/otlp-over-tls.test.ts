import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { ReloadingCertificate } from '../../../../src/http/connection/reloading-certificate.js';
import { CertificateFolder, makeCertificate, type GeneratedCertificate } from '../../../support/certificates.js';
import { waitUntil } from '../../../support/wait-until.js';
import { startServer, type TestServer } from '../otlp/support/otlp-server.js';
import { exportAll, record, sdkExporters, type Recorded, type SdkProtocol } from '../otlp/support/sdk.js';

const REQUEST = 'POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

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
