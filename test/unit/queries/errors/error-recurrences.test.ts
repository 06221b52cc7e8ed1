import assert from 'node:assert/strict';
import type { ErrorGroupStatus } from '../../../../src/queries/errors/error-group-query-types.js';
import { ErrorRecurrences } from '../../../../src/queries/errors/error-recurrences.js';
import type { TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { changeErrorGroup, resolvedIn } from './support/error-group-changes.js';
import { createSlowQueries } from './support/slow-queries.js';

const BASE_S = 1_760_000_000;
const US_PER_S = 1e6;
const NS_PER_S = 1_000_000_000n;
/** Spans that are read in the range. */
const LISTED = 2;

async function addFailed(world: TelemetryWorld, second: number, type: string, version = '1'): Promise<void> {
  const start = BigInt(BASE_S + second) * NS_PER_S;
  const id = (second + 1).toString(16);
  await world.addSpans([
    {
      ...{ traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0'), service: 'shop', operation: 'work' },
      ...{ start, end: start + 1n, resource: { 'service.version': version } },
      events: [{ name: 'exception', time: start, attributes: { 'exception.type': type } }],
    },
  ]);
}

/** A group and another one in the first seconds, then `others` records of others. */
async function createWorld(others: number): Promise<{ readonly world: TelemetryWorld; readonly groupId: string }> {
  const world = await TelemetryWorld.empty();
  await addFailed(world, 0, 'Timeout');
  await addFailed(world, 1, 'Noise');
  for (let second = 0; second < others; second++) await addFailed(world, 500 + second, 'Other');
  const { groups } = await list(world.queries());
  return { world, groupId: groups.find(({ type }) => type === 'Timeout')!.groupId };
}

function list(queries: TelemetryQueries, statuses?: readonly ErrorGroupStatus[]) {
  const range = { fromUs: BASE_S * US_PER_S, toUs: (BASE_S + 100) * US_PER_S };
  const page = { orderBy: 'count', page: 1, pageSize: 10, ...(statuses && { statuses }) } as const;
  return queries.findErrorGroups({ gridId: GRID, range, ...page }, 'list');
}

describe('the search for exceptions that reopen an error group', () => {
  it('ends in time: until all is read, the status is unknown, and no request fails', async () => {
    const { world, groupId } = await createWorld(60);
    await changeErrorGroup(world, groupId, resolvedIn(BASE_S + 300));
    const { queries, readSeconds } = createSlowQueries(world);
    const find = async () => (await list(queries)).groups.find((group) => group.groupId === groupId)!;
    const first = await find();
    assert.equal('status' in first, false);
    assert.equal(first.resolvedBy, 'owner');
    assert.ok(readSeconds() < 25, `${readSeconds()} s`);
    const selected = async (...statuses: ErrorGroupStatus[]) => (await list(queries, statuses)).totalCount;
    assert.deepEqual([await selected('open'), await selected('resolved'), await selected('reopened')], [1, 1, 1]);
    let requests = 0;
    while ((await find()).status === undefined) assert.ok(++requests < 60, 'no progress');
    assert.equal((await find()).status, 'resolved');
    assert.deepEqual([await selected('open'), await selected('resolved'), await selected('reopened')], [1, 1, 0]);
  });

  it('knows without a search what the range tells, but not the first exception', async () => {
    const { world, groupId } = await createWorld(60);
    await changeErrorGroup(world, groupId, resolvedIn(BASE_S - 1));
    const { queries } = createSlowQueries(world);
    const group = (await list(queries)).groups.find((each) => each.groupId === groupId)!;
    assert.equal(group.status, 'reopened');
  });

  it('reads each record once, whatever is asked', async () => {
    const { world, groupId } = await createWorld(5);
    await changeErrorGroup(world, groupId, resolvedIn(BASE_S + 300, '2', ['1']));
    const { queries, readSeconds } = createSlowQueries(world, 1_000_000);
    const read = async (statuses?: readonly ErrorGroupStatus[]) => {
      const before = readSeconds();
      const { groups } = await list(queries, statuses);
      const { status, reopenedAtUs } = groups.find((group) => group.groupId === groupId)!;
      return { reads: readSeconds() - before, state: [status, reopenedAtUs] };
    };
    await read(['resolved']);
    const again = await read(['resolved']);
    assert.deepEqual(again.state, ['resolved', undefined]);
    await addFailed(world, 700, 'Timeout');
    await addFailed(world, 710, 'Timeout', '2');
    const next = await read();
    const atUs = (BASE_S + 710) * US_PER_S;
    assert.deepEqual(next.state, ['reopened', atUs]);
    // Nothing is read any more of a group whose first exception is known.
    await addFailed(world, 720, 'Timeout', '2');
    const last = await read();
    assert.deepEqual(last.state, ['reopened', atUs]);
    assert.ok(again.reads <= 2 * LISTED && last.reads <= 2 * LISTED, `${again.reads}, ${last.reads}`);
    assert.ok(next.reads > last.reads);
  });
});

describe('what was found of resolved groups', () => {
  const resolution = { type: 'resolved', at: 1, by: 'owner', fixedIn: '', knownVersions: [] } as const;
  const readThrough = { logs: 3, spans: 5 };

  it('is of one resolution, and adds what requests find at the same time', () => {
    const known = new ErrorRecurrences();
    known.add('a', 'g', resolution, { readThrough, reopenedAtUs: 9, isFinal: false });
    known.add('a', 'g', resolution, { readThrough: { logs: 4, spans: 2 }, isFinal: false });
    assert.deepEqual(known.find('a', 'g', resolution), {
      readThrough: { logs: 4, spans: 5 },
      reopenedAtUs: 9,
      isFinal: false,
    });
    const nothing = { readThrough: { logs: -1, spans: -1 }, isFinal: false };
    assert.deepEqual(known.find('b', 'g', resolution), nothing);
    assert.deepEqual(known.find('a', 'g', { ...resolution, at: 2 }), nothing);
  });

  it('is bounded', () => {
    const known = new ErrorRecurrences(2);
    for (const id of ['x', 'y', 'z']) known.add('a', id, resolution, { readThrough, isFinal: false });
    assert.deepEqual(known.find('a', 'x', resolution).readThrough, { logs: -1, spans: -1 });
    assert.deepEqual(known.find('a', 'z', resolution).readThrough, readThrough);
  });
});
