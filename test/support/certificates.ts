import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { CertificateFiles } from '../../src/http/connection/tls-certificate.js';

const DAY_MS = 86_400_000;

export interface GeneratedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for localhost with the common name `name`. */
export async function makeCertificate(
  name = 'localhost',
  { from = Date.now() - DAY_MS, until = Date.now() + DAY_MS } = {},
): Promise<GeneratedCertificate> {
  const names = [
    { type: 2 as const, value: 'localhost' },
    { type: 7 as const, ip: '127.0.0.1' },
  ];
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames: names },
  ];
  const made = await generate([{ name: 'commonName', value: name }], {
    notBeforeDate: new Date(from),
    notAfterDate: new Date(until),
    keyType: 'ec',
    extensions,
  });
  return { cert: made.cert, key: made.private };
}

/** A folder with a replaceable certificate and key. */
export class CertificateFolder implements CertificateFiles {
  private constructor(private readonly folder: string) {}

  static async with(made: GeneratedCertificate): Promise<CertificateFolder> {
    const folder = new CertificateFolder(await mkdtemp(join(tmpdir(), 'hindsight-tls-')));
    await folder.replace(made);
    return folder;
  }

  get certFile(): string {
    return join(this.folder, 'cert.pem');
  }
  get keyFile(): string {
    return join(this.folder, 'key.pem');
  }

  /** Replaces each file atomically, one after the other, like renewal tools. */
  async replace({ cert, key }: GeneratedCertificate): Promise<void> {
    await this.write(this.certFile, cert);
    await this.write(this.keyFile, key);
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
