import assert from 'node:assert/strict';
import { utcDay } from '../../../../src/accounting/utc-calendar.js';
import { buildReport } from '../../../../src/diagnostics/slos/slo-report.js';
import { formatReport } from '../../../../src/queries/slos/slo-report-markdown.js';
import { REPORT } from '../../../support/fake-slos.js';

describe('report on an objective as Markdown', () => {
  it('says target, achieved, budget, worst days, alerts and incidents', () => {
    assert.deepEqual(formatReport(REPORT).split('\n'), [
      '# Checkout is available: 2026-01',
      '',
      '**Met.**',
      '',
      '|  |  |',
      '|---|---|',
      '| Target | 99 % |',
      '| Achieved | 99.5 % (3980 of 4000 events) |',
      '| Budget | 40 bad events |',
      '| Budget spent | 20 (50 %) |',
      '| Budget remaining | 20 (50 %) |',
      '',
      '## Worst days',
      '',
      '| Day | Bad | Events | Good |',
      '|---|---|---|---|',
      '| 2026-01-01 | 20 | 4000 | 99.5 % |',
      '',
      '## Alerts',
      '',
      '| Fired | Resolved | Severity | Condition |',
      '|---|---|---|---|',
      '| 2026-01-01 10:00 | still firing | critical | burn\\_rate \\> 13.44 over 1h and 5m |',
      '',
      '## Incidents',
      '',
      '| Began | Ended | Status | Incident |',
      '|---|---|---|---|',
      '| 2026-01-01 10:00 | 2026-01-29 10:30 | resolved | checkout fails |',
      '',
      '## What this counts',
      '',
      '- Nothing is known before 2026-01-01 10:00: there were no events, or they were not stored any more when the objective was created. Counts of 93 days are kept.',
      '- The target applies to the calendar month, whatever the window of the objective.',
      '- Days are those of UTC; other times are UTC.',
      '',
    ]);
  });

  it('says that a month that is not over may still change', () => {
    for (const [report, verdict] of [
      [{ ...REPORT, isMet: false }, 'Missed.'],
      [{ ...REPORT, isOver: false }, 'Met so far.'],
      [{ ...REPORT, isMet: false, isOver: false }, 'Missed so far.'],
    ] as const)
      assert.equal(formatReport(report).split('\n')[2], `**${verdict}**`);
  });

  it('takes no markup from names, and says what is missing', () => {
    const name = 'A | <b>x</b>\n# [y](z)';
    const empty = {
      ...REPORT,
      slo: { ...REPORT.slo, name, excludesMaintenance: true },
      hours: new Map(),
      isOver: false,
    };
    const text = formatReport(buildReport({ ...empty, coveredFromMs: undefined, alerts: [], incidents: [] }, utcDay));
    assert.match(text, /^# A \\\| \\<b\\>x\\<\/b\\> \\# \\\[y\\\]\(z\): 2026-01\n/);
    for (const line of [
      'No events were counted',
      'The month is not over',
      'Left out as planned maintenance: 0',
      'No alerts',
    ])
      assert.ok(text.includes(line), line);
  });
});
