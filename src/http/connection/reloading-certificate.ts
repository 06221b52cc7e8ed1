import { unwatchFile, watchFile } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { readCertificate, type TlsCertificate, type CertificateFiles } from './tls-certificate.js';

/** What the certificate tells the operator. */
export interface CertificateLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface ReloadingCertificateOptions {
  readonly files: CertificateFiles;
  readonly log: CertificateLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How often the files are looked at, in ms: 5 s unless a test needs less. Looking follows links, as renewals swap them. */
  readonly lookEveryMs?: number;
}

/** A server that takes a new certificate for its next connections. */
export interface TlsServer {
  setSecureContext(context: SecureContextOptions): void;
}

const POLL_INTERVAL_MS = 5_000;

/**
 * The certificate of all ports, read again when its files change or when asked to. Open connections keep the one that they
 * began with. Files that cannot be served, as in the middle of a renewal, leave the old one in use.
 */
export class ReloadingCertificate {
  private current: TlsCertificate;
  private readonly users = new Set<TlsServer>();
  private watching = false;

  /** Throws `CertificateError` where the files cannot be served now. */
  constructor(private readonly options: ReloadingCertificateOptions) {
    this.current = readCertificate(options.files, options.now());
  }

  /** For the making of a server. TLS 1.0 and 1.1 are refused (RFC 8996). */
  get tlsOptions(): Pick<SecureContextOptions, 'minVersion' | 'cert' | 'key'> {
    const { cert, key } = this.current;
    return { cert, key, minVersion: 'TLSv1.2' };
  }

  /** Ms since 1970. */
  get validUntil(): number {
    return this.current.validUntil;
  }

  /** From now on the server is given each new certificate. */
  addServer(user: TlsServer): void {
    this.users.add(user);
  }

  /** Begins to look at the files. Keeps no process alive. */
  watch(): void {
    if (this.watching) return;
    this.watching = true;
    const { certFile, keyFile } = this.options.files;
    for (const file of [certFile, keyFile])
      watchFile(file, { persistent: false, interval: this.options.lookEveryMs ?? POLL_INTERVAL_MS }, this.onChange);
  }

  /** Reads the files again; tells the log what came of it. */
  reload(): void {
    try {
      const read = readCertificate(this.options.files, this.options.now());
      if (read.cert === this.current.cert && read.key === this.current.key) return;
      this.current = read;
      for (const user of this.users) user.setSecureContext(this.tlsOptions);
      this.options.log.info('the certificate was read again', { validUntil: new Date(read.validUntil).toISOString() });
    } catch (error) {
      this.options.log.warn('the changed certificate cannot be used; the old one stays in use', { error });
    }
  }

  /** Legal twice. */
  close(): void {
    const { certFile, keyFile } = this.options.files;
    for (const file of [certFile, keyFile]) unwatchFile(file, this.onChange);
    this.watching = false;
  }

  private readonly onChange = (): void => this.reload();
}
