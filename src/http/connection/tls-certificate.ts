import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface CertificateFiles {
  /** PEM: the certificate of this service, followed by its intermediate certificates. */
  readonly certFile: string;
  /** PEM, not encrypted. */
  readonly keyFile: string;
}

export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
  /** End of validity, ms since 1970. */
  readonly validUntil: number;
}

/** Why the files cannot be used. `file` is the invalid one; `message` follows the name of its setting in a sentence. */
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

/** Reads and checks both files. Throws `CertificateError` if clients would reject the certificate. */
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
    throw new CertificateError('certFile', `${certFile} contains no PEM certificate`, { cause });
  }
}

/** The message of the library is not included, since it may quote the content of an unrelated file. */
function parsePrivateKey(pem: string, { keyFile }: CertificateFiles): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new CertificateError('keyFile', `${keyFile} contains no PEM private key, or an encrypted one`, {
      cause,
    });
  }
}
