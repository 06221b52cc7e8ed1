import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect, type PeerCertificate, type SecureVersion } from 'node:tls';
import { createApiServer, type ApiServer } from '../../../../src/http/api-server.js';
import { ReloadingCertificate } from '../../../../src/http/connection/reloading-certificate.js';
import { CertificateFolder, makeCertificate, type GeneratedCertificate } from '../../../support/certificates.js';
import { waitUntil } from '../../../support/wait-until.js';

describe('the API over TLS', () => {
  let first: GeneratedCertificate;
  let folder: CertificateFolder;
  let served: ReloadingCertificate;
  let server: ApiServer;
  let port: number;
  const warnings: string[] = [];

  before(async () => (first = await makeCertificate('first')));
  beforeEach(async () => {
    folder = await CertificateFolder.with(first);
    warnings.length = 0;
    served = new ReloadingCertificate({
      files: folder,
      log: { info: () => undefined, warn: (message) => warnings.push(message) },
      now: Date.now,
      pollIntervalMs: 20,
    });
    server = createApiServer({
      app: (_request, response) => response.end('hello'),
      bindAddress: '127.0.0.1',
      port: 0,
      publicUrl: 'https://localhost',
      certificate: served,
    });
    port = await server.listen();
  });
  afterEach(async () => {
    served.close();
    await server.stop(0);
    await folder.remove();
  });

  async function peer(
    versions: { minVersion?: SecureVersion; maxVersion?: SecureVersion } = {},
  ): Promise<PeerCertificate> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...versions });
    await once(socket, 'secureConnect');
    const certificate = socket.getPeerCertificate();
    socket.destroy();
    return certificate;
  }

  const nameServed = async (): Promise<string> => String((await peer()).subject.CN);

  it('answers who trusts its certificate', async () => {
    const sent = request({ port, host: '127.0.0.1', ca: first.cert }).end();
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    assert.equal(response.statusCode, 200);
    response.resume();
    await once(response, 'end');
  });

  it('refuses TLS 1.1, which OpenSSL may or may not still offer, and takes 1.2 and 1.3', async () => {
    await assert.rejects(peer({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }));
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
      assert.equal((await peer({ minVersion: version, maxVersion: version })).subject.CN, 'first');
  });

  it('closes on plain HTTP without an answer', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    assert.doesNotMatch(Buffer.concat(received).toString('latin1'), /HTTP/);
  });

  it('reports nothing of files that say what they said before', () => {
    const reported: string[] = [];
    const report = (message: string): void => void reported.push(message);
    new ReloadingCertificate({ files: folder, log: { info: report, warn: report }, now: Date.now }).reload();
    assert.deepEqual(reported, []);
  });

  it('serves a renewed certificate to new connections without being asked', async () => {
    served.watch();
    await folder.replace(await makeCertificate('second'));
    await waitUntil(async () => (await nameServed()) === 'second', 'the new certificate is served');
  });

  it('serves a renewed certificate when it is asked to look', async () => {
    await folder.replace(await makeCertificate('second'));
    assert.equal(await nameServed(), 'first');
    served.reload();
    assert.equal(await nameServed(), 'second');
    assert.ok(served.validUntil > Date.now());
  });

  it('keeps the old one while the files do not fit together, and says so', async () => {
    const second = await makeCertificate('second');
    await folder.write(folder.certFile, second.cert);
    served.reload();
    assert.equal(await nameServed(), 'first');
    assert.deepEqual(warnings, ['Cannot use the changed TLS certificate; keeping the previous one']);
    await folder.write(folder.keyFile, second.key);
    served.reload();
    assert.equal(await nameServed(), 'second');
  });

  it('can be closed twice', () => {
    served.watch();
    served.close();
    served.close();
  });
});
