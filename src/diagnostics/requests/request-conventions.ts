/**
 * Which metrics report requests or calls, and how they are read. Names as OpenTelemetry, Prometheus and their
 * translations write them are equal after `normalizeName`.
 *
 * Sources: OpenTelemetry semantic conventions for HTTP, RPC, database and messaging metrics (current names, and those
 * before their stabilisation), the connectors `spanmetrics` and `servicegraph` of the OpenTelemetry Collector, the
 * metrics generator of Grafana Tempo, "Standard Metrics" of Istio, "Proxy Metrics" of Linkerd, gRPC proposal A66,
 * Micrometer's `http.server.requests`.
 */

/** Who measured: the program itself, a collector from its spans, a proxy beside it, or the proxy of the other end. */
export type RequestOrigin = 'sdk' | 'spans' | 'graph' | 'mesh' | 'peer';

/** Calls of different categories are measured independently of each other. */
export type CallCategory = 'request' | 'messaging' | 'database';

export interface RequestConvention {
  /** Normalised, without suffixes for units and totals. */
  readonly names: readonly string[];
  readonly origin: RequestOrigin;
  /** Metrics of one origin and protocol measure the same requests: only the one listed first is counted. */
  readonly protocol: string;
  /** The measuring end; `attributes`: stated by each series. */
  readonly side: 'server' | 'client' | 'both' | 'attributes';
  readonly category: CallCategory;
  /** Unit of durations where neither the metric nor the suffix of its name states one. */
  readonly unit: 's' | 'ms';
  /** The values are failed requests, which another metric of the protocol contains. */
  readonly failuresOnly?: true;
  /** Attributes (normalised) of which a series must have one, for names that others use too. */
  readonly requires?: readonly string[];
}

const SPAN_KIND = ['span_kind'];
const DIRECTION = ['direction'];

export const REQUEST_CONVENTIONS: readonly RequestConvention[] = [
  sdk('http', 'server', 's', 'http_server_request_duration'),
  sdk('http', 'server', 'ms', 'http_server_duration'),
  sdk('http', 'server', 's', 'http_server_requests'),
  sdk('rpc', 'server', 's', 'rpc_server_call_duration'),
  sdk('rpc', 'server', 'ms', 'rpc_server_duration'),
  sdk('rpc', 'server', 's', 'grpc_server_call_duration'),
  { ...sdk('messaging', 'server', 's', 'messaging_process_duration'), category: 'messaging' },
  sdk('http', 'client', 's', 'http_client_request_duration'),
  sdk('http', 'client', 'ms', 'http_client_duration'),
  sdk('http', 'client', 's', 'http_client_requests'),
  sdk('rpc', 'client', 's', 'rpc_client_call_duration'),
  sdk('rpc', 'client', 'ms', 'rpc_client_duration'),
  sdk('rpc', 'client', 's', 'grpc_client_call_duration'),
  sdk('rpc', 'client', 's', 'grpc_client_attempt_duration'),
  { ...sdk('db', 'client', 's', 'db_client_operation_duration'), category: 'database' },
  { ...sdk('messaging', 'client', 's', 'messaging_client_operation_duration'), category: 'messaging' },
  { ...sdk('messaging', 'client', 's', 'messaging_publish_duration'), category: 'messaging' },
  fromSpans('ms', undefined, 'traces_span_metrics_duration', 'traces_spanmetrics_duration', 'span_metrics_duration'),
  fromSpans('s', undefined, 'traces_spanmetrics_latency'),
  fromSpans('ms', SPAN_KIND, 'duration', 'latency'),
  fromSpans('ms', undefined, 'traces_span_metrics_calls', 'traces_spanmetrics_calls', 'span_metrics_calls'),
  fromSpans('ms', SPAN_KIND, 'calls'),
  graph('server', 'traces_service_graph_request_server'),
  graph('client', 'traces_service_graph_request_client'),
  graph('both', 'traces_service_graph_request'),
  { ...graph('both', 'traces_service_graph_request_failed'), failuresOnly: true },
  mesh('istio', undefined, 'istio_request_duration'),
  mesh('istio', undefined, 'istio_requests'),
  mesh('linkerd', DIRECTION, 'response_latency'),
  mesh('linkerd', DIRECTION, 'response'),
  mesh('linkerd', DIRECTION, 'request'),
];

/** A convention and its place in the list: of one protocol the smaller one counts. */
export interface ConventionMatch {
  readonly convention: RequestConvention;
  readonly rank: number;
  /** Unit in the suffix of the name. */
  readonly unit: string | undefined;
}

/** Longest name of a convention with its prefix and suffixes; longer names are not looked up. */
const MAX_LENGTH = 100;

/** Names without a convention to remember. */
const MAX_REMEMBERED = 20_000;

const matches = new Map<string, ConventionMatch | undefined>();
const conventionByName = new Map(
  REQUEST_CONVENTIONS.flatMap((convention, rank) => convention.names.map((name) => [name, { convention, rank }])),
);

/** The convention of a metric name; undefined for metrics that report no requests. Cached. */
export function findRequestConvention(metric: string): ConventionMatch | undefined {
  if (metric.length > MAX_LENGTH) return undefined;
  if (matches.has(metric)) return matches.get(metric);
  const [, name, unit] = NAME_PARTS.exec(normalizeName(metric))!;
  const found = conventionByName.get(name);
  const match = found === undefined ? undefined : { ...found, unit };
  if (matches.size >= MAX_REMEMBERED) matches.clear();
  matches.set(metric, match);
  return match;
}

/** Name, unit and the suffix of counters, as the Prometheus exporters of OpenTelemetry compose them. */
const NAME_PARTS = /^(.*?)(?:_(seconds|milliseconds|ms))?(?:_total)?$/;

/** Metric names and attribute keys with every separator as `_`, in lower case. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

function sdk(
  protocol: string,
  side: 'server' | 'client',
  unit: RequestConvention['unit'],
  ...names: readonly string[]
): RequestConvention {
  return { names, origin: 'sdk', protocol, side, category: 'request', unit };
}

function fromSpans(
  unit: RequestConvention['unit'],
  requires: readonly string[] | undefined,
  ...names: readonly string[]
): RequestConvention {
  return { names, origin: 'spans', protocol: 'spans', side: 'attributes', category: 'request', unit, requires };
}

function graph(side: 'server' | 'client' | 'both', name: string): RequestConvention {
  return { names: [name], origin: 'graph', protocol: 'graph', side, category: 'request', unit: 's' };
}

function mesh(protocol: string, requires: readonly string[] | undefined, name: string): RequestConvention {
  return { names: [name], origin: 'mesh', protocol, side: 'attributes', category: 'request', unit: 'ms', requires };
}
