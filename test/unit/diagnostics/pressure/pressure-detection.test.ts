import assert from 'node:assert/strict';
import type { PressurePoint } from '../../../../src/diagnostics/diagnostic-results.js';
import { findPressurePoints, computeUtilizations } from '../../../../src/diagnostics/pressure/pressure-detection.js';
import type { MetricRollup, MetricSeriesRollup, TimeBucket } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { resolveAnalysisWindows, MINUTE_MS, DEFAULT_WINDOW_LENGTHS } from '../../../../src/diagnostics/time-windows.js';

const NOW_MINUTE = 29_000_000;
const NOW_MS = NOW_MINUTE * MINUTE_MS + 30_000;
const FRAMES = resolveAnalysisWindows({}, NOW_MS, DEFAULT_WINDOW_LENGTHS);

type Attributes = Readonly<Record<string, string>>;

/** A value of a series, to be dated by `at`. */
type Value = Omit<MetricSeriesRollup, 'lastUs'>;

function gauge(metric: string, last: number, attributes: Attributes = {}, instance = '', unit = '1'): Value {
  return {
    metric,
    unit,
    kind: 'gauge',
    monotonic: false,
    instance,
    attributes: Object.entries(attributes),
    points: 1,
    sum: last,
    count: 1,
    min: last,
    max: last,
    last,
    buckets: [],
    quantiles: [],
    exemplars: [],
  };
}

/** Minutes before the one that runs now; points come at second 10. */
function at(minutesAgo: number, ...values: Value[]): TimeBucket<MetricRollup> {
  const minute = NOW_MINUTE - minutesAgo;
  return {
    minute,
    minutes: 1,
    value: {
      service: 'cart',
      series: values.map((value) => ({ ...value, lastUs: (minute * MINUTE_MS + 10_000) * 1000 })),
    },
  };
}

function pointsOf(...metrics: TimeBucket<MetricRollup>[]): PressurePoint[] {
  return findPressurePoints({ metrics: [...metrics].sort((a, b) => a.minute - b.minute) }, FRAMES);
}

type Shown = Partial<PressurePoint>;

function shown({ capacity, queueDepth, resource, severity, type, utilization }: PressurePoint): Shown {
  return { type, resource, utilization, capacity, queueDepth, severity };
}

const cpu = (share: number, instance = ''): Value => gauge('jvm.cpu.recent_utilization', share, {}, instance);
const state = (value: string, key = 'db.client.connection.state'): Attributes => ({
  'db.client.connection.pool.name': 'orders',
  [key]: value,
});
const orders = { 'db.client.connection.pool.name': 'orders' };

