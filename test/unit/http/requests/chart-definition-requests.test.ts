import assert from 'node:assert/strict';
import fc from 'fast-check';
import { validateChart, validateDashboard } from '../../../../src/commands/charts/chart-validation.js';
import {
  ChartModel,
  DashboardModel,
  toNewChart,
  toNewDashboard,
} from '../../../../src/http/requests/chart-definition-requests.js';
import { parseRequest } from '../../../../src/http/requests/request-parser.js';
import { CHART, NEW_CHART } from '../../../support/sample-charts.js';

const POSITION = { row: 0, col: 0, width: 6, height: 4 };

/** Mostly nonsense, where it hurts: in the place of fields, of charts, of positions. */
function nonsense(right: object): fc.Arbitrary<object> {
  return fc.record(
    Object.fromEntries(
      Object.entries(right).map(([name, value]) => [name, fc.oneof(fc.constant(value as unknown), fc.jsonValue())]),
    ),
    { requiredKeys: [] },
  );
}

const placed = fc.oneof(
  fc.jsonValue(),
  nonsense({ chartId: CHART.id, position: POSITION }),
  nonsense(POSITION).map((position) => ({ chartId: CHART.id, position })),
);
const dashboard = fc.record(
  {
    title: fc.oneof(fc.constant('Board'), fc.jsonValue()),
    description: fc.oneof(fc.constant(''), fc.jsonValue()),
    charts: fc.oneof(fc.jsonValue(), fc.array(placed)),
  },
  { requiredKeys: [] },
);

describe('ChartModel', () => {
  it('takes what the rules of commands take, names each fault once, and never throws', () => {
    fc.assert(
      fc.property(nonsense(NEW_CHART), (sent) => {
        const { value, errors } = parseRequest(ChartModel, sent);
        assert.equal(errors.length === 0, validateChart(toNewChart(value)).length === 0);
        assert.equal(new Set(errors.map(({ field }) => field)).size, errors.length);
        assert.ok(errors.every(({ field, message }) => message.startsWith(`${field} `)));
      }),
    );
  });
});

describe('ChartModel of a query', () => {
  const QUERY = { signal: 'spans', where: 'kind = server', groupBy: ['customer.tier'], select: [{ fn: 'count' }] };
  const sent = { title: 'By tier', chartType: 'line', metric: 'query', query: QUERY };

  it('stores what the query leaves out as empty', () => {
    const { value, errors } = parseRequest(ChartModel, sent);
    assert.deepEqual(errors, []);
    assert.deepEqual(toNewChart(value).query, { ...QUERY, select: [{ fn: 'count', field: '', as: '' }], limit: 0 });
  });

  it('names faults of the query by their place', () => {
    const faultsOf = (changes: object): string[] =>
      parseRequest(ChartModel, { ...sent, ...changes }).errors.map(({ message }) => message);
    assert.match(
      faultsOf({ query: { ...QUERY, where: 'kind = ' } }).join(),
      /^query\.where is wrong at position \d: expected a value/,
    );
    assert.deepEqual(faultsOf({ metric: 'latency' }), ['query must be absent unless the metric is query']);
    assert.match(faultsOf({ serviceName: 'cart' }).join(), /^query replaces serviceName/);
    assert.match(faultsOf({ query: { ...QUERY, select: [] } }).join(), /^query/);
    assert.match(faultsOf({ query: { ...QUERY, stepSeconds: 60 } }).join(), /stepSeconds/);
  });

  it('takes what is null as left out', () => {
    const query = { signal: 'spans', where: null, groupBy: null, select: null, limit: null };
    const { value, errors } = parseRequest(ChartModel, { ...sent, query });
    assert.deepEqual(errors, []);
    assert.deepEqual(toNewChart(value).query, { signal: 'spans', where: '', groupBy: [], select: [], limit: 0 });
  });

  it('never throws, whatever the query is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nonsense(QUERY)), (query) => {
        const { value, errors } = parseRequest(ChartModel, { ...sent, query });
        if (errors.length === 0) toNewChart(value);
      }),
    );
  });
});

describe('DashboardModel', () => {
  it('takes what the rules of commands take, names each fault once, and never throws', () => {
    fc.assert(
      fc.property(dashboard, (sent) => {
        const { value, errors } = parseRequest(DashboardModel, sent);
        assert.equal(errors.length === 0, validateDashboard(value).length === 0);
        assert.equal(new Set(errors.map(({ field }) => field)).size, errors.length);
        if (errors.length === 0) assert.deepEqual(validateDashboard(toNewDashboard(value)), []);
      }),
    );
  });

  it('takes as variables what conditions can name', () => {
    const faultsOf = (variables: readonly string[]): string[] =>
      parseRequest(DashboardModel, { title: 'Board', variables }).errors.map(({ field }) => field);
    assert.deepEqual(faultsOf(['service', 'customer.tier', 'resource.host.name', 'two words']), []);
    assert.deepEqual(faultsOf(['a`b', 'service', 'span.', 'resource.']), [
      'variables[0]',
      'variables[2]',
      'variables[3]',
    ]);
    assert.deepEqual(faultsOf(['a', 'a']), ['variables[1]']);
  });

  it('reads ids without regard to case', () => {
    const { value } = parseRequest(DashboardModel, {
      title: 'Board',
      charts: [{ chartId: CHART.id.toUpperCase(), position: POSITION }],
    });
    assert.deepEqual(toNewDashboard(value), {
      title: 'Board',
      description: '',
      charts: [{ chartId: CHART.id, position: POSITION }],
    });
  });

  it('looks at no more charts than a dashboard may have', () => {
    const charts = Array.from({ length: 100_000 }, () => ({}));
    assert.deepEqual(
      parseRequest(DashboardModel, { title: 'Board', charts }).errors.map(({ field }) => field),
      ['charts'],
    );
  });
});
