import { isDistributionKind, type MetricRollup, type MetricSeriesRollup } from '../rollups/rollup-types.js';
import {
  readFirst,
  isFailed,
  isNameless,
  readAttributes,
  readOperation,
  readPeer,
  type SeriesAttributes,
} from './request-attributes.js';
import {
  type CallCategory,
  type ConventionMatch,
  findRequestConvention,
  type RequestConvention,
  type RequestOrigin,
} from './request-conventions.js';

/** Whose requests or calls a series counts: the same for all time buckets. */
export interface RequestMeaning {
  readonly origin: RequestOrigin;
  readonly protocol: string;
  /** Place of the convention in its list. */
  readonly rank: number;
  readonly category: CallCategory;
  readonly side: 'server' | 'client';
  /** The called service of a server row, the calling one of a client row; never nameless. */
  readonly service: string;
  /** Called side of a client row; "" for server rows. */
  readonly peer: string;
  /** Operation of a server row; "" for client rows. */
  readonly operation: string;
  readonly failed: boolean;
}

/** What one series of a time bucket says about requests to a service, or about calls from it to a peer. */
export interface RequestRow extends RequestMeaning {
  /** Instance that measured its own requests; "" if unknown. */
  readonly instance: string;
  readonly values: RowValues;
}

/** A counter, or a distribution of durations in a unit of `unitNs`. */
export type RowValues =
  | { readonly kind: 'requests' | 'failures'; readonly count: number }
  | {
      readonly kind: 'durations';
      readonly count: number;
      readonly series: MetricSeriesRollup;
      readonly unitNs: number;
    };

/** The ends of a call, as far as a series names them. */
type Ends = Pick<RequestMeaning, 'side' | 'category' | 'service' | 'peer'> & { readonly origin?: RequestOrigin };

/** The rows of a service's metrics, without those of nameless services. */
export function readRequestRows({ service, series }: MetricRollup): RequestRow[] {
  const rows: RequestRow[] = [];
  for (const each of series) {
    const match = findRequestConvention(each.metric);
    const values = match && readValues(each, match.convention, match.unit);
    if (match === undefined || values === undefined) continue;
    const instance = match.convention.origin === 'sdk' ? each.instance : '';
    for (const meaning of interpretSeries(match, service, each)) rows.push({ ...meaning, instance, values });
  }
  return rows;
}

/** Characters of the series to remember, about 8 MB with their meanings. */
const MAX_REMEMBERED = 2_000_000;

const cachedMeanings = new Map<string, readonly RequestMeaning[]>();
let rememberedCharacters = 0;

/**
 * Caches meanings: series are the same in every minute. All Grids share them, so the key differs for any two series:
 * each part stands behind its length, since texts may contain any character.
 */
function interpretSeries(
  match: ConventionMatch,
  sender: string,
  { metric, attributes }: MetricSeriesRollup,
): readonly RequestMeaning[] {
  let key = `${metric.length},${sender.length}:${metric}${sender}`;
  for (const [name, value] of attributes) key += `${name.length},${value.length}:${name}${value}`;
  let meanings = cachedMeanings.get(key);
  if (meanings === undefined) {
    meanings = interpret(match, sender, readAttributes(attributes));
    remember(key, meanings);
  }
  return meanings;
}

function remember(key: string, meanings: readonly RequestMeaning[]): void {
  if (rememberedCharacters + key.length > MAX_REMEMBERED) {
    cachedMeanings.clear();
    rememberedCharacters = 0;
  }
  if (key.length > MAX_REMEMBERED) return;
  cachedMeanings.set(key, meanings);
  rememberedCharacters += key.length;
}

function interpret(
  { convention, rank }: ConventionMatch,
  sender: string,
  attributes: SeriesAttributes,
): readonly RequestMeaning[] {
  const { requires, protocol } = convention;
  if (requires !== undefined && !requires.some((key) => attributes.has(key))) return [];
  return findEnds(convention, attributes, sender)
    .filter(({ service }) => !isNameless(service))
    .map(({ origin = convention.origin, ...ends }) => ({
      ...ends,
      origin,
      protocol,
      rank,
      operation: ends.side === 'server' ? readOperation(attributes, protocol) : '',
      failed: isFailed(attributes, ends.side),
    }));
}

/** Undefined for kinds that count nothing, and where nothing was counted. */
function readValues(
  series: MetricSeriesRollup,
  { failuresOnly, unit }: RequestConvention,
  suffix: string | undefined,
): RowValues | undefined {
  if (isDistributionKind(series.kind)) {
    if (series.count <= 0) return undefined;
    const { count } = series;
    return { kind: 'durations', count, series, unitNs: unitToNs(series.unit) ?? unitToNs(suffix) ?? unitToNs(unit)! };
  }
  const count = Math.round(series.sum);
  if (series.kind !== 'sum' || !series.monotonic || !(count > 0)) return undefined;
  return { kind: failuresOnly === true ? 'failures' : 'requests', count };
}

/** UCUM codes and the words of Prometheus. */
function unitToNs(unit: string | undefined): number | undefined {
  switch (unit?.toLowerCase()) {
    case 's':
    case 'sec':
    case 'second':
    case 'seconds':
      return 1e9;
    case 'ms':
    case 'millisecond':
    case 'milliseconds':
      return 1e6;
    case 'us':
    case 'µs':
    case 'microseconds':
      return 1e3;
    case 'ns':
    case 'nanoseconds':
      return 1;
    default:
      return undefined;
  }
}