describe('pressure points', () => {
  it('contain only finite numbers, whatever senders report', () => {
    const count = (used: number, pool = ''): Value =>
      gauge('db.client.connection.count', used, { ...state('used'), pool });
    const max = (capacity: number, pool = ''): Value =>
      gauge('db.client.connection.max', capacity, { ...orders, pool });
    const pending = (waiting: number, pool = ''): Value =>
      gauge('db.client.connection.pending_requests', waiting, { ...orders, pool });
    const absurd: Value[][] = [
      [count(1e306), max(1)],
      [count(1e308), max(1)],
      [count(1.7e308), count(1.7e308, 'b'), max(10)],
      [count(2), max(1.7e308), max(1.7e308, 'b'), pending(3)],
      [count(2), max(5e-324), pending(1.7e308), pending(1.7e308, 'b')],
      [count(-0), max(10), pending(1)],
    ];
    for (const values of absurd) {
      for (const { capacity, queueDepth, utilization } of pointsOf(at(1, ...values))) {
        for (const received of [capacity, queueDepth, utilization])
          assert.ok(Number.isFinite(received) && !Object.is(received, -0), JSON.stringify(values));
      }
    }
  });
  const conventions: readonly { readonly name: string; readonly given: readonly Value[]; readonly then: Shown }[] = [
    {
      name: 'a connection pool by the present names',
      given: [
        gauge('db.client.connection.count', 9, state('used')),
        gauge('db.client.connection.count', 1, state('idle')),
        gauge('db.client.connection.max', 10, orders),
        gauge('db.client.connection.pending_requests', 4, orders),
      ],
      then: {
        type: 'connection_pool',
        resource: 'orders',
        utilization: 90,
        capacity: 10,
        queueDepth: 4,
        severity: 'critical',
      },
    },
    {
      name: 'a connection pool by the former names',
      given: [
        gauge('db.client.connections.usage', 15, { 'pool.name': 'main', state: 'used' }),
        gauge('db.client.connections.usage', 3, { 'pool.name': 'main', state: 'idle' }),
        gauge('db.client.connections.max', 20, { 'pool.name': 'main' }),
      ],
      then: {
        type: 'connection_pool',
        resource: 'main',
        utilization: 75,
        capacity: 20,
        queueDepth: 0,
        severity: 'info',
      },
    },
    {
      name: 'a connection pool without a maximum by its open connections',
      given: [
        gauge('db.client.connections.usage', 5, {
          'db.client.connections.pool.name': 'main',
          'db.client.connections.state': 'used',
        }),
        gauge('db.client.connections.usage', 1, {
          'db.client.connections.pool.name': 'main',
          'db.client.connections.state': 'idle',
        }),
      ],
      then: {
        type: 'connection_pool',
        resource: 'main',
        utilization: 83.33,
        capacity: 6,
        queueDepth: 0,
        severity: 'warning',
      },
    },
    {
      name: 'a connection pool of HikariCP',
      given: [
        gauge('hikaricp.connections.active', 10, { pool: 'HikariPool-1' }),
        gauge('hikaricp.connections.idle', 0, { pool: 'HikariPool-1' }),
        gauge('hikaricp.connections.max', 10, { pool: 'HikariPool-1' }),
        gauge('hikaricp.connections.pending', 7, { pool: 'HikariPool-1' }),
      ],
      then: {
        type: 'connection_pool',
        resource: 'HikariPool-1',
        utilization: 100,
        capacity: 10,
        queueDepth: 7,
        severity: 'critical',
      },
    },
    {
      name: 'a thread pool of .NET, which knows no maximum, by its queue',
      given: [gauge('dotnet.thread_pool.thread.count', 24), gauge('dotnet.thread_pool.queue.length', 130)],
      then: {
        type: 'thread_pool',
        resource: '.NET thread pool',
        utilization: 0,
        capacity: 24,
        queueDepth: 130,
        severity: 'warning',
      },
    },
    {
      name: 'an executor of Micrometer',
      given: [
        gauge('executor.active', 7, { name: 'mailer' }),
        gauge('executor.pool.max', 8, { name: 'mailer' }),
        gauge('executor.queued', 0, { name: 'mailer' }),
      ],
      then: {
        type: 'thread_pool',
        resource: 'mailer',
        utilization: 87.5,
        capacity: 8,
        queueDepth: 0,
        severity: 'warning',
      },
    },
    {
      name: 'Tomcat by Micrometer',
      given: [
        gauge('tomcat.threads.busy', 200, { name: 'http-nio-8080' }),
        gauge('tomcat.threads.config.max', 200, { name: 'http-nio-8080' }),
      ],
      then: {
        type: 'thread_pool',
        resource: 'http-nio-8080',
        utilization: 100,
        capacity: 200,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'Tomcat by JMX',
      given: [
        gauge('tomcat.thread.busy.count', 150, { 'tomcat.thread.pool.name': 'http-nio-8080' }),
        gauge('tomcat.thread.limit', 200, { 'tomcat.thread.pool.name': 'http-nio-8080' }),
      ],
      then: {
        type: 'thread_pool',
        resource: 'http-nio-8080',
        utilization: 75,
        capacity: 200,
        queueDepth: 0,
        severity: 'info',
      },
    },
    {
      name: 'a queue of the SDK',
      given: [
        gauge('otel.sdk.processor.span.queue.size', 2000, { 'otel.component.name': 'batching_span_processor/0' }),
        gauge('otel.sdk.processor.span.queue.capacity', 2048, { 'otel.component.name': 'batching_span_processor/0' }),
      ],
      then: {
        type: 'queue',
        resource: 'batching_span_processor/0',
        utilization: 97.66,
        capacity: 2048,
        queueDepth: 2000,
        severity: 'critical',
      },
    },
    {
      name: 'any queue that tells depth and capacity',
      given: [gauge('messaging.orders.queue.depth', 720), gauge('messaging.orders.queue.capacity', 1000)],
      then: {
        type: 'queue',
        resource: 'messaging.orders.queue',
        utilization: 72,
        capacity: 1000,
        queueDepth: 720,
        severity: 'info',
      },
    },
    {
      name: 'an event loop',
      given: [gauge('nodejs.eventloop.utilization', 0.9123456)],
      then: {
        type: 'event_loop',
        resource: 'event loop',
        utilization: 91.23,
        capacity: 0,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'CPUs by mode and number',
      given: [
        gauge('system.cpu.utilization', 0.7, { 'cpu.mode': 'user', 'cpu.logical_number': '0' }),
        gauge('system.cpu.utilization', 0.1, { 'cpu.mode': 'system', 'cpu.logical_number': '0' }),
        gauge('system.cpu.utilization', 0.2, { 'cpu.mode': 'idle', 'cpu.logical_number': '0' }),
        gauge('system.cpu.utilization', 0.9, { 'cpu.mode': 'user', 'cpu.logical_number': '1' }),
        gauge('system.cpu.utilization', 0.1, { 'cpu.mode': 'iowait', 'cpu.logical_number': '1' }),
      ],
      then: { type: 'cpu', resource: 'system CPU', utilization: 85, capacity: 0, queueDepth: 0, severity: 'warning' },
    },
    {
      name: 'the CPU of a process',
      given: [
        gauge('process.cpu.utilization', 0.5, { 'cpu.mode': 'user' }),
        gauge('process.cpu.utilization', 0.25, { 'cpu.mode': 'system' }),
      ],
      then: { type: 'cpu', resource: 'process CPU', utilization: 75, capacity: 0, queueDepth: 0, severity: 'info' },
    },
    {
      name: 'the CPU of a JVM',
      given: [cpu(0.8)],
      then: { type: 'cpu', resource: 'JVM CPU', utilization: 80, capacity: 0, queueDepth: 0, severity: 'warning' },
    },
    {
      name: 'the CPU of a container',
      given: [gauge('container.cpu.utilization', 0.95)],
      then: {
        type: 'cpu',
        resource: 'container CPU',
        utilization: 95,
        capacity: 0,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'the CPU limit of a container',
      given: [gauge('k8s.container.cpu_limit_utilization', 1.02)],
      then: {
        type: 'cpu',
        resource: 'container CPU limit',
        utilization: 102,
        capacity: 0,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'the heap of a JVM, whose limit stands at one of its pools',
      given: [
        gauge('jvm.memory.used', 100, { 'jvm.memory.type': 'heap', 'jvm.memory.pool.name': 'G1 Eden Space' }),
        gauge('jvm.memory.used', 650, { 'jvm.memory.type': 'heap', 'jvm.memory.pool.name': 'G1 Old Gen' }),
        gauge('jvm.memory.limit', 1000, { 'jvm.memory.type': 'heap', 'jvm.memory.pool.name': 'G1 Old Gen' }),
        gauge('jvm.memory.limit', -1, { 'jvm.memory.type': 'heap', 'jvm.memory.pool.name': 'G1 Eden Space' }),
        gauge('jvm.memory.used', 900, { 'jvm.memory.type': 'non_heap', 'jvm.memory.pool.name': 'Metaspace' }),
      ],
      then: { type: 'memory', resource: 'JVM heap', utilization: 75, capacity: 1000, queueDepth: 0, severity: 'info' },
    },
    {
      name: 'a pool of a JVM outside the heap',
      given: [
        gauge('jvm.memory.used', 230, { area: 'nonheap', id: 'CodeCache' }),
        gauge('jvm.memory.max', 240, { area: 'nonheap', id: 'CodeCache' }),
      ],
      then: {
        type: 'memory',
        resource: 'CodeCache',
        utilization: 95.83,
        capacity: 240,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'the heap of V8',
      given: [gauge('v8js.memory.heap.used', 3e9), gauge('v8js.memory.heap.limit', 4e9)],
      then: { type: 'memory', resource: 'V8 heap', utilization: 75, capacity: 4e9, queueDepth: 0, severity: 'info' },
    },
    {
      name: 'the memory of Go',
      given: [
        gauge('go.memory.used', 600, { 'go.memory.type': 'other' }),
        gauge('go.memory.used', 250, { 'go.memory.type': 'stack' }),
        gauge('go.memory.limit', 1000),
      ],
      then: {
        type: 'memory',
        resource: 'Go memory',
        utilization: 85,
        capacity: 1000,
        queueDepth: 0,
        severity: 'warning',
      },
    },
    {
      name: 'the memory of a process',
      given: [gauge('process.memory.utilization', 71, {}, '', '%')],
      then: {
        type: 'memory',
        resource: 'process memory',
        utilization: 71,
        capacity: 0,
        queueDepth: 0,
        severity: 'info',
      },
    },
    {
      name: 'the memory of a system',
      given: [
        gauge('system.memory.utilization', 0.92, { state: 'used' }),
        gauge('system.memory.utilization', 0.08, { state: 'free' }),
      ],
      then: {
        type: 'memory',
        resource: 'system memory',
        utilization: 92,
        capacity: 0,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'the memory of a container',
      given: [gauge('container.memory.usage.total', 900), gauge('container.memory.usage.limit', 1000)],
      then: {
        type: 'memory',
        resource: 'container memory',
        utilization: 90,
        capacity: 1000,
        queueDepth: 0,
        severity: 'critical',
      },
    },
    {
      name: 'the memory limit of a container',
      given: [gauge('k8s.container.memory_limit_utilization', 0.88)],
      then: {
        type: 'memory',
        resource: 'container memory limit',
        utilization: 88,
        capacity: 0,
        queueDepth: 0,
        severity: 'warning',
      },
    },
  ];
  for (const { given, name, then } of conventions)
    it(`report ${name}`, () => assert.deepEqual(pointsOf(at(0, ...given)).map(shown), [then]));

  const silent: readonly (readonly [name: string, given: readonly Value[]])[] = [
    ['a resource below 70 %', [cpu(0.69994)]],
    [
      'an open pool that grows with single requests',
      [gauge('db.client.connection.count', 4, state('used')), gauge('db.client.connection.count', 0, state('idle'))],
    ],
    [
      'a pool of unknown capacity for which nobody waits',
      [
        gauge('db.client.connection.count', 9, state('used')),
        gauge('db.client.connection.count', 0, state('idle')),
        gauge('db.client.connection.pending_requests', 0, orders),
      ],
    ],
    ['cores that are called a share', [gauge('container.cpu.utilization', 3.2)]],
    [
      'heap spaces of V8, whose limit grows',
      [
        gauge('v8js.memory.heap.used', 99, { 'v8js.heap.space.name': 'old_space' }),
        gauge('v8js.memory.heap.limit', 100, { 'v8js.heap.space.name': 'old_space' }),
      ],
    ],
    ['a queue without a capacity', [gauge('jobs.queue.size', 5000)]],
    ['a queue that is hardly filled', [gauge('jobs.queue.size', 5), gauge('jobs.queue.capacity', 100)]],
    ['a counter of the same name', [{ ...cpu(0.99), kind: 'sum', monotonic: true }]],
  ];
  for (const [name, given] of silent)
    it(`do not report ${name}`, () => assert.deepEqual(pointsOf(at(0, ...given)), []));

  it('judge a pool of unknown utilization by its waiting requests', () => {
    const points = pointsOf(
      at(
        0,
        gauge('db.client.connection.count', 3, state('used')),
        gauge('db.client.connection.pending_requests', 2, orders),
      ),
    );
    assert.deepEqual(points.map(shown), [
      { type: 'connection_pool', resource: 'orders', utilization: 0, capacity: 0, queueDepth: 2, severity: 'warning' },
    ]);
  });

  it('judge by the newest minute that has points', () => {
    assert.deepEqual(pointsOf(at(0, cpu(0.5)), at(1, cpu(0.99))), []);
    assert.equal(pointsOf(at(1, cpu(0.99)), at(2, cpu(0.5)))[0]?.utilization, 99);
  });

  it('ignore readings more than 5 minutes old', () => {
    assert.equal(pointsOf(at(5, cpu(0.99)))[0], undefined);
    assert.equal(pointsOf(at(4, cpu(0.99)))[0]?.utilization, 99);
  });

  it('know nothing that comes after the window, nor what only the baseline has', () => {
    const asOf = resolveAnalysisWindows({ asOfMs: NOW_MS - 10 * MINUTE_MS }, NOW_MS, DEFAULT_WINDOW_LENGTHS);
    assert.deepEqual(
      findPressurePoints({ metrics: [at(12, cpu(0.9)), at(3, cpu(0.99))] }, asOf).map(({ utilization }) => utilization),
      [90],
    );
    assert.deepEqual(pointsOf(at(40, cpu(0.99))), []);
  });

  it('were detected in the first minute of the unbroken run, which may begin in the baseline', () => {
    const since = (...metrics: TimeBucket<MetricRollup>[]): number =>
      NOW_MINUTE - pointsOf(...metrics)[0].detectedAt / MINUTE_MS;
    const run = Array.from({ length: 40 }, (_, ago) => at(ago, cpu(0.75 + (ago % 20) / 100)));
    assert.equal(since(...run, at(40, cpu(0.6)), at(41, cpu(0.99))), 39);
    assert.equal(since(at(0, cpu(0.9)), at(2, cpu(0.9)), at(4, cpu(0.9))), 4);
    assert.equal(since(at(0, cpu(0.9)), at(2, cpu(0.9)), at(5, cpu(0.9))), 2);
  });

  it('report the worst instance once, by name if there are several', () => {
    const [point, ...rest] = pointsOf(
      at(0, cpu(0.75, 'pod-a'), cpu(0.95, 'pod-b'), cpu(0.2, 'pod-c')),
      at(1, cpu(0.95, 'pod-a'), cpu(0.95, 'pod-b')),
    );
    assert.deepEqual(rest, []);
    assert.deepEqual(point, {
      type: 'cpu',
      serviceName: 'cart',
      resource: 'JVM CPU (pod-b)',
      utilization: 95,
      capacity: 0,
      queueDepth: 0,
      severity: 'critical',
      detectedAt: (NOW_MINUTE - 1) * MINUTE_MS,
    });
    assert.equal(pointsOf(at(0, cpu(0.75, 'pod-a')))[0].resource, 'JVM CPU');
  });

  it('report a pool once that uses current and deprecated metric names', () => {
    const both = ['db.client.connection.count', 'db.client.connections.usage'].flatMap((metric) => [
      gauge(metric, 9, state('used')),
      gauge(metric, 1, state('idle')),
    ]);
    assert.deepEqual(pointsOf(at(0, ...both)).map(shown), [
      {
        type: 'connection_pool',
        resource: 'orders',
        utilization: 90,
        capacity: 10,
        queueDepth: 0,
        severity: 'critical',
      },
    ]);
  });

  it('come worst first', () => {
    const points = pointsOf(
      at(
        0,
        cpu(0.75),
        gauge('process.memory.utilization', 0.96),
        gauge('dotnet.thread_pool.queue.length', 1),
        gauge('nodejs.eventloop.utilization', 0.99),
      ),
    );
    assert.deepEqual(
      points.map(({ resource }) => resource),
      ['event loop', 'process memory', '.NET thread pool', 'JVM CPU'],
    );
  });

  it('read hours like minutes', () => {
    const hour = { ...at(70, cpu(0.9)), minutes: 60 };
    const windows = resolveAnalysisWindows(
      { range: { fromMs: NOW_MS - 120 * MINUTE_MS, toMs: NOW_MS } },
      NOW_MS,
      DEFAULT_WINDOW_LENGTHS,
    );
    assert.deepEqual(
      findPressurePoints(
        {
          metrics: [
            hour,
            at(10, cpu(0.9)),
            at(9, cpu(0.9)),
            ...Array.from({ length: 9 }, (_, n) => at(8 - n, cpu(0.9))),
          ],
        },
        windows,
      ).map(({ detectedAt }) => detectedAt / MINUTE_MS),
      [NOW_MINUTE - 70],
    );
  });
});

describe('pressure of services', () => {
  it('is listed by resource for each time bucket', () => {
    const utilizations = computeUtilizations(at(0, cpu(0.31, 'pod-a'), cpu(0.42, 'pod-b')).value);
    assert.deepEqual(
      utilizations.map(({ service, utilization }) => [service, utilization]),
      [
        ['cart', 31],
        ['cart', 42],
      ],
    );
    assert.equal(new Set(utilizations.map(({ resource }) => resource)).size, 2);
  });
});
