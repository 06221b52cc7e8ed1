import { unwatchFile, watchFile } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { readCertificate, type TlsCertificate, type CertificateFiles } from './tls-certificate.js';

/** The part of the logger that the certificate uses. */
export interface CertificateLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface ReloadingCertificateOptions {
  readonly files: CertificateFiles;
  readonly log: CertificateLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Interval in which the files are checked, in ms. Default: 5000. Follows symbolic links, which renewals replace. */
  readonly pollIntervalMs?: number;
}

/** A server that can replace its certificate for new connections. */
export interface TlsServer {
  setSecureContext(context: SecureContextOptions): void;
}

const POLL_INTERVAL_MS = 5_000;

/**
 * The certificate of all ports, reloaded when its files change or on demand. Open connections keep their certificate. Invalid
 * files, as in the middle of a renewal, leave the previous certificate in use.
 */
export class ReloadingCertificate {
  private current: TlsCertificate;
  private readonly servers = new Set<TlsServer>();
  private watching = false;

  /** Throws `CertificateError` if the files do not contain a valid certificate. */
  constructor(private readonly options: ReloadingCertificateOptions) {
    this.current = readCertificate(options.files, options.now());
  }

  /** Options for creating a server. Rejects TLS 1.0 and 1.1 (RFC 8996). */
  get tlsOptions(): Pick<SecureContextOptions, 'minVersion' | 'cert' | 'key'> {
    const { cert, key } = this.current;
    return { cert, key, minVersion: 'TLSv1.2' };
  }

  /** Milliseconds since 1970. */
  get validUntil(): number {
    return this.current.validUntil;
  }

  /** Registers a server to receive each new certificate. */
  addServer(server: TlsServer): void {
    this.servers.add(server);
  }

  /** Starts to poll the files. Does not keep the process alive. */
  watch(): void {
    if (this.watching) return;
    this.watching = true;
    const { certFile, keyFile } = this.options.files;
    for (const file of [certFile, keyFile])
      watchFile(file, { persistent: false, interval: this.options.pollIntervalMs ?? POLL_INTERVAL_MS }, this.onChange);
  }

  /** Reads the files again and logs the outcome. */
  reload(): void {
    try {
      const loaded = readCertificate(this.options.files, this.options.now());
      if (loaded.cert === this.current.cert && loaded.key === this.current.key) return;
      this.current = loaded;
      for (const server of this.servers) server.setSecureContext(this.tlsOptions);
      this.options.log.info('TLS certificate reloaded', { validUntil: new Date(loaded.validUntil).toISOString() });
    } catch (error) {
      this.options.log.warn('Cannot use the changed TLS certificate; keeping the previous one', { error });
    }
  }

  /** Idempotent. */
  close(): void {
    const { certFile, keyFile } = this.options.files;
    for (const file of [certFile, keyFile]) unwatchFile(file, this.onChange);
    this.watching = false;
  }

  private readonly onChange = (): void => this.reload();
}
