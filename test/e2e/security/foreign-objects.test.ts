import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import type { Route } from '../../../src/http/route.js';
import { ROUTES } from '../../../src/http/routes.js';
import { EventStream } from '../../support/event-stream.js';
import {
  callSuccessfully,
  fillGrid,
  openIncident,
  SHARED,
  startSessions,
  type GridObjects,
} from '../../support/grid-objects.js';
import { methodOf, pathOf, requestOf } from '../../support/route-requests.js';
import { logsOf, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import {
  CALLERS,
  CANARY,
  TwoGrids,
  type CallerName,
  type GridName,
  type CheckedResponse,
} from '../../support/two-grids.js';
import { elapsedMs } from '../../support/measurement.js';

const UNKNOWN_ID = '0d0d0d0d-1111-4222-8333-0123456789ab';
/** Ids of the same form as those of the other Grid that belong to nothing. */
const UNKNOWN: GridObjects = {
  traceId: traceId(99),
  spanId: spanId(99),
  logId: UNKNOWN_ID,
  serviceName: 'shop-of-nobody',
  ruleId: UNKNOWN_ID,
  channelId: UNKNOWN_ID,
  routeId: UNKNOWN_ID,
  silenceId: UNKNOWN_ID,
  sloId: UNKNOWN_ID,
  alertId: UNKNOWN_ID,
  groupId: 'ab'.repeat(16),
  incidentId: UNKNOWN_ID,
  chartId: UNKNOWN_ID,
  chartSecondaryId: UNKNOWN_ID,
  dashboardId: UNKNOWN_ID,
  viewId: UNKNOWN_ID,
  dashboardSecondaryId: UNKNOWN_ID,
  keyId: 'abcdefghijklmnop',
  userId: 'nobody',
};
/** Adds any user as a member, so it has no unknown users. */
const NAMES_ANYBODY = new Set(['setMember']);
/** Pairs of calls whose response times are compared. */
const PAIRS = 300;

const objectsIn = (route: Route): boolean =>
  route.grid === 'path' && /\{(?!gridSecondaryId)/.test(route.path) && !NAMES_ANYBODY.has(route.operationId);

describe('objects of another Grid', function () {
  this.timeout(120_000);
  let two: TwoGrids;
  let objects: Readonly<Record<GridName, GridObjects>>;
  before(async () => {
    two = await TwoGrids.start();
    const objectsOfB = await fillGrid(two, 'b');
    objects = {
      a: await fillGrid(two, 'a'),
      b: { ...objectsOfB, incidentId: await openIncident(two, 'b') },
    };
  });
  after(() => two.dispose());

  const under = (path: string): string => path.replace('{grid}', two.grids.a.id);

  /** The response without the parts that differ by request: path, time, correlation. */
  const comparable = (seen: CheckedResponse, path: string): unknown => {
    const normalized = seen.text.replaceAll(path.split('?')[0] ?? path, 'PATH');
    return {
      status: seen.status,
      normalized,
      headers: [...seen.headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name)),
    };
  };

  for (const route of ROUTES.filter(objectsIn)) {
    it(`${route.operationId}: below the own Grid they are indistinguishable from missing objects`, async () => {
      const { body } = requestOf(route);
      const answers = await Promise.all(
        [objects.b, UNKNOWN].map(async (ids) => {
          const path = pathOf(route, { ...ids, gridSecondaryId: two.grids.a.id });
          const seen = await two.call('owner', methodOf(route), path, body === undefined ? {} : { body });
          return comparable(seen, path);
        }),
      );
      assert.deepEqual(answers[0], answers[1]);
      assert.equal((answers[0] as CheckedResponse).status, 404);
    });
  }

  it('are unchanged afterwards', async () => {
    for (const route of ROUTES.filter((each) => objectsIn(each) && each.method === 'GET')) {
      const path = pathOf(route, { ...objects.b, gridSecondaryId: two.grids.b.id }).replace(
        /baselineTraceId=\w+/,
        `baselineTraceId=${objects.b.traceId}`,
      );
      assert.equal((await two.call('owner-of-b', methodOf(route), path)).status, 200, path);
    }
    const { apiKeys } = await callSuccessfully(
      two,
      'owner-of-b',
      'GET',
      `/admin/grids/${two.grids.b.id}/api-keys`,
      undefined,
      200,
    );
    assert.equal((apiKeys as readonly unknown[]).length, 1);
  });

  it('are found by no search, filter or name', async () => {
    const range = {
      rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
      rangeEnd: new Date(Date.now() + 60_000).toISOString(),
    };
    const filters = [
      { serviceName: `shop-${CANARY.b}` },
      { operationName: `op ${CANARY.b}` },
      { tags: { [`attribute.${CANARY.b}`]: CANARY.b } },
    ];
    for (const filter of filters)
      assert.equal(
        (await callSuccessfully(two, 'owner', 'POST', under('/apm/traces/{grid}'), { ...range, ...filter }, 200))[
          'totalCount'
        ],
        0,
        JSON.stringify(filter),
      );
    for (const filter of [
      { body: CANARY.b },
      { serviceName: `shop-${CANARY.b}` },
      { attributes: { [`log.${CANARY.b}`]: CANARY.b } },
    ]) {
      assert.equal(
        (await callSuccessfully(two, 'owner', 'POST', under('/apm/logs/{grid}'), { ...range, ...filter }, 200))[
          'totalCount'
        ],
        0,
        JSON.stringify(filter),
      );
    }
    const own = await callSuccessfully(two, 'owner', 'POST', under('/apm/traces/{grid}'), range, 200);
    assert.equal(own['totalCount'], 2, 'of two traces in each Grid');
  });

  it('are not exposed through an id that exists in both Grids', async () => {
    for (const [caller, name] of [
      ['owner', 'a'],
      ['owner-of-b', 'b'],
    ] as const) {
      const { text } = await two.call(
        caller,
        'GET',
        `/apm/traces/${two.grids[name].id}/correlations/${SHARED.traceId}/spans`,
      );
      assert.ok(text.includes(`op ${CANARY[name]}`), text);
      assert.equal(text.split('"spanId"').length, 2, 'one span');
    }
  });

  it('cannot be placed on a dashboard of the own Grid, or shown by name', async () => {
    const position = { row: 0, col: 0, width: 6, height: 4 };
    const board = {
      title: 'Mine',
      charts: [{ chartId: objects.b['chartId'], title: 'Theirs', chartType: 'line', position }],
    };
    assert.equal(
      (await two.call('owner', 'POST', under('/admin/grids/{grid}/dashboards'), { body: board })).status,
      400,
    );
  });

  it('are in no stream, audit log or agent tool', async () => {
    const stream = await EventStream.open(
      `${two.service.apiUrl}${under('/apm/diagnostics/{grid}/stream')}?api-version=2.0`,
      { 'x-api-version': '2.0', ...two.headersOf('member') },
    );
    const events = await stream.received(3);
    stream.close();
    assert.ok(!JSON.stringify(events).includes(CANARY.b));
    await two.call('owner', 'GET', under('/admin/grids/{grid}/audit?pageSize=100'));
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'GetSystemHealth', arguments: {} } };
    const callTool = (grid: string) =>
      two.call('owner', 'POST', '/mcp', {
        body: tool,
        headers: { 'x-grid-id': grid, accept: 'application/json, text/event-stream' },
      });
    assert.equal((await callTool(two.grids.a.id)).status, 200);
    assert.deepEqual([(await callTool(two.grids.b.id)).status, (await callTool(UNKNOWN_ID)).status], [403, 403]);
  });

  it('are in no conversation: the id of another starts an empty one', async () => {
    const sessions = await startSessions(two);
    const ask = (caller: CallerName, conversationId?: string) =>
      callSuccessfully(
        two,
        caller,
        'POST',
        `/assistant/chat/${sessions.get(caller) ?? ''}`,
        {
          prompt: `How is shop-${caller === 'owner-of-b' ? CANARY.b : 'shop'} doing?`,
          ...(conversationId && { conversationId }),
        },
        200,
      );
    const theirs = String((await ask('owner-of-b'))['conversationId']);
    for (const caller of ['owner', 'member'] as const)
      assert.notEqual((await ask(caller, theirs))['conversationId'], theirs);
  });

  it('cannot be distinguished from a missing Grid by response or response time', async () => {
    const bodies: Record<string, unknown> = {};
    const took: Record<string, number[]> = { foreign: [], unknown: [] };
    /** Difference (ms) of the median response times of two alternating calls, after `pairs` more pairs. */
    const medianDifferenceMs = async (pairs: number): Promise<number> => {
      for (let i = 0; i < pairs; i++) {
        const order = [
          ['foreign', two.grids.b.id],
          ['unknown', UNKNOWN_ID],
        ] as const;
        for (const [target, id] of i % 2 === 0 ? order : [...order].reverse()) {
          const path = `/apm/traces/${id}/filters`;
          took[target]?.push(
            await elapsedMs(async () => (bodies[target] = comparable(await two.call('owner', 'GET', path), path))),
          );
        }
      }
      return Math.abs(median(took['foreign']) - median(took['unknown']));
    };
    let ms = await medianDifferenceMs(PAIRS);
    if (ms >= 1) ms = await medianDifferenceMs(4 * PAIRS); // noise decreases with more pairs, a real difference does not
    assert.deepEqual(bodies['foreign'], bodies['unknown']);
    assert.ok(ms < 1, `medians ${ms.toFixed(2)} ms apart`);
  });

  describe('accept telemetry', () => {
    const requests = { traces: spansOf('x'), logs: logsOf('x'), metrics: { resourceMetrics: [] } };
    for (const signal of ['traces', 'logs', 'metrics'] as const) {
      it(`${signal}: only with the key of their Grid, over HTTP and gRPC`, async () => {
        for (const caller of CALLERS) {
          const takes = caller === 'key' || caller === 'key-of-b';
          assert.deepEqual(
            [caller, await two.send(signal, requests[signal], two.headersOf(caller))],
            [caller, takes ? 200 : 401],
          );
          assert.deepEqual(
            [caller, await exportOverGrpc(two, signal, two.headersOf(caller))],
            [caller, takes ? '0' : '16'],
          );
        }
      });
    }
  });
});

const SERVICES = {
  traces: 'trace.v1.TraceService',
  logs: 'logs.v1.LogsService',
  metrics: 'metrics.v1.MetricsService',
} as const;

/** Sends an empty request and returns the gRPC status. */
function exportOverGrpc(
  two: TwoGrids,
  signal: keyof typeof SERVICES,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connect(two.service.otlpGrpcUrl);
    const stream = session.request({
      ':method': 'POST',
      ':path': `/opentelemetry.proto.collector.${SERVICES[signal]}/Export`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    let status = '';
    const note = ({ 'grpc-status': given }: Readonly<Record<string, unknown>>): void =>
      void (typeof given === 'string' && (status = given));
    stream
      .on('response', note)
      .on('trailers', note)
      .on('error', reject)
      .on('close', () => (session.close(), resolve(status)));
    stream.resume().end(Buffer.alloc(5));
  });
}

function median(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
