import { BlockList, isIP } from 'node:net';
import type { Settings } from './settings.js';
import { hasIdentityProvider } from './sign-in-settings.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether only this machine can connect to the address: 127.0.0.0/8, `::1` in any spelling, or `localhost`. Any other host
 * name counts as reachable from elsewhere, whatever it resolves to now.
 */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return address.toLowerCase() === 'localhost';
  // Matches IPv4-mapped addresses such as ::ffff:127.0.0.1, too.
  return LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

type SignInSettings = Pick<
  Settings,
  'authUrl' | 'oidcIssuer' | 'authDevelopment' | 'bindAddress' | 'production' | 'publicUrl' | 'roles'
>;

/**
 * What is wrong with the sign-in if other machines can reach the development identity provider without
 * `AUTH_DEVELOPMENT=everybody`; undefined if nothing is. The text continues after `BIND_ADDRESS`.
 */
export function findDevelopmentSignInFault(settings: SignInSettings): string | undefined {
  const { bindAddress } = settings;
  if (!isProviderForThisMachine(settings) || isLoopbackAddress(bindAddress)) return undefined;
  return `must be a loopback address, not ${JSON.stringify(bindAddress)}: anyone who can reach the development identity provider can sign in as any user. Set OIDC_ISSUER, AUTH_URL or NODE_ENV=production, or allow it with AUTH_DEVELOPMENT=everybody`;
}

/**
 * Warns of a development identity provider that a proxy on this machine probably opens to others: PUBLIC_URL names another
 * host than loopback. The service starts nevertheless, since the name may lead to this machine alone.
 */
export function findProxiedSignInWarning(settings: SignInSettings): string | undefined {
  const { publicUrl } = settings;
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (!isProviderForThisMachine(settings) || isLoopbackAddress(host)) return undefined;
  return `the development identity provider runs behind PUBLIC_URL ${publicUrl}: anyone who can reach that address can sign in as any user without a password`;
}

function isProviderForThisMachine(settings: SignInSettings): boolean {
  const { authDevelopment, production, roles } = settings;
  return !hasIdentityProvider(settings) && !production && roles.has('api') && authDevelopment !== 'everybody';
}
