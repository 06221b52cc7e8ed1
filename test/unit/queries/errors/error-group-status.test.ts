import assert from 'node:assert/strict';
import type { ErrorGroupStatus } from '../../../../src/queries/errors/error-group-query-types.js';
import type { ErrorGroupChange } from '../../../../src/read-models/documents/error-group-documents.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { changeErrorGroup as change, resolvedIn } from './support/error-group-changes.js';

const BASE_S = 1_760_000_000;
const US_PER_S = 1e6;
const NS_PER_S = 1_000_000_000n;
const HOUR_S = 3_600;

interface Given {
  readonly atS: number;
  readonly type?: string;
  readonly version?: string;
}

async function createWorld(...given: readonly Given[]): Promise<TelemetryWorld> {
  const world = await TelemetryWorld.empty();
  for (const [index, { atS, type = 'Timeout', version = '1' }] of given.entries()) {
    const time = BigInt(BASE_S + atS) * NS_PER_S;
    const attributes = { 'exception.type': type };
    const id = (index + 1).toString(16);
    const resource = { 'service.name': 'shop', 'service.version': version };
    // Every other one is of a log record.
    if (index % 2 === 1)
      await world.addLogs([{ time, severity: 17, body: 'failed', service: 'shop', resource, attributes }]);
    else
      await world.addSpans([
        {
          ...{ traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0'), service: 'shop', operation: 'work' },
          ...{ start: time, end: time + 1n, resource, events: [{ name: 'exception', time, attributes }] },
        },
      ]);
  }
  return world;
}

const list = async (world: TelemetryWorld, { toS, asOfS, statuses, pageSize = 10 }: ListOptions) =>
  world.queries().findErrorGroups(
    {
      gridId: GRID,
      range: {
        fromUs: BASE_S * US_PER_S,
        toUs: (BASE_S + (asOfS ?? toS ?? HOUR_S)) * US_PER_S,
        ...(asOfS !== undefined && { knownByUs: (BASE_S + asOfS) * US_PER_S }),
      },
      ...(statuses !== undefined && { statuses }),
      orderBy: 'count',
      page: 1,
      pageSize,
    },
    'list',
  );

interface ListOptions {
  readonly toS?: number;
  readonly asOfS?: number;
  readonly statuses?: readonly ErrorGroupStatus[];
  readonly pageSize?: number;
}

const resolvedAt = (atS: number, fixedIn = '', knownVersions: readonly string[] = []): ErrorGroupChange =>
  resolvedIn(BASE_S + atS, fixedIn, knownVersions);
const reopenedAt = (atS: number): ErrorGroupChange => ({ type: 'reopened', at: (BASE_S + atS) * 1_000, by: 'member' });

describe('the status of an error group', () => {
  it('is open, then resolved, and reopened by its next exception, as of any moment', async () => {
    const world = await createWorld({ atS: 10 }, { atS: 20 }, { atS: 200 }, { atS: 300 }, { atS: 150, type: 'Other' });
    const { groupId } = (await list(world, { toS: 100 })).groups[0];
    await change(world, groupId, resolvedAt(100));
    const stateOf = async (options: ListOptions) => {
      const { status, resolvedAtUs, resolvedBy, resolvedInVersion, reopenedAtUs } = (await list(world, options))
        .groups[0];
      return { status, resolvedAtUs, resolvedBy, resolvedInVersion, reopenedAtUs };
    };
    const never = { resolvedAtUs: undefined, resolvedBy: undefined };
    const unknown = { resolvedInVersion: undefined, reopenedAtUs: undefined };
    assert.deepEqual(await stateOf({ asOfS: 50 }), { status: 'open', ...never, ...unknown });
    const resolved = { resolvedAtUs: (BASE_S + 100) * US_PER_S, resolvedBy: 'owner' };
    assert.deepEqual(await stateOf({ asOfS: 180 }), { status: 'resolved', ...resolved, ...unknown });
    const reopened = { status: 'reopened', ...resolved, ...unknown, reopenedAtUs: (BASE_S + 200) * US_PER_S };
    assert.deepEqual(await stateOf({}), reopened);
    // A range is no moment: the status is that of now.
    assert.deepEqual(await stateOf({ toS: 100 }), reopened);
    const range = { fromUs: BASE_S * US_PER_S, toUs: (BASE_S + 100) * US_PER_S };
    const detail = await world.queries().readErrorGroup({ gridId: GRID, range, groupId }, 'one');
    assert.deepEqual([detail?.status, detail?.reopenedAtUs], ['reopened', reopened.reopenedAtUs]);
  });

  it('stays resolved while versions report it that were known then, and not when a later one does', async () => {
    const known = await createWorld({ atS: 10 }, { atS: 200 });
    const { groupId } = (await list(known, {})).groups[0];
    await change(known, groupId, resolvedAt(100, '2', ['1']));
    const [group] = (await list(known, {})).groups;
    assert.deepEqual([group.status, group.resolvedInVersion], ['resolved', '2']);
    for (const version of ['2', '3']) {
      const world = await createWorld({ atS: 10 }, { atS: 200 }, { atS: 210, version }, { atS: 220, version });
      await change(world, groupId, resolvedAt(100, '2', ['1']));
      const [{ status, reopenedAtUs }] = (await list(world, {})).groups;
      assert.deepEqual([status, reopenedAtUs], ['reopened', (BASE_S + 210) * US_PER_S]);
    }
  });

  it('is what a person did last', async () => {
    const world = await createWorld({ atS: 10 }, { atS: 200 });
    const { groupId } = (await list(world, {})).groups[0];
    await change(world, groupId, resolvedAt(100), resolvedAt(300));
    assert.equal((await list(world, {})).groups[0].status, 'resolved');
    await change(world, groupId, resolvedAt(100), resolvedAt(300), reopenedAt(400));
    const [{ status, reopenedAtUs, resolvedAtUs }] = (await list(world, {})).groups;
    assert.deepEqual(
      [status, reopenedAtUs, resolvedAtUs],
      ['reopened', (BASE_S + 400) * US_PER_S, (BASE_S + 300) * US_PER_S],
    );
  });

  it('selects groups, with exact counts on all pages', async () => {
    const types = ['A', 'B', 'B', 'C', 'C', 'C', 'D', 'D', 'D', 'D'];
    const world = await createWorld(...types.map((type, index) => ({ atS: index, type })));
    const byType = new Map((await list(world, {})).groups.map(({ type, groupId }) => [type, groupId]));
    await change(world, byType.get('A')!, resolvedAt(100));
    await change(world, byType.get('C')!, resolvedAt(2));
    const select = async (...statuses: ErrorGroupStatus[]) => {
      const { groups, totalCount, exceptionCount } = await list(world, { statuses, pageSize: 1 });
      return [groups.map(({ type }) => type), totalCount, exceptionCount];
    };
    assert.deepEqual(await select('open'), [['D'], 2, 6]);
    assert.deepEqual(await select('resolved'), [['A'], 1, 1]);
    assert.deepEqual(await select('reopened'), [['C'], 1, 3]);
    assert.deepEqual(await select('open', 'reopened'), [['D'], 3, 9]);
  });
});

describe('the versions of an error group', () => {
  const lookUp = (world: TelemetryWorld, groupId: string, nowS: number, stopAtFirst = false) =>
    world
      .queries()
      .lookUpErrorGroup({ gridId: GRID, groupId, nowUs: (BASE_S + nowS) * US_PER_S, stopAtFirst }, 'lookup');
  const versionsOf = async (...of: Parameters<typeof lookUp>) => (await lookUp(...of))?.versions;

  it('are those of the last day, latest first, else the last one', async () => {
    const world = await createWorld({ atS: 10 }, { atS: 20, version: '2' }, { atS: 25 * HOUR_S, version: '3' });
    const { groupId } = (await list(world, {})).groups[0];
    assert.deepEqual(await versionsOf(world, groupId, 20 * HOUR_S), ['3', '2', '1']);
    assert.deepEqual(await versionsOf(world, groupId, 25 * HOUR_S), ['3']);
    assert.deepEqual(await versionsOf(world, groupId, 60 * HOUR_S), ['3']);
    assert.equal(await versionsOf(world, 'none', 60 * HOUR_S), undefined);
    assert.equal(await versionsOf(world, 'none', 60 * HOUR_S, true), undefined);
    assert.deepEqual(await versionsOf(world, groupId, 25 * HOUR_S, true), ['3']);
  });

  it('are told with whether the group is resolved, so that the same is not noted again', async () => {
    const world = await createWorld({ atS: 10 }, { atS: 200 });
    const { groupId } = (await list(world, {})).groups[0];
    for (const [changes, isResolved] of [
      [[], false],
      [[resolvedAt(100)], false],
      [[resolvedAt(300)], true],
      [[resolvedAt(100, '2', ['1'])], true],
      [[resolvedAt(300), reopenedAt(400)], false],
    ] as const) {
      await change(world, groupId, ...changes);
      for (const stopAtFirst of [false, true])
        assert.equal((await lookUp(world, groupId, 500, stopAtFirst))?.isResolved, isResolved);
    }
  });
});
