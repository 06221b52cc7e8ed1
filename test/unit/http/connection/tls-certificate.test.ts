import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { CertificateError, readCertificate } from '../../../../src/http/connection/tls-certificate.js';
import { CertificateFolder, makeCertificate, type GeneratedCertificate } from '../../../support/certificates.js';

const DAY_MS = 86_400_000;

describe('a certificate from files', () => {
  let good: GeneratedCertificate;
  let folder: CertificateFolder;
  before(async () => (good = await makeCertificate()));
  beforeEach(async () => (folder = await CertificateFolder.with(good)));
  afterEach(() => folder.remove());

  function refusal(nowMs = Date.now()): CertificateError {
    try {
      readCertificate(folder, nowMs);
    } catch (error) {
      assert.ok(error instanceof CertificateError);
      assert.doesNotMatch(error.message, /\n|PRIVATE/, 'one line, and nothing of the key');
      return error;
    }
    return assert.fail('it was taken');
  }

  it('is read with the end of its validity', () => {
    const { cert, key, validUntil } = readCertificate(folder, Date.now());
    assert.deepEqual({ cert, key }, good);
    assert.ok(Math.abs(validUntil - Date.now() - DAY_MS) < 60_000);
  });

  it('is refused by name where a file is missing', async () => {
    await folder.remove();
    const { file, message } = refusal();
    assert.equal(file, 'certFile');
    assert.match(message, /^cannot be read: ENOENT.*cert\.pem/);
  });

  it('is refused where key and certificate do not belong together', async () => {
    await folder.write(folder.keyFile, (await makeCertificate()).key);
    const { file, message } = refusal();
    assert.equal(file, 'keyFile');
    assert.match(message, /does not belong to the certificate/);
  });

  for (const [what, cert, key] of [
    ['no certificate', 'hello', undefined],
    ['no key', undefined, '-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n'],
    [
      'a key with a passphrase',
      undefined,
      generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      }).privateKey,
    ],
  ] as const) {
    it(`is refused where a file holds ${what}`, async () => {
      await folder.replace({ cert: cert ?? good.cert, key: key ?? good.key });
      assert.match(refusal().message, /contains no/);
    });
  }

  it('is refused before and after its time', () => {
    assert.match(refusal(Date.now() + 2 * DAY_MS).message, /cert\.pem expired on \d{4}-/);
    assert.match(refusal(Date.now() - 2 * DAY_MS).message, /cert\.pem is not valid before \d{4}-/);
  });
});
