import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { createDnsLookup, type AddressLookup } from './dns-lookup.js';

/** Everything that is not the public Internet (IANA special-purpose registries). */
const NETWORKS: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata services of cloud providers.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Platform services of a cloud provider on a public-looking address.
  ['168.63.129.16', 32],
];
/** IPv6 is refused but for global unicast (2000::/3), and of that where an IPv4 address or a local use is inside. */
const NETWORKS_OF_UNICAST: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [address, bits] of NETWORKS) refused.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of NETWORKS_OF_UNICAST) refused.addSubnet(address, bits, 'ipv6');
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is on the public Internet. False for texts that are no IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused.check(address, 'ipv4');
  return family === 6 && unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Whether a host is this machine by its name alone (RFC 6761), whatever name servers say. */
export function isLocalName(hostname: string): boolean {
  return /^(?:.*\.)?localhost\.?$/i.test(hostname);
}

/** The address is not on the public Internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  constructor() {
    super('The address of the channel is not public. An operator can allow it with NOTIFY_PRIVATE_ADDRESSES=allow.');
  }
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;
export type SocketLookup = (hostname: string, options: LookupOptions, callback: LookupCallback) => void;

/**
 * The look-up of a socket: it connects to what this returns and nothing else, so that a name cannot resolve to another
 * address between check and use. A name with any private address is refused as a whole.
 */
export function createPublicLookup(resolve: AddressLookup = createDnsLookup()): SocketLookup {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, []);
      if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(new PrivateAddressError(), []);
      if (options.all === true) return callback(null, addresses);
      const [{ address, family }] = addresses;
      callback(null, address, family);
    });
  };
}
