/** What the service says of a map and of health, as far as a graph is made of it. */
interface ServiceMapData {
  readonly services: readonly {
    readonly name: string;
    readonly type: string;
    readonly requestCount: number;
    readonly errorRate: number;
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
  readonly status: string;
  readonly avgLatencyMs: number;
}

/** What a node is. Those that send nothing themselves are known by their callers and told apart by their names alone. */
export type NodeKind = 'service' | 'worker' | 'client' | 'database' | 'queue' | 'external';

export interface MapNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Known only by calls to it. */
  readonly isVirtual: boolean;
  readonly status: 'healthy' | 'degraded' | 'unknown';
  /** Requests a second. */
  readonly rate: number;
  readonly errorRate: number;
  /** Undefined where nothing tells it. */
  readonly avgLatencyMs: number | undefined;
  /** Is to blame for something. */
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

/** From here on calls fail so often that it is a matter of health; the service judges its own nodes by the Grid's settings. */
const CRITICAL_ERROR_RATE = 5;

/** The graph of a window that lasts so many seconds. */
export function buildGraph(
  { services, edges }: ServiceMapData,
  health: readonly ServiceHealthData[],
  seconds: number,
): MapGraph {
  const known = new Map(health.map((one) => [one.serviceName, one]));
  const real = new Set(services.map(({ name }) => name));
  const virtual = [...new Set(edges.flatMap(({ source, target }) => [source, target]))].filter(
    (name) => !real.has(name),
  );
  return {
    nodes: [
      ...services.map(({ name, type, requestCount, errorRate }): MapNode => {
        const told = known.get(name);
        const status = told === undefined ? 'unknown' : told.status === 'healthy' ? 'healthy' : 'degraded';
        return {
          id: name,
          kind: toNodeKind(type),
          isVirtual: false,
          status,
          rate: requestCount / seconds,
          errorRate,
          avgLatencyMs: requestCount === 0 ? undefined : told?.avgLatencyMs,
        };
      }),
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
  const share = (of: (call: ServiceMapData['edges'][number]) => number): number =>
    count === 0 ? 0 : calls.reduce((sum, call) => sum + of(call) * call.requestCount, 0) / count;
  const errorRate = share((call) => call.errorRate);
  const status = count === 0 ? 'unknown' : errorRate >= CRITICAL_ERROR_RATE ? 'degraded' : 'healthy';
  return {
    id: name,
    kind: guessNodeKind(name),
    isVirtual: true,
    status,
    rate: count / seconds,
    errorRate,
    avgLatencyMs: count === 0 ? undefined : share((call) => call.avgLatencyMs),
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

/** The same graph with those marked that are to blame. */
export function markCauses({ nodes, edges }: MapGraph, causes: ReadonlySet<string>): MapGraph {
  return { nodes: nodes.map((node) => (causes.has(node.id) ? { ...node, isCause: true } : node)), edges };
}

/** The nodes whose name holds the text, with everything that they call or are called by. No text: all. */
export function filterGraph({ nodes, edges }: MapGraph, text: string): MapGraph {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return { nodes, edges };
  const found = new Set(nodes.filter(({ id }) => id.toLowerCase().includes(wanted)).map(({ id }) => id));
  const near = edges.filter(({ source, target }) => found.has(source) || found.has(target));
  const shown = new Set([...found, ...near.flatMap(({ source, target }) => [source, target])]);
  return { nodes: nodes.filter(({ id }) => shown.has(id)), edges: near };
}

/** What is drawn gives way to what is so many times as busy: names of about the same rate do not come and go. */
const HYSTERESIS_FACTOR = 2;

/**
 * Of a graph with more than `most` nodes those that matter: what is to blame or on the `path` of it, what is degraded, and then the busiest; with the calls
 * between them. What was shown `before` counts as `STEADINESS` times as busy as it is.
 */
export function selectNotableNodes(
  { nodes, edges }: MapGraph,
  most: number,
  path: ReadonlySet<string>,
  before: ReadonlySet<string>,
): MapGraph {
  if (nodes.length <= most) return { nodes, edges };
  const rank = ({ id, status, isCause = false }: MapNode): number =>
    [isCause || path.has(id), status === 'degraded', true].indexOf(true);
  const weight = ({ id, rate }: MapNode): number => (before.has(id) ? HYSTERESIS_FACTOR : 1) * rate;
  const shown = new Set(
    [...nodes]
      .sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a))
      .slice(0, most)
      .map(({ id }) => id),
  );
  return {
    nodes: nodes.filter(({ id }) => shown.has(id)),
    edges: edges.filter(({ source, target }) => shown.has(source) && shown.has(target)),
  };
}

/** A node, and what it calls or is called by. */
export function findNeighbourhood({ edges }: MapGraph, id: string): ReadonlySet<string> {
  return new Set([
    id,
    ...edges
      .filter(({ source, target }) => source === id || target === id)
      .flatMap(({ source, target }) => [source, target]),
  ]);
}

/** Width of a line in px: it grows with the rate, slowly, so that the busiest does not bury the rest. */
export function computeEdgeWidth(rate: number): number {
  return Math.min(7, 1.25 + Math.log10(1 + rate * 10));
}

export function edgeLevel(errorRate: number): 'good' | 'warning' | 'critical' {
  if (errorRate >= CRITICAL_ERROR_RATE) return 'critical';
  return errorRate >= 1 ? 'warning' : 'good';
}
