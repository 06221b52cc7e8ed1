import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface CertificateFiles {
  /** The certificate of this service, then those that signed it (PEM). */
  readonly certFile: string;
  /** PEM, without passphrase. */
  readonly keyFile: string;
}

export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
  /** Last moment at which clients accept it, ms since 1970. */
  readonly validUntil: number;
}

/** Why files are no certificate that can be served; `file` is the one to look at, and `message` reads on after its setting's name. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';

  constructor(
    readonly file: keyof CertificateFiles,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Reads both files as they are now. Throws `CertificateError` where clients would refuse what they hold. */
export function readCertificate(files: CertificateFiles, nowMs: number): TlsCertificate {
  const cert = readText(files, 'certFile');
  const key = readText(files, 'keyFile');
  const certificate = parseCertificate(cert, files);
  if (!certificate.checkPrivateKey(parsePrivateKey(key, files)))
    throw new CertificateError('keyFile', `${files.keyFile} does not belong to the certificate in ${files.certFile}`);
  const validUntil = Date.parse(certificate.validTo);
  if (validUntil < nowMs)
    throw new CertificateError('certFile', `${files.certFile} expired on ${new Date(validUntil).toISOString()}`);
  const validFrom = Date.parse(certificate.validFrom);
  if (validFrom > nowMs)
    throw new CertificateError(
      'certFile',
      `${files.certFile} is not valid before ${new Date(validFrom).toISOString()}`,
    );
  return { cert, key, validUntil };
}

function readText(files: CertificateFiles, name: keyof CertificateFiles): string {
  try {
    return readFileSync(files[name], 'utf8');
  } catch (cause) {
    throw new CertificateError(name, `cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function parseCertificate(pem: string, { certFile }: CertificateFiles): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new CertificateError('certFile', `${certFile} holds no certificate in PEM`, { cause });
  }
}

/** What the library says of a key is not repeated: it may say it of a file that is none of ours. */
function parsePrivateKey(pem: string, { keyFile }: CertificateFiles): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new CertificateError('keyFile', `${keyFile} holds no private key in PEM, or one with a passphrase`, {
      cause,
    });
  }
}
