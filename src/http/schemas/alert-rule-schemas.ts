import Type from 'typebox';
import { ALERT_METRICS } from '../../diagnostics/alerting/alert-metrics.js';
import { ALERT_OPERATORS } from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import { AGGREGATES, SIGNALS } from '../../queries/query/query-model.js';
import {
  choice,
  count,
  flag,
  inlineRecord,
  instant,
  labels,
  listing,
  listOf,
  nullable,
  number,
  record,
  text,
} from './schema-builders.js';

const RuleQuery = record('WatchedQuery', 'The query that a rule watches.', {
  signal: choice([...SIGNALS], 'What the query reads.', 'logs'),
  where: text('Condition that records must meet; empty for every record.', 'severity = Error timeout not upstream'),
  groupBy: listOf(text('Field of the group.', 'service'), 'Fields whose values make up the groups.'),
  select: listOf(
    inlineRecord('A function over the records of each group.', {
      fn: choice([...AGGREGATES], 'Function.', 'count'),
      field: Type.Optional(text('Field whose values are aggregated.', 'duration')),
      as: Type.Optional(text('Name of the value.', 'timeouts')),
    }),
    'The function whose value is compared with the threshold.',
  ),
});

export const AlertRule = record('AlertRule', 'A threshold rule of a Grid.', {
  id: text('Id of the rule.', '0d8f3b52-7c4e-4f7a-9a41-6b5c4d3e2f10'),
  name: text('Name of the rule.', 'Checkout fails'),
  metric: Type.Optional(choice(ALERT_METRICS, 'Metric to watch, per service or error group; absent with a query.')),
  query: Type.Optional(RuleQuery),
  operator: choice(ALERT_OPERATORS, 'Comparison of the value with the threshold that makes the rule fire.'),
  threshold: number('Threshold in the unit of the metric; of a query, in the unit of its column.', 5),
  severity: choice(SEVERITIES, 'Severity of the alerts.', 'warning'),
  criticalThreshold: Type.Optional(
    number('Value from which the alerts are critical, in the direction of the operator.', 10),
  ),
  serviceName: Type.Optional(text('The service to watch; absent: every service.', 'checkout')),
  windowMinutes: count('Length of the window over which the value is computed. Minutes.', 15),
  forMinutes: count('How long the condition must hold before the rule fires; 0: immediately. Minutes.', 0),
  minRequests: count(
    'Minimum number of requests in the window, of a query or new_errors of records in each group; with fewer the rule is not evaluated.',
    20,
  ),
  enabled: flag('Whether the rule is active.', true),
  runbookUrl: Type.Optional(
    text('Address of instructions for whoever is notified.', 'https://wiki.example/runbooks/checkout'),
  ),
  isDefault: flag(
    'Whether this is one of the four rules that every new Grid starts with. Identified by id, so it remains true if the rule is changed.',
    false,
  ),
});

export const AlertRules = listing('AlertRules', 'The alert rules of a Grid.', {
  rules: listOf(AlertRule, 'Sorted by creation time.'),
});
const serviceName = text('Name of the service; empty for an alert of no service in particular.', 'checkout');
const firedAt = instant('When the rule would have fired.');
const resolvedAt = nullable(
  instant('When the alert would have been resolved.', '2026-03-14T09:48:00.000Z'),
  'When the alert would have been resolved; null if it would still be firing.',
);
const Firing = record('Firing', 'A period during which the rule would have fired.', {
  serviceName,
  labels: Type.Optional(
    labels(
      "Values of the other fields that the rule's query groups by, or type and id of the error group; absent: none.",
    ),
  ),
  firedAt,
  resolvedAt,
  peakValue: number('Worst value during the period, in the unit of the metric.', 11.2),
});

export const MissedAlert = record(
  'MissedAlert',
  'A recorded alert of any rule during which this rule would not have fired.',
  {
    id: text('Opaque id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
    ruleName: text('Name of the rule that fired.', 'Error rate'),
    serviceName,
    condition: text('Condition of that rule.', 'error_rate > 5%'),
    severity: choice(SEVERITIES, 'Severity of the alert.', 'warning'),
    firedAt: instant('When the alert fired.'),
    resolvedAt: nullable(
      instant('When the alert was resolved.', '2026-03-14T09:48:00.000Z'),
      'When the alert was resolved; null if it is still firing.',
    ),
  },
);

export const Backtest = record('Backtest', 'When a rule would have fired over past data.', {
  firings: listOf(Firing, 'Sorted by time.'),
  perWeek: number('Number of firings per week, extrapolated from the range.', 1.4),
  missed: listOf(
    MissedAlert,
    'Recorded alerts of the services that the rule watches during which it would not have fired.',
  ),
});
