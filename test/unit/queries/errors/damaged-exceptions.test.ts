import assert from 'node:assert/strict';
import type { ErrorGroupsQuery } from '../../../../src/queries/errors/error-group-query-types.js';
import { traceRequest, type GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const BASE_S = 1_760_000_000;
const NS_PER_S = 1_000_000_000n;

function failed(index: number): GivenSpan {
  const start = BigInt(BASE_S + index) * NS_PER_S;
  const id = (index + 1).toString(16);
  return {
    traceId: id.padStart(32, '0'),
    spanId: id.padStart(16, '0'),
    service: 'shop',
    operation: 'work',
    start,
    end: start + 1n,
    events: [{ name: 'exception', time: start, attributes: { 'exception.type': 'Timeout' } }],
  };
}

describe('error groups of damaged records', () => {
  it('count what can be read, and tell how many of the range and of the minutes around it cannot', async () => {
    const world = await TelemetryWorld.empty();
    for (const index of [0, 1, 2, 3, 100]) await world.addSpans([failed(index)]);
    world.damaged.add(1).add(3).add(4);
    const query: ErrorGroupsQuery = {
      gridId: GRID,
      range: { fromUs: BASE_S * 1e6, toUs: (BASE_S + 3) * 1e6 },
      orderBy: 'count',
      page: 1,
      pageSize: 10,
    };
    const queries = world.queries();
    for (const attempt of ['one', 'another']) {
      const { groups, exceptionCount, damagedRecords } = await queries.findErrorGroups(query, attempt);
      assert.deepEqual([groups.map(({ count }) => count), exceptionCount, damagedRecords], [[2], 2, 2]);
    }
  });

  it('name the version of a resource whose first records are damaged', async () => {
    const world = await TelemetryWorld.empty();
    const resource = { 'service.version': '2.4.0' };
    await world.addTraceRequests([0, 1, 2].map((index) => traceRequest([{ ...failed(index), resource }])));
    world.damaged.add(0).add(1);
    const range = { fromUs: BASE_S * 1e6, toUs: (BASE_S + 3) * 1e6 };
    const query = { gridId: GRID, range, orderBy: 'count', page: 1, pageSize: 10 } as const;
    const { groups, damagedRecords } = await world.queries().findErrorGroups(query, 'versions');
    assert.deepEqual(
      groups.map(({ count, versions }) => [count, versions]),
      [[1, [{ name: '2.4.0', count: 1 }]]],
    );
    assert.equal(damagedRecords, 2);
  });

  it('end when they are cancelled', async () => {
    const world = await TelemetryWorld.empty();
    for (let index = 0; index < 50; index++) await world.addSpans([failed(index)]);
    const queries = world.queries();
    const range = { fromUs: BASE_S * 1e6, toUs: (BASE_S + 50) * 1e6 };
    const answer = queries.readErrorGroup({ gridId: GRID, range, groupId: 'none' }, 'cancelled');
    await queries.cancelQuery('cancelled');
    await assert.rejects(answer);
  });
});
