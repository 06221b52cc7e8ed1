import assert from 'node:assert/strict';
import fc from 'fast-check';
import { validateChart, validateDashboard } from '../../../../src/commands/charts/chart-validation.js';
import { ChartModel, DashboardModel, toNewDashboard } from '../../../../src/http/requests/chart-definition-requests.js';
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
        assert.equal(errors.length === 0, validateChart(value).length === 0);
        assert.equal(new Set(errors.map(({ field }) => field)).size, errors.length);
        assert.ok(errors.every(({ field, message }) => message.startsWith(`${field} `)));
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
