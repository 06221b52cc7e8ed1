import assert from 'node:assert/strict';
import { buildServiceDetail } from '../../../../src/diagnostics/services/service-detail-builder.js';
import { buildServiceMap } from '../../../../src/diagnostics/services/service-map-builder.js';
import { ROLLUP_BOUNDS, type ExceptionRollup } from '../../../../src/diagnostics/rollups/rollup-types.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { HOUR_MS, inputOf, minutesAgo, span, spans, usualFrames, type SpanLike } from '../given-rollups.js';

const FRAMES = usualFrames(HOUR_MS);
const AT = { endMs: minutesAgo(5) };

/** A request of one service to another that both ends tell of; the caller waits for twice as long. */
function call(source: string, target: string, like: SpanLike = {}): PlainSpan[] {
  const client = span({ ...AT, ms: 200, ...like, service: source, kind: 'CLIENT', operation: 'call', parentId: 'p' });
  return [
    client,
    span({ ...AT, ms: 100, service: target, kind: 'SERVER', traceId: client.traceId, parentId: client.spanId }),
  ];
}

function unanswered(source: string, peer: string, like: SpanLike = {}): PlainSpan {
  return span({ ...AT, ...like, service: source, kind: 'CLIENT', operation: 'query', parentId: 'p', peer });
}

describe('the service map', () => {
  it('shows a call by the times and errors of its caller', () => {
    const { edges } = buildServiceMap(
      inputOf([...call('web', 'shop'), ...call('web', 'shop', { error: true })]),
      FRAMES,
    );
    assert.deepEqual(edges, [{ source: 'web', target: 'shop', requestCount: 2, errorRate: 50, avgLatencyMs: 200 }]);
  });

  it('has virtual nodes as targets only', () => {
    const { services, edges } = buildServiceMap(inputOf([span(AT), unanswered('shop', 'orders-db')]), FRAMES);
    assert.deepEqual(
      services.map(({ name }) => name),
      ['shop'],
    );
    assert.deepEqual(
      edges.map(({ target }) => target),
      ['orders-db'],
    );
  });

  it('has one edge to a service, though some of the calls are still without their server span', () => {
    const { edges } = buildServiceMap(inputOf([...call('web', 'shop'), unanswered('web', 'shop')]), FRAMES);
    assert.deepEqual(
      edges.map(({ target, requestCount }) => [target, requestCount]),
      [['shop', 2]],
    );
  });

  it('classifies services by the kind of most of their requests', () => {
    const typeOf = (...all: PlainSpan[]) => buildServiceMap(inputOf(all), FRAMES).services[0].type;
    const consumer = span({ ...AT, kind: 'CONSUMER', parentId: 'p' });
    assert.equal(typeOf(span(AT), span(AT), consumer), 'SERVER');
    assert.equal(typeOf(span(AT), consumer, { ...consumer, spanId: 'other' }), 'CONSUMER');
    assert.equal(typeOf(span({ ...AT, kind: 'INTERNAL' }), unanswered('shop', 'db')), 'CLIENT');
    assert.equal(typeOf(span({ ...AT, kind: 'INTERNAL' })), 'INTERNAL');
  });

  it('lists a service that only calls, without requests', () => {
    const { services } = buildServiceMap(inputOf(call('load', 'shop')), FRAMES);
    assert.deepEqual(services[0], {
      name: 'load',
      type: 'CLIENT',
      requestCount: 0,
      errorRate: 0,
      status: 'healthy',
      recentStatus: 'unknown',
    });
  });

  it('of an empty window is empty', () => {
    assert.deepEqual(
      buildServiceMap(inputOf(call('web', 'shop', { endMs: minutesAgo(500) })), usualFrames(HOUR_MS + 3_600_000)),
      { services: [], edges: [], recentRequests: [] },
    );
  });
});

