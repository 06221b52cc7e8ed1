import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../config/settings.js';
import { ClientResolver } from '../http/connection/client-resolver.js';
import type { ClosedConnectionLog } from '../http/connection/closed-connection-log.js';
import { ConnectionLimiter, type ConnectionLimits } from '../http/connection/connection-limiter.js';
import { type ApiServerOptions, DEFAULT_API_CONNECTIONS } from '../http/api-server.js';
import { DEFAULT_OTLP_LIMITS } from '../http/otlp/otlp-limits.js';

/** Files that the service opens besides connections: stores, threads, and what it loads on demand. */
const OTHER_FILES = 512;

/** Part of all connections that one address may hold at most, so that some are always left for others. */
const MAX_SHARE_OF_ADDRESS = 0.75;

export interface ServerConnectionLimits {
  readonly api: ConnectionLimits;
  readonly otlp: ConnectionLimits;
}

/**
 * Divides the files that this process may open between API and ingestion. A process at its limit could open neither a
 * connection nor a file of its stores.
 * @param openFiles limit of the process; undefined: unlimited
 * @param perAddress connections of one address; 0: no limit
 */
export function planConnectionLimits(openFiles: number | undefined, perAddress: number): ServerConnectionLimits {
  const share = openFiles === undefined ? Infinity : Math.max(1, Math.floor((openFiles - OTHER_FILES) / 2));
  const plan = (most: number): ConnectionLimits => {
    const connections = Math.min(most, share);
    const mostOfAddress = Math.max(1, Math.floor(connections * MAX_SHARE_OF_ADDRESS));
    return { connections, connectionsPerAddress: perAddress === 0 ? 0 : Math.min(perAddress, mostOfAddress) };
  };
  return { api: plan(DEFAULT_API_CONNECTIONS.connections), otlp: plan(DEFAULT_OTLP_LIMITS.connections) };
}

/**
 * Number of files that this process may open; undefined if it is unlimited or unknown, as on Windows. Node raises the soft
 * limit to the hard one when it starts.
 */
export function readOpenFileLimit(): number | undefined {
  // A report takes 100 ms and more; Linux tells the limit in no time.
  if (existsSync('/proc/self/limits')) {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  }
  // Not typed in @types/node.
  const { userLimits } = process.report.getReport() as { readonly userLimits?: { open_files?: { soft?: unknown } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : undefined;
}

/**
 * What bounds the connections of a server of the API or of metrics.
 * @param findClosures absent while the service starts: then closed connections are not recorded
 */
export function createApiConnectionLimits(
  { connectionsPerAddress, trustedProxies }: Pick<Settings, 'connectionsPerAddress' | 'trustedProxies'>,
  findClosures: () => ClosedConnectionLog | undefined,
): Required<Pick<ApiServerOptions, 'connections' | 'clients' | 'closures'>> {
  const clients = new ClientResolver(trustedProxies);
  const closures: ApiServerOptions['closures'] = {
    record: (reason, client) => findClosures()?.record(reason, client),
    recordDelay: (client) => findClosures()?.recordDelay(client),
  };
  const connections = new ConnectionLimiter({
    limits: planConnectionLimits(readOpenFileLimit(), connectionsPerAddress).api,
    isProxy: (address) => clients.isTrustedProxy(address),
    closures,
  });
  return { connections, clients, closures };
}
