import type { ConnectionOptions } from 'nats';

const DEFAULT_PORT = 4222;

/**
 * Converts `nats://user:password@a:4222,b:4222` or `tls://token@host` to options of the NATS client, which accepts no
 * credentials within addresses. All servers of a cluster use the first credentials given. Throws without repeating the
 * address, which may contain a password.
 */
export function parseNatsUrl(
  addresses: string,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const urls = addresses.split(',').map((part) => parseServerUrl(part.trim()));
  const isSecured = urls.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? DEFAULT_PORT : port}`),
    ...parseCredentials(urls.find(({ username }) => username !== '')),
    ...(isSecured ? { tls: {} } : {}),
  };
}

function parseServerUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('A NATS address must have the form nats://host:4222 or tls://host:4222');
  }
  return url;
}

/** A user name without a password is a token. */
function parseCredentials(address: URL | undefined): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  if (address === undefined) return {};
  const user = decodeURIComponent(address.username);
  return address.password === '' ? { token: user } : { user, pass: decodeURIComponent(address.password) };
}
