import assert from 'node:assert/strict';
import type {
  LogQuery,
  TraceQuery,
  TelemetryQueries,
} from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { allRows } from '../../../../src/read-models/blocks/column-operations.js';
import { decodeLogRecord, decodeSpanRecord } from '../../../../src/telemetry/otlp/decoding/record-decoder.js';
import { readResourceAt } from '../../../../src/telemetry/otlp/decoding/record-resource.js';
import { decodeLogs } from '../../../../src/telemetry/otlp/decoding/log-decoder.js';
import { decodeSpans } from '../../../../src/telemetry/otlp/decoding/span-decoder.js';
import { createLogColumns } from '../../../../src/telemetry/columns/log-batch-columns.js';
import { createSpanColumns } from '../../../../src/telemetry/columns/span-batch-columns.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';
import { naiveFindLogs } from './support/naive-logs.js';
import { naiveFindTraces } from './support/naive-traces.js';
import type { GivenLog, GivenSpan } from './support/requests.js';
import { GRID, TelemetryWorld } from './support/telemetry-world.js';

const BATCH = 400;
const RANGE = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER };

/** Real payloads, with separately stored columns and a cache that is too small for all of them. */
describe('search over generated telemetry', () => {
  let world: TelemetryWorld;
  let queries: TelemetryQueries;
  let spans: GivenSpan[];
  let logs: GivenLog[];

  before(async () => {
    world = await TelemetryWorld.empty();
    queries = world.queries({ cacheBytes: 600_000 });
    const generator = createTelemetryGenerator(11);
    const traceRequests = Array.from({ length: 12 }, () => generator.traces(BATCH));
    const logRequests = Array.from({ length: 6 }, () => generator.logs(BATCH));
    for (let i = 0; i < traceRequests.length; i += 4) await world.addTraceRequests(traceRequests.slice(i, i + 4));
    for (let i = 0; i < logRequests.length; i += 3) await world.addLogRequests(logRequests.slice(i, i + 3));
    spans = traceRequests.flatMap(spansOf);
    logs = logRequests.flatMap(logsOf);
  });

  async function expectNaive(conditions: Partial<TraceQuery>): Promise<void> {
    for (const page of [1, 2, 7]) {
      const query = { gridId: GRID, range: RANGE, page, pageSize: 20, ...conditions };
      const found = await queries.findTraces(query);
      const naive = naiveFindTraces(spans, query);
      assert.equal(found.totalCount, naive.totalCount);
      assert.deepEqual(
        found.items.map((item) => [item.traceId, item.spanId]),
        naive.items.map((item) => [item.traceId, item.spanId]),
      );
    }
  }

  it('finds traces by every condition', async () => {
    const [sample] = spans;
    await expectNaive({});
    await expectNaive({ serviceName: 'cart' });
    await expectNaive({ serviceName: 'cart', minDurationMs: 5 });
    await expectNaive({ operationName: sample.operation, maxDurationMs: 3 });
    await expectNaive({ status: 'ERROR' });
    await expectNaive({ status: 'OK', serviceName: 'payment' });
    await expectNaive({ tags: { 'http.request.method': 'GET' } });
    await expectNaive({ tags: { 'k8s.namespace.name': 'shop' } });
    await expectNaive({ tags: { 'http.request.method': 'GET', 'service.name': 'frontend' } });
    await expectNaive({ tags: { 'server.port': '5432' }, minDurationMs: 50 });
    await expectNaive({ tags: { nothing: 'here' } });
  });

  it('finds traces in a slice of time, roots outside it considered', async () => {
    const starts = spans.map((span) => Number(span.start / 1000n)).sort((a, b) => a - b);
    const range = { fromUs: starts[1000], toUs: starts[3000] };
    await expectNaive({ range });
    await expectNaive({ range, serviceName: 'ad' });
  });

  it('finds each span and each trace by its id', async () => {
    for (const span of spans.filter((_, i) => i % 97 === 0)) {
      const detail = await queries.spanDetail(GRID, span.spanId);
      assert.equal(detail?.operationName, span.operation);
      assert.deepEqual({ ...detail?.attributes }, { ...span.attributes });
      const trace = await queries.traceSpans(GRID, span.traceId);
      assert.equal(trace?.length, spans.filter((other) => other.traceId === span.traceId).length);
    }
  });

  it('finds logs by words, severity, attributes and trace', async () => {
    const { traceId } = logs.find((log) => log.traceId !== '')!;
    const questions: Partial<LogQuery>[] = [
      {},
      ...['order placed', 'cach*', '"upstream timed out"', '"out timed"'].map((body) => ({ body })),
      { severityLevel: 'Error' },
      { serviceName: 'cart' },
      { attributes: { 'thread.name': 'worker-3' } },
      { attributes: { 'host.name': 'node-1' } },
      { traceId },
    ];
    for (const conditions of questions) {
      const query = { gridId: GRID, range: RANGE, page: 2, pageSize: 7, ...conditions };
      const found = await queries.findLogs(query);
      const naive = naiveFindLogs(logs, query);
      assert.equal(found.totalCount, naive.totalCount, JSON.stringify(conditions));
      assert.deepEqual(
        found.items.map((item) => [item.time, item.body]),
        naive.items.map((item) => [item.time, item.body]),
      );
    }
  });
});

/** Spans of a request according to the full decoder. */
function spansOf(request: Uint8Array): GivenSpan[] {
  const columns = createSpanColumns();
  decodeSpans(request, 0, [], columns);
  return [...allRows(columns.count)].map((row) => {
    const span = decodeSpanRecord(request, columns.offset[row], columns.length[row]);
    const resource = readResourceAt(request, columns.offset[row]);
    return {
      ...span,
      parentId: span.parentSpanId || undefined,
      operation: span.name,
      status: span.statusCode,
      service: resource.serviceName,
      resource: resource.attributes,
    };
  });
}

function logsOf(request: Uint8Array): GivenLog[] {
  const columns = createLogColumns();
  decodeLogs(request, 0, [], 0, columns);
  return [...allRows(columns.count)].map((row) => {
    const log = decodeLogRecord(request, columns.offset[row], columns.length[row]);
    const resource = readResourceAt(request, columns.offset[row]);
    return { ...log, severity: log.severityNumber, service: resource.serviceName, resource: resource.attributes };
  });
}
