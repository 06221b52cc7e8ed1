import type { ConnectionOptions } from 'nats';

const DEFAULT_PORT = 4222;

/**
 * What the client wants to know of `nats://user:password@a:4222,b:4222` or `tls://token@host`: it takes no credentials within an
 * address. Every server of a cluster is reached with the credentials of the first that names some. Throws without repeating
 * the address, which may hold a password.
 */
export function parseNatsUrl(url: string): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const addresses = url.split(',').map((part) => parseServerUrl(part.trim()));
  const secured = addresses.some(({ protocol }) => protocol === 'tls:');
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port === '' ? DEFAULT_PORT : port}`),
    ...parseCredentials(addresses.find(({ username }) => username !== '')),
    ...(secured ? { tls: {} } : {}),
  };
}

function parseServerUrl(address: string): URL {
  const found = URL.canParse(address) ? new URL(address) : undefined;
  if (found === undefined || !['nats:', 'tls:'].includes(found.protocol) || found.hostname === '') {
    throw new Error('an address of NATS has the form nats://host:4222 or tls://host:4222');
  }
  return found;
}

/** A name without a password is a token. */
function parseCredentials(address: URL | undefined): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  if (address === undefined) return {};
  const user = decodeURIComponent(address.username);
  return address.password === '' ? { token: user } : { user, pass: decodeURIComponent(address.password) };
}
