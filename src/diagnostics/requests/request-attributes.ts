import { OTHER_NAME, UNKNOWN_TARGET } from '../rollups/rollup-types.js';
import { normalizeName } from './request-conventions.js';

/** Attributes of a series by normalised key. */
export type SeriesAttributes = ReadonlyMap<string, string>;

export function readAttributes(attributes: readonly (readonly [key: string, value: string])[]): SeriesAttributes {
  return new Map(attributes.map(([key, value]) => [normalizeName(key), value]));
}

/** The first attribute that is present and not empty; "" without any. */
export function readFirst(attributes: SeriesAttributes, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value !== undefined && value !== '') return value;
  }
  return '';
}

const NAMELESS = /^(?:unknown(?:_service(?::.*)?)?|-)?$/;

/**
 * True for what stands where a sender has no name: nothing, `unknown`, and `unknown_service` with or without a process
 * (default of `service.name`, OpenTelemetry resource semantic conventions).
 */
export function isNameless(name: string): boolean {
  return name === OTHER_NAME || NAMELESS.test(name);
}

/** In the order of contract §5, which names the virtual nodes of spans likewise; each old key follows its successor. */
const PEER_KEYS = [
  'peer_service',
  'db_namespace',
  'db_name',
  'messaging_destination_name',
  'messaging_destination',
  'server_address',
  'net_peer_name',
  'grpc_target',
  'client_name',
  'db_system_name',
  'db_system',
  'messaging_system',
  'rpc_service',
  'rpc_system',
];

/** Name of the called side; UNKNOWN_TARGET if no attribute names it. */
export function readPeer(attributes: SeriesAttributes): string {
  for (const key of PEER_KEYS) {
    const value = readFirst(attributes, key);
    if (value === '') continue;
    const peer = HOST_KEYS.has(key) ? stripHost(value) : value;
    return isNameless(peer) ? UNKNOWN_TARGET : peer;
  }
  return UNKNOWN_TARGET;
}

/** Keys whose values are addresses; what others name may contain colons. */
const HOST_KEYS: ReadonlySet<string> = new Set(['server_address', 'net_peer_name', 'grpc_target', 'client_name']);

/** `payment` from `dns:///payment:50051` and `payment:50051`, `::1` from `[::1]:50051`. */
function stripHost(address: string): string {
  const host = address.replace(/^[a-z]+:\/\/\/?/i, '').replace(/^(\[[^\]]*\]|[^:]*):\d+$/, '$1');
  return host.replace(/^\[([^\]]*)\]$/, '$1');
}

/** Fallback where nothing names what was requested. */
const ALL_REQUESTS = 'all requests';

/** Name of an entry operation, like span names of the same conventions: `GET /users/{id}`, `shop.Cart/Add`. */
export function readOperation(attributes: SeriesAttributes, protocol: string): string {
  switch (protocol) {
    case 'http':
      return join(
        ' ',
        readFirst(attributes, 'http_request_method', 'http_method', 'method'),
        readFirst(attributes, 'http_route', 'uri'),
      );
    case 'rpc':
      return join('/', readFirst(attributes, 'rpc_service'), readFirst(attributes, 'rpc_method', 'grpc_method'));
    case 'messaging':
      return join(
        ' ',
        readFirst(attributes, 'messaging_operation_name', 'messaging_operation', 'messaging_operation_type'),
        readFirst(attributes, 'messaging_destination_name', 'messaging_destination'),
      );
    default:
      return join('', readFirst(attributes, 'span_name', 'operation'));
  }
}

function join(separator: string, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(separator) || ALL_REQUESTS;
}

/** gRPC codes that are errors of a server (OpenTelemetry semantic conventions for gRPC spans). */
const SERVER_GRPC_ERRORS = new Set([
  '2',
  '4',
  '12',
  '13',
  '14',
  '15',
  'UNKNOWN',
  'DEADLINE_EXCEEDED',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);
const HTTP_STATUS = ['http_response_status_code', 'http_status_code', 'response_code', 'status_code', 'status'];
/** Connect has the codes of gRPC, by name. */
const GRPC_STATUS = [
  'rpc_grpc_status_code',
  'rpc_response_status_code',
  'grpc_response_status',
  'grpc_status',
  'rpc_connect_rpc_error_code',
];
/** Codes that are no errors of a server. */
const OTHER_GRPC_CODES =
  /^(?:[013]|[5-9]|1[016]|OK|CANCELLED|CANCELED|INVALID_ARGUMENT|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|RESOURCE_EXHAUSTED|FAILED_PRECONDITION|ABORTED|OUT_OF_RANGE|UNAUTHENTICATED)$/;

/** How the collector, the mesh and the service graph mark a failure. */
const FAILURE_WORDS: readonly (readonly [key: string, value: RegExp])[] = [
  ['status_code', /^(?:status_code_)?error$/i],
  ['classification', /^failure$/i],
  ['failed', /^true$/i],
];

/**
 * True if the series counts failed requests, by the rules for the status of spans: HTTP from 500 on, at the client from
 * 400 on; gRPC codes likewise; a status or a classification of the collector or the mesh; else `error.type`. An
 * `error.type` that only repeats a status of HTTP is judged as that status. One beside a request that a server refused
 * (400 to 499), or beside a gRPC code that is no error of a server, is the fault of the client.
 */
export function isFailed(attributes: SeriesAttributes, side: 'server' | 'client'): boolean {
  if (FAILURE_WORDS.some(([key, value]) => value.test(attributes.get(key) ?? ''))) return true;
  const grpc = readFirst(attributes, ...GRPC_STATUS).toUpperCase();
  if (grpc !== '' && (side === 'client' ? !/^(?:0|OK)$/.test(grpc) : SERVER_GRPC_ERRORS.has(grpc))) return true;
  const http = readFirst(attributes, ...HTTP_STATUS);
  if (isFailedHttp(http, side, attributes)) return true;
  const type = readFirst(attributes, 'error_type', 'exception');
  if (type === '' || /^none$/i.test(type) || /^4\d\d$/.test(http) || OTHER_GRPC_CODES.test(grpc)) return false;
  return /^\d+$/.test(type) ? http === '' && isFailedHttp(type, side, attributes) : true;
}

/** Meshes report 0 where the connection broke before an answer; without such a flag it says nothing. */
function isFailedHttp(status: string, side: 'server' | 'client', attributes: SeriesAttributes): boolean {
  if (!/^\d{1,3}$/.test(status)) return false;
  const code = Number(status);
  if (code === 0) return readFirst(attributes, 'response_flags').replace('-', '') !== '';
  return code >= (side === 'client' ? 400 : 500);
}
