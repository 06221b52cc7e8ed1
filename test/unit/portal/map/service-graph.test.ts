import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  markCauses,
  edgeLevel,
  filterGraph,
  buildGraph,
  findNeighbourhood,
  selectNotableNodes,
  computeEdgeWidth,
  type MapGraph,
} from '../../../../portal/src/pages/map/service-graph.js';

const NAMES = ['shop', 'orders', 'postgres', 'order-queue', 'api.example.org', 'mailer'];
const name = fc.constantFrom(...NAMES);
const edge = fc.record({
  source: name,
  target: name,
  requestCount: fc.nat(1_000),
  errorRate: fc.nat(100),
  avgLatencyMs: fc.nat(5_000),
});
const service = fc.record({
  name,
  type: fc.constantFrom('SERVER', 'CONSUMER', 'CLIENT'),
  requestCount: fc.nat(1_000),
  errorRate: fc.nat(100),
  recentStatus: fc.constantFrom('healthy' as const, 'degraded' as const, 'recovering' as const, 'unknown' as const),
});
const map = fc.record({
  services: fc.uniqueArray(service, { selector: (one) => one.name }),
  edges: fc.uniqueArray(edge, { selector: ({ source, target }) => `${source} ${target}` }),
});

describe('service graph', () => {
  it('contains every service and edge end once, and edges between nodes only', () => {
    fc.assert(
      fc.property(map, (given) => {
        const { nodes, edges } = buildGraph(given, [], 60);
        const ids = nodes.map(({ id }) => id);
        assert.deepEqual(
          [...ids].sort(),
          [
            ...new Set([
              ...given.services.map((one) => one.name),
              ...given.edges.flatMap(({ source, target }) => [source, target]),
            ]),
          ].sort(),
        );
        assert.equal(edges.length, given.edges.length);
        assert.equal(new Set(edges.map(({ id }) => id)).size, edges.length);
        for (const { source, target } of edges) assert.ok(ids.includes(source) && ids.includes(target));
        for (const { id, isVirtual } of nodes) assert.equal(isVirtual, !given.services.some((one) => one.name === id));
      }),
    );
  });

  it('rates services by health, and dependencies by failed calls to them', () => {
    const { nodes } = buildGraph(
      {
        services: [{ name: 'shop', type: 'SERVER', requestCount: 120, errorRate: 2, recentStatus: 'degraded' }],
        edges: [
          { source: 'shop', target: 'postgres', requestCount: 30, errorRate: 20, avgLatencyMs: 40 },
          { source: 'other', target: 'postgres', requestCount: 90, errorRate: 0, avgLatencyMs: 80 },
        ],
      },
      [{ serviceName: 'shop', avgLatencyMs: 12 }],
      60,
    );
    assert.deepEqual(nodes, [
      { id: 'shop', kind: 'service', isVirtual: false, status: 'degraded', rate: 2, errorRate: 2, avgLatencyMs: 12 },
      {
        id: 'postgres',
        kind: 'database',
        isVirtual: true,
        status: 'degraded',
        rate: 2,
        errorRate: 5,
        avgLatencyMs: 70,
      },
      {
        id: 'other',
        kind: 'external',
        isVirtual: true,
        status: 'unknown',
        rate: 0,
        errorRate: 0,
        avgLatencyMs: undefined,
      },
    ]);
  });

  it('guesses the kind of dependencies from their names', () => {
    const kindOf = (target: string): string | undefined =>
      buildGraph(
        {
          services: [{ name: 'a', type: 'SERVER', requestCount: 1, errorRate: 0, recentStatus: 'healthy' }],
          edges: [{ source: 'a', target, requestCount: 1, errorRate: 0, avgLatencyMs: 1 }],
        },
        [],
        1,
      ).nodes[1]?.kind;
    assert.deepEqual(
      [
        'postgres',
        'orders-db',
        'redis:6379',
        'order-events-topic',
        'kafka',
        'payments.example.org',
        'dbase',
        'unknown',
      ].map(kindOf),
      ['database', 'database', 'database', 'queue', 'queue', 'external', 'external', 'external'],
    );
  });

  it('filters by name, keeping neighbours', () => {
    fc.assert(
      fc.property(map, fc.constantFrom('shop', 'ORD', ' q', 'nobody', ''), (given, text) => {
        const graph = buildGraph(given, [], 60);
        const { nodes, edges } = filterGraph(graph, text);
        const has = (id: string): boolean => id.toLowerCase().includes(text.trim().toLowerCase());
        for (const { source, target } of edges) assert.ok(has(source) || has(target));
        for (const { id } of graph.nodes) {
          const isNear = graph.edges.some(
            ({ source, target }) => (source === id && has(target)) || (target === id && has(source)),
          );
          assert.equal(
            nodes.some((node) => node.id === id),
            has(id) || isNear,
          );
        }
      }),
    );
  });

  it('finds a node with its callers and callees', () => {
    const { edges } = buildGraph(
      {
        services: [],
        edges: [
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'd'],
        ].map(([source = '', target = '']) => ({ source, target, requestCount: 1, errorRate: 0, avgLatencyMs: 1 })),
      },
      [],
      1,
    );
    assert.deepEqual([...findNeighbourhood({ nodes: [], edges }, 'b')].sort(), ['a', 'b', 'c']);
  });

  it('draws edges with more calls wider, within bounds', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)];
          assert.ok(
            computeEdgeWidth(less) <= computeEdgeWidth(more) &&
              computeEdgeWidth(less) >= 1 &&
              computeEdgeWidth(more) <= 7,
          );
        },
      ),
    );
  });

  it('rates failing calls', () => {
    assert.deepEqual([0, 0.9, 1, 4.99, 5, 100].map(edgeLevel), [
      'good',
      'good',
      'warning',
      'warning',
      'critical',
      'critical',
    ]);
  });

  it('reduces large graphs to root causes, their paths, degraded and the busiest nodes, preferring visible ones', () => {
    const services = 'abcdefgh'.split('').map((one, index) => ({
      name: one,
      type: 'SERVER',
      requestCount: index,
      errorRate: 0,
      recentStatus: one === 'b' ? ('degraded' as const) : ('healthy' as const),
    }));
    const edges = [
      ['a', 'b'],
      ['b', 'g'],
      ['g', 'h'],
    ].map(([source, target]) => ({ source: source, target: target, requestCount: 1, errorRate: 0, avgLatencyMs: 1 }));
    const graph = markCauses(
      buildGraph({ services, edges }, [{ serviceName: 'b', avgLatencyMs: 1 }], 1),
      new Set(['a']),
    );
    const idsOf = ({ nodes }: MapGraph): string => nodes.map(({ id }) => id).join('');
    const none = new Set<string>();
    assert.equal(idsOf(selectNotableNodes(graph, 1, none, none)), 'a');
    assert.equal(idsOf(selectNotableNodes(graph, 2, none, none)), 'ab');
    assert.equal(idsOf(selectNotableNodes(graph, 3, none, none)), 'abh');
    assert.equal(idsOf(selectNotableNodes(graph, 3, none, new Set(['e']))), 'abe');
    assert.equal(idsOf(selectNotableNodes(graph, 3, none, new Set(['d']))), 'abh');
    assert.equal(idsOf(selectNotableNodes(graph, 3, new Set(['c']), new Set(['e']))), 'abc');
    assert.deepEqual(
      selectNotableNodes(graph, 3, none, new Set(['g'])).edges.map(({ id }) => id),
      ['["a","b"]', '["b","g"]'],
    );
    assert.deepEqual(selectNotableNodes(graph, 8, none, none), graph);
  });
});
