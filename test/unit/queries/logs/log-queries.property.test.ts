import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogQuery, TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { naiveFindLogs } from '../telemetry/support/naive-logs.js';
import { cut, cuts, logQuestion, logs } from '../telemetry/support/random-telemetry.js';
import type { GivenLog } from '../telemetry/support/requests.js';
import { TelemetryWorld } from '../telemetry/support/telemetry-world.js';

describe('log search over random telemetry', () => {
  it('equals a naive scan, with words, prefixes and phrases, however the records are spread over blocks', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        cuts,
        fc.array(logQuestion, { minLength: 4, maxLength: 8 }),
        async (given, at, questions) => {
          const queries = (await worldOf(cut(given, at))).queries();
          for (const query of questions) await expectNaive(queries, given, query);
        },
      ),
      { numRuns: 400 },
    ));

  it('finds the same after blocks were merged', () =>
    fc.assert(
      fc.asyncProperty(logs, cuts, logQuestion, async (given, at, query) => {
        const world = await worldOf(cut(given, at));
        const queries = world.queries();
        await expectNaive(queries, given, query);
        const seqs = [...world.logShelf.blocks.keys()];
        if (seqs.length > 0) await world.commit(world.logShelf.merge(seqs));
        await expectNaive(queries, given, query);
      }),
      { numRuns: 200 },
    ));

  it('finds the same in blocks of versions before 4, beside blocks of this one', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        cuts,
        fc.array(logQuestion, { minLength: 2, maxLength: 4 }),
        async (given, at, questions) => {
          const world = await TelemetryWorld.empty();
          for (const [index, part] of cut(given, at).entries()) {
            world.writesFormerLogBlocks = index % 2 === 0;
            await world.addLogs(part);
          }
          for (const query of questions) await expectNaive(world.queries(), given, query);
        },
      ),
      { numRuns: 100 },
    ));

  it('pages are stable and complete', () =>
    fc.assert(
      fc.asyncProperty(logs, cuts, logQuestion, async (given, at, query) => {
        const queries = (await worldOf(cut(given, at))).queries();
        const all = await queries.findLogs({ ...query, page: 1, pageSize: 100 });
        const paged: string[] = [];
        for (let page = 1; (page - 1) * query.pageSize < all.totalCount; page++) {
          paged.push(...(await queries.findLogs({ ...query, page })).items.map((item) => item.id));
        }
        assert.deepEqual(
          paged,
          all.items.map((item) => item.id),
        );
        assert.equal(new Set(paged).size, all.totalCount);
      }),
      { numRuns: 100 },
    ));
});

async function worldOf(parts: readonly GivenLog[][]): Promise<TelemetryWorld> {
  const world = await TelemetryWorld.empty();
  for (const part of parts) await world.addLogs(part);
  return world;
}

async function expectNaive(queries: TelemetryQueries, given: readonly GivenLog[], query: LogQuery): Promise<void> {
  const found = await queries.findLogs(query);
  const naive = naiveFindLogs(given, query);
  assert.equal(found.totalCount, naive.totalCount);
  assert.deepEqual(
    found.items.map((item) => [item.time, item.body, item.serviceName, item.severityNumber, item.traceId, item.spanId]),
    naive.items.map((item) => [
      item.time,
      item.body,
      item.service,
      item.severity,
      item.traceId ?? '',
      item.spanId ?? '',
    ]),
  );
}
