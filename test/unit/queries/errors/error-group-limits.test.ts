import assert from 'node:assert/strict';
import type { ErrorGroupsQuery } from '../../../../src/queries/errors/error-group-query-types.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { createSlowQueries } from './support/slow-queries.js';

const BASE_S = 1_760_000_000;
const NS_PER_S = 1_000_000_000n;

function failed(second: number, type: string, changes: Partial<GivenSpan> = {}): GivenSpan {
  const start = BigInt(BASE_S + second) * NS_PER_S;
  const id = (second + 1).toString(16);
  return {
    ...{ traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0'), service: 'shop', operation: 'work' },
    ...{ start, end: start + 1n },
    events: [{ name: 'exception', time: start, attributes: { 'exception.type': type } }],
    ...changes,
  };
}

function since(second: number): ErrorGroupsQuery {
  const range = { fromUs: (BASE_S + second) * 1e6, toUs: (BASE_S + second + 10_000) * 1e6 };
  return { gridId: GRID, range, orderBy: 'count', page: 1, pageSize: 10 };
}

describe('limits of error groups', () => {
  it('are not exceeded by the search for earlier exceptions: what it has not found in time is unknown', async () => {
    const world = await TelemetryWorld.empty();
    for (let second = 0; second < 60; second++)
      await world.addSpans([failed(second, second === 59 ? 'Known' : 'Other')]);
    await world.addSpans([failed(1_000, 'Known')]);
    await world.addSpans([failed(1_001, 'Unknown')]);
    const { queries, readSeconds } = createSlowQueries(world);
    const { groups, exceptionCount } = await queries.findErrorGroups(since(500), 'list');
    assert.equal(exceptionCount, 2);
    assert.deepEqual(groups.map(({ type, isNew }) => [type, isNew]).sort(), [
      ['Known', false],
      ['Unknown', undefined],
    ]);
    assert.ok(!groups.some((group) => 'isNew' in group && group.isNew === undefined));
    const detail = await queries.readErrorGroup(
      { ...since(500), groupId: groups.find(({ type }) => type === 'Unknown')!.groupId },
      'detail',
    );
    assert.deepEqual([detail?.count, detail?.isNew], [1, undefined]);
    assert.ok(readSeconds() < 50, `${readSeconds()} s in two queries`);
  });

  it('are not exceeded by the search for the versions of a group to resolve', async () => {
    const world = await TelemetryWorld.empty();
    for (let second = 0; second < 60; second++)
      await world.addSpans([
        failed(second, second === 0 ? 'Old' : 'Busy', { resource: { 'service.version': `${second}` } }),
      ]);
    const all = (await world.queries().findErrorGroups(since(0), 'list')).groups;
    const idOf = (name: string): string => all.find(({ type }) => type === name)!.groupId;
    const search = async (groupId: string, stopAtFirst: boolean) => {
      const { queries, readSeconds } = createSlowQueries(world);
      const nowUs = (BASE_S + 60) * 1e6;
      const known = await queries.lookUpErrorGroup({ gridId: GRID, groupId, nowUs, stopAtFirst }, 'lookup');
      assert.ok(readSeconds() <= 7, `${readSeconds()} s`);
      return known?.versions;
    };
    assert.deepEqual(await search(idOf('Busy'), true), ['59']);
    const found = await search(idOf('Busy'), false);
    assert.ok(found!.length < 59 && found![0] === '59', `${found?.join()}`);
    // Nobody knows whether it is stored.
    assert.deepEqual(await search(idOf('Old'), true), []);
    assert.deepEqual(await search('0'.repeat(32), false), []);
    for (const other of ['nothing', '0'.repeat(33), 'g'.repeat(32)]) assert.equal(await search(other, true), undefined);
  });

  it('include the memory of groups with many long versions', async function () {
    this.timeout(120_000);
    const world = await TelemetryWorld.empty();
    const padding = 'v'.repeat(240);
    for (let block = 0; block < 12; block++)
      await world.addSpans(
        Array.from({ length: 30 }, (_, nth) => ({
          ...failed(block * 30 + nth, ''),
          resource: { 'service.version': `${block * 30 + nth} ${padding}` },
          events: Array.from({ length: 400 }, (_each, type) => ({
            name: 'exception',
            time: BigInt(BASE_S) * NS_PER_S,
            attributes: { 'exception.type': `${type} of ${block} ${padding}` },
          })),
        })),
      );
    await assert.rejects(world.queries().findErrorGroups(since(0), 'list'), {
      code: 'invalid-request',
      message: /needs more than 96 MiB/,
    });
  });
});
