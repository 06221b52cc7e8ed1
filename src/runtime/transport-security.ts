import { SETTINGS, SettingsError, type Settings } from '../config/settings.js';
import { CertificateError } from '../http/connection/tls-certificate.js';
import { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import type { Logger } from '../self-telemetry/logger.js';

const SETTING_BY_FILE = { certFile: SETTINGS.tlsCertFile.name, keyFile: SETTINGS.tlsKeyFile.name };

/** The certificate that the settings name; undefined where they name none. Throws `SettingsError` where it cannot be served. */
export function loadCertificate(
  { tlsCertFile: certFile, tlsKeyFile: keyFile }: Settings,
  log: Logger,
): ReloadingCertificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  try {
    return new ReloadingCertificate({ files: { certFile, keyFile }, log, now: Date.now });
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    throw new SettingsError(SETTING_BY_FILE[cause.file], cause.message, { cause });
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** What an operator should hear of ports that strangers can read along; undefined where there is nothing to say. */
export function findPlainTextWarning({ bindAddress, tlsCertFile, trustedProxies }: Settings): string | undefined {
  if (tlsCertFile !== undefined || trustedProxies.length > 0 || LOOPBACK.test(bindAddress)) return undefined;
  return 'keys and tokens cross the network readable: set TLS_CERT_FILE and TLS_KEY_FILE, or serve through a proxy and set TRUSTED_PROXIES';
}
