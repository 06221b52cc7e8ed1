import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileQuery } from '../../../../src/queries/query/query-compiler.js';
import {
  chooseStep,
  FIRST_QUERY,
  listFunctions,
  parseExploreQuery,
  parseFunction,
  RESULT_VIEWS,
  toExploreParameters,
  toggleOrder,
  toQueryBody,
  writeFunction,
  type ExploreQuery,
} from '../../../../portal/src/pages/explore/explore-query.js';

const HOUR_MS = 3_600_000;
const text = fc.string({ minLength: 1, maxLength: 12 });

const query: fc.Arbitrary<ExploreQuery> = fc.record<ExploreQuery>(
  {
    signal: fc.constantFrom('spans' as const, 'logs' as const),
    where: fc.string({ maxLength: 30 }),
    groupBy: fc.uniqueArray(text, { maxLength: 4 }),
    select: fc.uniqueArray(fc.constantFrom('count', 'p99(duration)', 'errorRate', 'avg(size)'), { maxLength: 3 }),
    stepSeconds: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
    orderBy: fc.uniqueArray(text, { maxLength: 2 }),
    limit: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
    show: fc.constantFrom('table' as const, 'series' as const, 'top' as const, 'records' as const),
    columns: fc.uniqueArray(text, { maxLength: 3 }),
  },
  { noNullPrototype: true },
);

/** The parameters as the address has them: those without a value are not there. */
function toAddress(given: ExploreQuery): URLSearchParams {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(toExploreParameters(given)))
    for (const each of typeof value === 'string' ? [value] : value) if (each !== '') address.append(name, each);
  return new URLSearchParams(address.toString());
}

describe('the query of the Explore page', () => {
  it('is the same after a way through the address', () => {
    fc.assert(fc.property(query, (given) => assert.deepEqual(parseExploreQuery(toAddress(given)), given)));
  });

  it('begins with the services, and shows heatmaps of spans only', () => {
    assert.deepEqual(parseExploreQuery(new URLSearchParams()), FIRST_QUERY);
    assert.equal(parseExploreQuery(new URLSearchParams('signal=logs&show=heatmap')).show, 'table');
    assert.equal(parseExploreQuery(new URLSearchParams('signal=spans&limit=-3&step=x')).limit, undefined);
  });

  it('is a valid request in every view', () => {
    for (const show of RESULT_VIEWS)
      for (const orderBy of [[], ['-count'], ['time']])
        assert.deepEqual(
          Object.keys(
            compileQuery(
              toQueryBody({ ...FIRST_QUERY, show, orderBy: show === 'records' ? ['time'] : orderBy }, HOUR_MS),
            ),
          ),
          ['plan'],
          `${show} ${orderBy.join()}`,
        );
  });

  it('counts when no function is chosen', () => {
    assert.deepEqual(toQueryBody({ ...FIRST_QUERY, select: [] }, HOUR_MS).select, [{ fn: 'count' }]);
  });

  it('reads the functions that it writes', () => {
    for (const fn of listFunctions('spans'))
      for (const field of [undefined, 'duration', 'a(b)']) {
        const given = field === undefined ? { fn } : { fn, field };
        assert.deepEqual(parseFunction(writeFunction(given)), given);
      }
    assert.ok(!listFunctions('metrics').includes('p99'));
  });

  it('sorts down, up, and not at all', () => {
    assert.deepEqual(toggleOrder([], 'count'), ['-count']);
    assert.deepEqual(toggleOrder(['-count'], 'count'), ['count']);
    assert.deepEqual(toggleOrder(['count'], 'count'), []);
    assert.deepEqual(toggleOrder(['count'], 'service'), ['-service']);
  });

  it('has at most 60 steps, and whole minutes for metrics', () => {
    assert.equal(chooseStep(15 * 60_000, 'spans'), 15);
    assert.equal(chooseStep(HOUR_MS, 'spans'), 60);
    assert.equal(chooseStep(15 * 60_000, 'metrics'), 60);
    assert.equal(chooseStep(7 * 24 * HOUR_MS, 'spans'), 10_800);
    assert.equal(chooseStep(1_000 * 24 * HOUR_MS, 'spans'), 86_400);
  });
});
