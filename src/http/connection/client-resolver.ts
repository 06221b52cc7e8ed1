import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/** The client of a request, behind trusted proxies. */
export interface Client {
  /** An IP address; empty if the connection is already closed. */
  readonly address: string;
  /** Whether the client used TLS, to this service or to a trusted proxy. */
  readonly secure: boolean;
}

export interface ProxyNetwork {
  readonly address: string;
  /** Prefix length. */
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The remote end of a connection. */
export type Peer = Pick<Socket, 'remoteAddress'> & { readonly encrypted?: boolean };

/** Maximum number of evaluated hops. */
const MAX_HOPS = 32;

/**
 * Determines the client address behind trusted proxies. Forwarding headers are used only if the connection itself comes from
 * a trusted proxy; others may be forged. The client is the right-most address of the chain that is not a trusted proxy,
 * since the client may have written everything to the left of it.
 */
export class ClientResolver {
  private readonly trusted = new BlockList();

  constructor(proxies: readonly ProxyNetwork[] = []) {
    for (const { address, bits, family } of proxies) this.trusted.addSubnet(address, bits, family);
  }

  isTrustedProxy(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  /** The client of a request with these headers over this connection. */
  resolve(peer: Peer, headers: IncomingHttpHeaders): Client {
    const address = peer.remoteAddress ?? '';
    const secure = peer.encrypted === true;
    if (!this.isTrustedProxy(address)) return { address, secure };
    const { chain, protocol } = parseForwarding(headers);
    return {
      address: this.findClientAddress(chain, address),
      secure: protocol === undefined ? secure : protocol === 'https',
    };
  }

  private findClientAddress(chain: readonly string[], peer: string): string {
    let nearest = peer;
    for (const hop of chain.slice(-MAX_HOPS).reverse()) {
      const address = parseAddress(hop);
      // `unknown` or an obfuscated name: the last known address is the proxy that wrote it.
      if (address === undefined) return nearest;
      nearest = address;
      if (!this.isTrustedProxy(address)) return nearest;
    }
    return nearest;
  }
}

interface Forwarding {
  readonly chain: readonly string[];
  readonly protocol: string | undefined;
}

/** X-Forwarded-For and X-Forwarded-Proto if present, else Forwarded (RFC 7239). Of several protocols, the last one counts. */
function parseForwarding(headers: IncomingHttpHeaders): Forwarding {
  const [chain, protocols] = [parseList(headers['x-forwarded-for']), parseList(headers['x-forwarded-proto'])];
  if (chain.length > 0 || protocols.length > 0) return { chain, protocol: protocols.at(-1)?.toLowerCase() };
  const elements = parseList(headers.forwarded).map(parsePairs);
  return {
    chain: elements.map((pairs) => pairs.get('for') ?? 'unknown'),
    protocol: elements.at(-1)?.get('proto')?.toLowerCase(),
  };
}

function parseList(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function parsePairs(element: string): ReadonlyMap<string, string> {
  return new Map(
    element.split(';').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
}

/** The address of a hop such as `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::1` or `[2001:db8::1]:4711`. */
function parseAddress(hop: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(bare) === 0 ? undefined : bare;
}