function findEnds(convention: RequestConvention, attributes: SeriesAttributes, sender: string): Ends[] {
  switch (convention.origin) {
    case 'sdk':
      return findSdkEnds(convention, attributes, sender);
    case 'spans':
      return findSpanEnds(attributes, sender);
    case 'graph':
      return findGraphEnds(convention, attributes);
    default:
      return convention.protocol === 'istio' ? findIstioEnds(attributes) : findLinkerdEnds(attributes, sender);
  }
}

/** Operations of messaging clients that are no calls: they wait for messages, or confirm them. */
const PASSIVE_MESSAGING = /^(?:receive|poll|settle|ack|nack|commit|process|create)$/i;

function findSdkEnds({ side, category }: RequestConvention, attributes: SeriesAttributes, sender: string): Ends[] {
  if (side === 'server') return [{ side, category, service: sender, peer: '' }];
  const messaging = readFirst(
    attributes,
    'messaging_operation_type',
    'messaging_operation_name',
    'messaging_operation',
  );
  if (category === 'messaging' && PASSIVE_MESSAGING.test(messaging)) return [];
  return [{ side: 'client', category, service: sender, peer: readPeer(attributes) }];
}

function findSpanEnds(attributes: SeriesAttributes, sender: string): Ends[] {
  const service = readFirst(attributes, 'service_name', 'service') || sender;
  switch (readFirst(attributes, 'span_kind').toUpperCase().replace('SPAN_KIND_', '')) {
    case 'SERVER':
      return [{ side: 'server', category: 'request', service, peer: '' }];
    case 'CONSUMER':
      return [{ side: 'server', category: 'messaging', service, peer: '' }];
    case 'CLIENT': {
      const category =
        readFirst(attributes, 'db_system_name', 'db_system', 'db_namespace', 'db_name') === '' ? 'request' : 'database';
      return [{ side: 'client', category, service, peer: readPeer(attributes) }];
    }
    case 'PRODUCER':
      return [{ side: 'client', category: 'messaging', service, peer: readPeer(attributes) }];
    default:
      return [];
  }
}

/** `connection_type` is empty for a call between two services with spans; else one end is only known by the other. */
function findGraphEnds({ side }: RequestConvention, attributes: SeriesAttributes): Ends[] {
  const type = readFirst(attributes, 'connection_type');
  const [client, server] = [readFirst(attributes, 'client'), readFirst(attributes, 'server')];
  const category: CallCategory =
    type === 'messaging_system' ? 'messaging' : type === 'database' ? 'database' : 'request';
  const ends: Ends[] = [];
  if (side !== 'server')
    ends.push({ side: 'client', category, service: client === 'user' ? '' : client, peer: server });
  // A virtual node sends nothing itself: only `user`, who calls from outside, makes the other end a real service.
  const isVirtual = type === 'database' || (type === 'virtual_node' && client !== 'user');
  if (side !== 'client' && !isVirtual) ends.push({ side: 'server', category, service: server, peer: '' });
  return ends.map((each) =>
    each.peer === '' && each.side === 'client' ? { ...each, peer: readPeer(attributes) } : each,
  );
}

/**
 * The reporter at the destination measures the requests of a service, the one at the source its calls. Each also names
 * the other end, which counts only where that end does not report.
 */
function findIstioEnds(attributes: SeriesAttributes): Ends[] {
  const source = readIstioName(attributes, 'source');
  const destination = readIstioName(attributes, 'destination');
  const peer =
    destination ||
    stripNamespace(readFirst(attributes, 'destination_service_name', 'destination_service')) ||
    'unknown';
  const isOwn = readFirst(attributes, 'reporter') === 'destination';
  return [
    { side: 'server', category: 'request', service: destination, peer: '', origin: isOwn ? 'mesh' : 'peer' },
    { side: 'client', category: 'request', service: source, peer, origin: isOwn ? 'peer' : 'mesh' },
  ];
}

function readIstioName(attributes: SeriesAttributes, end: 'source' | 'destination'): string {
  const names = ['canonical_service', 'app', 'workload'].map((kind) => readFirst(attributes, `${end}_${kind}`));
  return names.find((name) => !isNameless(name)) ?? '';
}

/** `payment` from `payment.shop.svc.cluster.local`. */
function stripNamespace(host: string): string {
  return /\.svc(\.|$)/.test(host) ? host.slice(0, host.indexOf('.')) : host;
}

const WORKLOADS = ['deployment', 'statefulset', 'daemonset', 'workload_name', 'app'];

function findLinkerdEnds(attributes: SeriesAttributes, sender: string): Ends[] {
  const service = readFirst(attributes, ...WORKLOADS) || sender;
  if (readFirst(attributes, 'direction') === 'inbound')
    return [{ side: 'server', category: 'request', service, peer: '' }];
  const authority = readFirst(attributes, 'authority').replace(/:\d+$/, '');
  const peer =
    readFirst(attributes, ...WORKLOADS.map((kind) => `dst_${kind}`), 'dst_service') || stripNamespace(authority);
  return [{ side: 'client', category: 'request', service, peer: peer || 'unknown' }];
}
