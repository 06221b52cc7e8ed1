import { isLoopbackAddress } from '../config/network-exposure.js';
import { SETTINGS, SettingsError, type Settings } from '../config/settings.js';
import { CertificateError } from '../http/connection/tls-certificate.js';
import { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import type { Logger } from '../self-telemetry/logger.js';

const SETTING_BY_FILE = { certFile: SETTINGS.tlsCertFile.name, keyFile: SETTINGS.tlsKeyFile.name };

/** The TLS certificate that the settings name; undefined without one. Throws `SettingsError` when it is unusable. */
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

/**
 * Warning for ports that accept unencrypted connections from other machines; undefined when there is nothing to warn
 * of.
 */
export function findPlainTextWarning({ bindAddress, tlsCertFile, trustedProxies }: Settings): string | undefined {
  if (tlsCertFile !== undefined || trustedProxies.length > 0 || isLoopbackAddress(bindAddress)) return undefined;
  return 'API keys and tokens cross the network unencrypted; set TLS_CERT_FILE and TLS_KEY_FILE, or use a TLS proxy and set TRUSTED_PROXIES';
}
