import { SETTINGS, SettingsError, type Settings } from '../config.js';
import { CertificateError } from '../http/tls/certificate.js';
import { ServedCertificate } from '../http/tls/served-certificate.js';
import type { Logger } from '../log.js';

const SETTING_OF = { certFile: SETTINGS.tlsCertFile.name, keyFile: SETTINGS.tlsKeyFile.name };

/** The certificate that the settings name; undefined where they name none. Throws `SettingsError` where it cannot be served. */
export function certificateOf({ tlsCertFile: certFile, tlsKeyFile: keyFile }: Settings, log: Logger): ServedCertificate | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  try {
    return new ServedCertificate({ files: { certFile, keyFile }, log, now: Date.now });
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    throw new SettingsError(SETTING_OF[cause.file], cause.message, { cause });
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** What an operator should hear of ports that strangers can read along; undefined where there is nothing to say. */
export function plainTextWarning({ bindAddress, tlsCertFile, trustedProxies }: Settings): string | undefined {
  if (tlsCertFile !== undefined || trustedProxies.length > 0 || LOOPBACK.test(bindAddress)) return undefined;
  return 'keys and tokens cross the network readable: set TLS_CERT_FILE and TLS_KEY_FILE, or serve through a proxy and set TRUSTED_PROXIES';
}