describe('the detail of a service', () => {
  it('is unknown before its first span, and zeros while it is quiet', () => {
    const input = inputOf([span({ endMs: minutesAgo(100) })]);
    assert.equal(buildServiceDetail(input, FRAMES, 'nobody'), undefined);
    assert.equal(buildServiceDetail(input, usualFrames(minutesAgo(101)), 'shop'), undefined);
    const quiet = {
      serviceName: 'shop',
      status: 'healthy',
      recentStatus: 'unknown',
      apdex: 1,
      errorRate: 0,
      requestCount: 0,
      p50LatencyMs: 0,
      endpoints: [],
      topErrors: [],
      dependencies: [],
    };
    assert.deepEqual(buildServiceDetail(input, FRAMES, 'shop'), quiet);
  });

  it('knows services of any name', () => {
    const name = '__proto__/ü %2F';
    assert.equal(buildServiceDetail(inputOf([span({ ...AT, service: name })]), FRAMES, name)?.requestCount, 1);
  });

  it('lists entry spans by name, kinds together', () => {
    const input = inputOf([
      span(AT),
      span({ ...AT, kind: 'CONSUMER' }),
      span({ ...AT, kind: 'INTERNAL', parentId: 'p' }),
      span({ ...AT, operation: 'A' }),
    ]);
    assert.deepEqual(
      buildServiceDetail(input, FRAMES, 'shop')?.endpoints.map(({ operation, requestCount }) => [
        operation,
        requestCount,
      ]),
      [
        ['A', 1],
        ['GET /', 2],
      ],
    );
  });

  it('rates a virtual node by its edge and a service by its own requests', () => {
    const failing = spans(9, minutesAgo(9), HOUR_MS, { service: 'ledger', error: true });
    const input = inputOf([
      ...call('shop', 'ledger'),
      ...failing,
      unanswered('shop', 'orders-db', { error: true }),
      unanswered('shop', 'cache'),
    ]);
    assert.deepEqual(buildServiceDetail(input, FRAMES, 'shop')?.dependencies, [
      { name: 'cache', status: 'healthy', recentStatus: 'healthy', errorRate: 0, avgLatencyMs: 100 },
      { name: 'ledger', status: 'degraded', recentStatus: 'degraded', errorRate: 0, avgLatencyMs: 200 },
      { name: 'orders-db', status: 'degraded', recentStatus: 'degraded', errorRate: 100, avgLatencyMs: 100 },
    ]);
  });
});

describe('the top errors of a service', () => {
  const exception = (
    count: number,
    ids: readonly number[],
    type = 'IOError',
    message = 'refused',
  ): ExceptionRollup => ({ type, message, count, ids });

  /** Told by spans and by logs, each a list of minutes. */
  function topErrors(bySpans: readonly ExceptionRollup[][], byLogs: readonly ExceptionRollup[][]) {
    const timed = <T>(i: number, value: T) => ({ minute: minutesAgo(10 - i) / 60_000, minutes: 1, value });
    const input = {
      ...inputOf([span(AT)]),
      services: bySpans.map((exceptions, i) =>
        timed(i, { service: 'shop', operations: [], exceptions, versions: [], instances: [] }),
      ),
      logs: byLogs.map((exceptions, i) =>
        timed(i, { service: 'shop', severities: [0, 0, 0, 0, 0, 0] as const, templates: [], exceptions }),
      ),
    };
    return buildServiceDetail(input, FRAMES, 'shop')!.topErrors.map(({ exceptionType, count, percentage }) => [
      exceptionType,
      count,
      percentage,
    ]);
  }

  it('count once if recorded by both a span and a log record, even in different minutes', () => {
    assert.deepEqual(
      topErrors([[exception(3, [1, 2, 3])], [exception(1, [4])]], [[exception(1, [3])], [exception(3, [4, 5])]]),
      [['IOError', 6, 100]],
    );
  });

  it('are distinguished by type and message, most frequent first, with percentages', () => {
    assert.deepEqual(
      topErrors([[exception(1, [1]), exception(6, [2], 'Timeout')]], [[exception(1, [3], 'IOError', 'reset')]]),
      [
        ['Timeout', 6, 75],
        ['IOError', 1, 12.5],
        ['IOError', 1, 12.5],
      ],
    );
  });

  it('count the larger side where the identities were cut', () => {
    const ids = Array.from({ length: ROLLUP_BOUNDS.exceptionIds }, (_, i) => i);
    assert.deepEqual(topErrors([[exception(5000, ids)]], [[exception(4000, ids)]]), [['IOError', 5000, 100]]);
  });

  it('are twenty at most, their shares still of all', () => {
    const many = Array.from({ length: 40 }, (_, i) => exception(1, [i], `Error ${i}`));
    const answer = topErrors([many], []);
    assert.equal(answer.length, 20);
    assert.equal(answer[0][2], 2.5);
  });
});
