/** Status in the recent minutes. */
export type NodeStatus = 'healthy' | 'degraded' | 'recovering' | 'unknown';

/** The parts of the service map and health responses that the graph needs. */
interface ServiceMapData {
  readonly services: readonly {
    readonly name: string;
    readonly type: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly recentStatus: NodeStatus;
    readonly causeOf?: object;
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly requestCount: number;
    readonly errorRate: number;
    readonly avgLatencyMs: number;
  }[];
}

interface ServiceHealthData {
  readonly serviceName: string;
  readonly avgLatencyMs: number;
}

/** Kind of a node. For dependencies without telemetry of their own it is guessed from their names. */
export type NodeKind = 'service' | 'worker' | 'client' | 'database' | 'queue' | 'external';

export interface MapNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Known only from calls to it. */
  readonly isVirtual: boolean;
  readonly status: NodeStatus;
  /** Requests per second. */
  readonly rate: number;
  readonly errorRate: number;
  /** Undefined if not known. */
  readonly avgLatencyMs: number | undefined;
  /** Diagnosed as a root cause. */
  readonly isCause?: boolean;
}

export interface MapEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly rate: number;
  readonly errorRate: number;
  readonly avgLatencyMs: number;
}

export interface MapGraph {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** Error rate (%) from which calls and dependencies are degraded. Services are rated by the settings of the Grid instead. */
const CRITICAL_ERROR_RATE = 5;

/** @param seconds length of the time window, for rates */
export function buildGraph(
  { services, edges }: ServiceMapData,
  health: readonly ServiceHealthData[],
  seconds: number,
): MapGraph {
  const healthByService = new Map(health.map((one) => [one.serviceName, one]));
  const real = new Set(services.map(({ name }) => name));
  const virtual = [...new Set(edges.flatMap(({ source, target }) => [source, target]))].filter(
    (name) => !real.has(name),
  );
  return {
    nodes: [
      ...services.map(({ name, type, requestCount, errorRate, recentStatus, causeOf }): MapNode => ({
        id: name,
        kind: toNodeKind(type),
        isVirtual: false,
        status: recentStatus,
        rate: requestCount / seconds,
        errorRate,
        avgLatencyMs: requestCount === 0 ? undefined : healthByService.get(name)?.avgLatencyMs,
        ...(causeOf !== undefined && { isCause: true }),
      })),
      ...virtual.map((name) => buildVirtualNode(name, edges, seconds)),
    ],
    edges: edges.map(({ source, target, requestCount, errorRate, avgLatencyMs }) => ({
      id: JSON.stringify([source, target]),
      source,
      target,
      rate: requestCount / seconds,
      errorRate,
      avgLatencyMs,
    })),
  };
}

function buildVirtualNode(name: string, edges: ServiceMapData['edges'], seconds: number): MapNode {
  const calls = edges.filter(({ target }) => target === name);
  const count = calls.reduce((sum, { requestCount }) => sum + requestCount, 0);
  const weightedAverage = (getValue: (call: ServiceMapData['edges'][number]) => number): number =>
    count === 0 ? 0 : calls.reduce((sum, call) => sum + getValue(call) * call.requestCount, 0) / count;
  const errorRate = weightedAverage((call) => call.errorRate);
  const status = count === 0 ? 'unknown' : errorRate >= CRITICAL_ERROR_RATE ? 'degraded' : 'healthy';
  return {
    id: name,
    kind: guessNodeKind(name),
    isVirtual: true,
    status,
    rate: count / seconds,
    errorRate,
    avgLatencyMs: count === 0 ? undefined : weightedAverage((call) => call.avgLatencyMs),
  };
}

function toNodeKind(type: string): NodeKind {
  if (type === 'CONSUMER') return 'worker';
  return type === 'CLIENT' || type === 'INTERNAL' ? 'client' : 'service';
}

const DATABASE_NAMES =
  /postgres|pgsql|mysql|maria|mongo|redis|valkey|memcache|sql|oracle|cassandra|dynamo|elastic|opensearch|clickhouse|database|(^|[-_.])(db|cache|store)([-_.]|$)/i;
const QUEUE_NAMES = /kafka|rabbit|amqp|nats|sqs|sns|pubsub|pulsar|queue|topic|jetstream|activemq/i;

function guessNodeKind(name: string): NodeKind {
  if (DATABASE_NAMES.test(name)) return 'database';
  return QUEUE_NAMES.test(name) ? 'queue' : 'external';
}

/** The graph with root causes marked. A dependency without telemetry of its own is degraded as a cause, since only its callers are judged. */
export function markCauses({ nodes, edges }: MapGraph, causes: ReadonlySet<string>): MapGraph {
  return {
    nodes: nodes.map((node) =>
      causes.has(node.id) ? { ...node, isCause: true, ...(node.isVirtual && { status: 'degraded' as const }) } : node,
    ),
    edges,
  };
}

/** The nodes whose names contain the text, with their callers and callees. Without a text: all. */
export function filterGraph({ nodes, edges }: MapGraph, text: string): MapGraph {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return { nodes, edges };
  const found = new Set(nodes.filter(({ id }) => id.toLowerCase().includes(wanted)).map(({ id }) => id));
  const near = edges.filter(({ source, target }) => found.has(source) || found.has(target));
  const shown = new Set([...found, ...near.flatMap(({ source, target }) => [source, target])]);
  return { nodes: nodes.filter(({ id }) => shown.has(id)), edges: near };
}

/** A visible node is only replaced by one with this many times its rate, so that nodes with similar rates do not flicker. */
const HYSTERESIS_FACTOR = 2;

/**
 * Reduces a graph to `limit` nodes with the edges between them: root causes and nodes on `path` first, then degraded nodes, then the busiest. The
 * rates of nodes in `visibleBefore` are multiplied by HYSTERESIS_FACTOR.
 */
export function selectNotableNodes(
  { nodes, edges }: MapGraph,
  limit: number,
  path: ReadonlySet<string>,
  visibleBefore: ReadonlySet<string>,
): MapGraph {
  if (nodes.length <= limit) return { nodes, edges };
  const rank = ({ id, status, isCause = false }: MapNode): number =>
    [isCause || path.has(id), status === 'degraded', true].indexOf(true);
  const weight = ({ id, rate }: MapNode): number => (visibleBefore.has(id) ? HYSTERESIS_FACTOR : 1) * rate;
  const shown = new Set(
    [...nodes]
      .sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a))
      .slice(0, limit)
      .map(({ id }) => id),
  );
  return {
    nodes: nodes.filter(({ id }) => shown.has(id)),
    edges: edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
  };
}

/** IDs of a node, its callers and its callees. */
export function findNeighbourhood({ edges }: MapGraph, id: string): ReadonlySet<string> {
  return new Set([
    id,
    ...edges
      .filter(({ source, target }) => source === id || target === id)
      .flatMap(({ source, target }) => [source, target]),
  ]);
}

/** Line width in px; grows logarithmically with the rate. */
export function computeEdgeWidth(rate: number): number {
  return Math.min(7, 1.25 + Math.log10(1 + rate * 10));
}

export function edgeLevel(errorRate: number): 'good' | 'warning' | 'critical' {
  if (errorRate >= CRITICAL_ERROR_RATE) return 'critical';
  return errorRate >= 1 ? 'warning' : 'good';
}
