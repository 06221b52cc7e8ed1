import assert from 'node:assert/strict';
import { utcDay } from '../../../../src/accounting/utc-calendar.js';
import { buildReport } from '../../../../src/diagnostics/slos/slo-report.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import { drawReport } from '../../../../src/queries/slos/slo-report-picture.js';
import { REPORT } from '../../../support/fake-slos.js';

describe('picture of a report on an objective', () => {
  it('shows how the budget was spent, from the first events on', () => {
    const picture = drawReport(REPORT);
    const { chart, data } = unpackChart(picture, picture.frame);
    assert.equal(chart.title, '2026-01: 99.5 % (target 99 %), 50 % of the budget spent · Checkout is available');
    const [{ points }] = data.series;
    assert.equal(new Date(points[0].atMs).toISOString(), '2026-01-01T06:00:00.000Z');
    assert.deepEqual([points[0].value, points.at(-1)?.value], [50, 50]);
    assert.ok(points.length <= 124);
  });

  it('has no line without events', () => {
    const picture = drawReport(buildReport({ ...REPORT, hours: new Map(), coveredFromMs: undefined }, utcDay));
    assert.deepEqual(unpackChart(picture, picture.frame).data.series, []);
  });
});
