import { readFileSync } from 'node:fs';
import type {
  ChannelCredentialOptions,
  GossipClusterOptions,
  SingleNodeOptions,
  DNSClusterOptions,
} from '@eventstore/db-client';

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Parsed connection string. */
export interface ServerAddress {
  readonly endpoints: readonly Endpoint[];
  /** The first endpoint is a DNS name or a node from which the client discovers the others. */
  readonly discover: boolean;
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly tls: boolean;
  readonly tlsVerifyCert: boolean;
  /** Paths of PEM files. */
  readonly files: { readonly tlsCaFile?: string; readonly userCertFile?: string; readonly userKeyFile?: string };
  readonly tuning: Readonly<Record<string, number | string>>;
}

/** Always reads from the leader: alternating between nodes, a projector could miss events that a follower lacks. */
const LEADER = 'leader';
const DEFAULT_PORT = 2113;
const URL_PATTERN = /^(?:esdb|kurrentdb|kurrent)(\+discover)?:\/\/(?:([^@/?]*)@)?([^/?@]+)\/?(?:\?(.*))?$/i;
const NUMERIC_OPTIONS = [
  'maxdiscoverattempts',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'defaultdeadline',
] as const;
const TUNING_NAMES: Readonly<Record<string, string>> = {
  maxdiscoverattempts: 'maxDiscoverAttempts',
  discoveryinterval: 'discoveryInterval',
  gossiptimeout: 'gossipTimeout',
  keepaliveinterval: 'keepAliveInterval',
  keepalivetimeout: 'keepAliveTimeout',
  defaultdeadline: 'defaultDeadline',
};
const KNOWN_OPTIONS = new Set<string>([
  ...NUMERIC_OPTIONS,
  'connectionname',
  'tls',
  'tlsverifycert',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
  'nodepreference',
]);

/**
 * Parses `esdb://user:password@host:2113,host2:2113?tls=true&tlsCAFile=…`; also `kurrentdb://` and `+discover`. TLS is
 * on unless the URL disables it, and credentials are sent only over TLS. Throws for anything unknown or malformed;
 * messages never contain the credentials.
 */
export function parseServerAddress(url: string): ServerAddress {
  const [, discover, userInfo, hosts, query = ''] = URL_PATTERN.exec(url.trim()) ?? [];
  if (hosts === undefined)
    throw new Error('The EventStoreDB address must have the form esdb://user:password@host:2113?tls=true');
  const options = parseOptions(query);
  if ((options.get('nodepreference') ?? LEADER).toLowerCase() !== LEADER)
    throw new Error('nodePreference must be leader: other nodes may lag behind it');
  const tuning: Record<string, number | string> = {};
  for (const name of NUMERIC_OPTIONS)
    if (options.has(name)) tuning[TUNING_NAMES[name]] = parseWholeNumber(name, options.get(name)!);
  if (options.has('connectionname')) tuning.connectionName = options.get('connectionname')!;
  return {
    endpoints: hosts.split(',').map(parseEndpoint),
    discover: discover !== undefined,
    ...(userInfo === undefined ? {} : { credentials: parseCredentials(userInfo) }),
    tls: parseBoolean('tls', options.get('tls') ?? 'true'),
    tlsVerifyCert: parseBoolean('tlsVerifyCert', options.get('tlsverifycert') ?? 'true'),
    files: parseFiles(options),
    tuning,
  };
}

/** Converts the address to options of the vendor's client. Reads the PEM files, so it throws if one is missing. */
export function toConnectionOptions(address: ServerAddress): {
  settings: SingleNodeOptions | GossipClusterOptions | DNSClusterOptions;
  channel: ChannelCredentialOptions;
  credentials: ServerAddress['credentials'];
} {
  const { endpoints, discover, files, tuning, tls } = address;
  const preference = { nodePreference: LEADER } as const;
  const [first] = endpoints;
  const location = discover
    ? { discover: first, ...preference }
    : endpoints.length > 1
      ? { endpoints: [...endpoints], ...preference }
      : { endpoint: first };
  const readPem = (file: string | undefined): Buffer | undefined =>
    file === undefined ? undefined : readFileSync(file);
  const channel = tls
    ? {
        insecure: false,
        rootCertificate: readPem(files.tlsCaFile),
        userCertFile: readPem(files.userCertFile),
        userKeyFile: readPem(files.userKeyFile),
        ...(address.tlsVerifyCert ? {} : { verifyOptions: { rejectUnauthorized: false } }),
      }
    : { insecure: true };
  return {
    settings: { ...tuning, ...location },
    channel,
    credentials: tls ? address.credentials : undefined,
  };
}

/** Like the vendor's clients, option names ignore case, `-` and `_`. */
function parseOptions(query: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.toLowerCase().replaceAll(/[_-]/g, '');
    if (!KNOWN_OPTIONS.has(key)) throw new Error(`Unknown option in the EventStoreDB address: ${name}`);
    options.set(key, value);
  }
  return options;
}

function parseFiles(options: ReadonlyMap<string, string>): ServerAddress['files'] {
  const [tlsCaFile, userCertFile, userKeyFile] = ['tlscafile', 'usercertfile', 'userkeyfile'].map((name) =>
    options.get(name),
  );
  if ((userCertFile === undefined) !== (userKeyFile === undefined))
    throw new Error('userCertFile and userKeyFile must be set together');
  return { tlsCaFile, userCertFile, userKeyFile };
}

function parseEndpoint(host: string): Endpoint {
  const [, address, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(host.trim()) ?? [];
  if (address === undefined) throw new Error('The EventStoreDB address contains a host that is not host:port');
  return { address, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function parseCredentials(userInfo: string): { username: string; password: string } {
  const colon = userInfo.indexOf(':');
  if (colon < 1) throw new Error('The EventStoreDB credentials must have the form user:password');
  return {
    username: decodeURIComponent(userInfo.slice(0, colon)),
    password: decodeURIComponent(userInfo.slice(colon + 1)),
  };
}

function parseBoolean(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false`);
  return value === 'true';
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^-?\d+$/.test(value)) throw new Error(`${TUNING_NAMES[name]} must be a whole number`);
  return Number(value);
}
