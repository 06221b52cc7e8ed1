import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TraceQuery, TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { naiveFindTraces } from '../telemetry/support/naive-traces.js';
import { cut, cuts, spans, spansInCircles, traceQuestion } from '../telemetry/support/random-telemetry.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

describe('trace search over random telemetry', () => {
  it('equals a naive scan, however the spans are spread over blocks', () =>
    fc.assert(
      fc.asyncProperty(
        spans,
        cuts,
        fc.array(traceQuestion, { minLength: 4, maxLength: 8 }),
        async (given, at, questions) => {
          const world = await worldOf(cut(given, at));
          const queries = world.queries();
          for (const query of questions) await expectNaive(queries, given, query);
        },
      ),
      { numRuns: 400 },
    ));

  it('ends every walk to the root, also where parents run in circles', () =>
    fc.assert(
      fc.asyncProperty(spansInCircles, fc.constantFrom('cart', 'shop'), async (given, serviceName) => {
        const queries = (await worldOf([given])).queries();
        await expectNaive(queries, given, {
          gridId: GRID,
          range: { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER },
          serviceName,
          page: 1,
          pageSize: 5,
        });
      }),
      { numRuns: 300 },
    ));

  it('finds the same after any blocks were merged, also for a reader that saw none of the steps between', () =>
    fc.assert(
      fc.asyncProperty(
        spans,
        cuts,
        traceQuestion,
        fc.array(fc.nat(9), { maxLength: 4 }),
        fc.boolean(),
        async (given, at, query, merges, looksBetween) => {
          const world = await worldOf(cut(given, at));
          const queries = world.queries();
          await expectNaive(queries, given, query);
          for (const choice of merges) {
            const seqs = [...world.spanShelf.blocks.keys()].filter((_, i) => i % 2 === choice % 2);
            if (seqs.length > 0) await world.commit(world.spanShelf.merge(seqs));
            if (looksBetween) await expectNaive(queries, given, query);
          }
          await expectNaive(queries, given, query);
        },
      ),
      { numRuns: 200 },
    ));

  it('corrects itself when spans arrive late, roots included', () =>
    fc.assert(
      fc.asyncProperty(spans, cuts, traceQuestion, async (given, at, query) => {
        const world = await TelemetryWorld.empty();
        const queries = world.queries();
        const arrived: GivenSpan[] = [];
        for (const part of cut(given, at)) {
          await world.addSpans(part);
          arrived.push(...part);
          await expectNaive(queries, arrived, query);
        }
      }),
      { numRuns: 200 },
    ));

  it('pages are stable and complete', () =>
    fc.assert(
      fc.asyncProperty(spans, cuts, traceQuestion, async (given, at, query) => {
        const world = await worldOf(cut(given, at));
        const queries = world.queries();
        const all = await queries.findTraces({ ...query, page: 1, pageSize: 100 });
        const paged: string[] = [];
        for (let page = 1; (page - 1) * query.pageSize < all.totalCount; page++) {
          const { items, totalCount } = await queries.findTraces({ ...query, page });
          assert.equal(totalCount, all.totalCount);
          paged.push(...items.map((item) => item.traceId));
        }
        assert.deepEqual(
          paged,
          all.items.map((item) => item.traceId),
        );
        assert.equal(new Set(paged).size, all.totalCount);
      }),
      { numRuns: 100 },
    ));
});

async function worldOf(parts: readonly GivenSpan[][]): Promise<TelemetryWorld> {
  const world = await TelemetryWorld.empty();
  for (const part of parts) await world.addSpans(part);
  return world;
}

async function expectNaive(queries: TelemetryQueries, given: readonly GivenSpan[], query: TraceQuery): Promise<void> {
  const found = await queries.findTraces(query);
  const naive = naiveFindTraces(given, query);
  assert.equal(found.totalCount, naive.totalCount);
  assert.deepEqual(
    found.items.map((item) => [item.traceId, item.spanId, item.start]),
    naive.items.map((item) => [item.traceId, item.spanId, item.start]),
  );
  for (const { traceId, rootArrived } of found.items)
    assert.equal(
      rootArrived,
      given.some((span) => span.traceId === traceId && (span.parentId ?? '') === ''),
      traceId,
    );
}
