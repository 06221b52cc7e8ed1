import Type from 'typebox';
import { ALERT_METRICS, ALERT_OPERATORS } from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import { choice, count, flag, instant, listing, listOf, nullable, number, record, text } from './schema-builders.js';

export const AlertRule = record('AlertRule', 'A threshold rule of a Grid.', {
  id: text(
    'Id of the rule: a UUID, or a name for those that every Grid starts with.',
    '0d8f3b52-7c4e-4f7a-9a41-6b5c4d3e2f10',
  ),
  name: text('Name of the rule.', 'Checkout fails'),
  metric: choice(ALERT_METRICS, 'What is watched, per service.'),
  operator: choice(ALERT_OPERATORS, 'How the value compares with the threshold when the rule fires.'),
  threshold: number('In the unit of the metric: percent, milliseconds, Apdex, requests a second.', 5),
  severity: choice(SEVERITIES, 'Severity of its alerts.', 'warning'),
  criticalThreshold: Type.Optional(
    number('From this value on, in the direction of the operator, its alerts are critical.', 10),
  ),
  serviceName: Type.Optional(text('The only service that it watches; absent: every service.', 'checkout')),
  windowMinutes: count('Minutes that the value is taken over.', 15),
  forMinutes: count('Minutes for which the condition must hold before it fires; 0: at once.', 0),
  minRequests: count('With fewer requests in the window it does not judge.', 20),
  enabled: flag('Whether it is watched.', true),
});

export const AlertRules = listing('AlertRules', 'The alert rules of a Grid.', {
  rules: listOf(AlertRule, 'In the order in which they were created.'),
});
const serviceName = text('Name of the service.', 'checkout');
const firedAt = instant('When it would have fired.');
const resolvedAt = nullable(
  instant('When it would have been resolved.', '2026-03-14T09:48:00.000Z'),
  'When it would have been resolved; null where it would still fire.',
);
const Firing = record('Firing', 'A time for which the rule would have fired.', {
  serviceName,
  firedAt,
  resolvedAt,
  peakValue: number('Worst value in that time, in the unit of the metric.', 11.2),
});

export const MissedAlert = record(
  'MissedAlert',
  'A recorded alert, of whichever rule, during which this rule would not have fired.',
  {
    id: text('Opaque id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
    ruleName: text('Name of the rule that fired.', 'Error rate'),
    serviceName,
    condition: text('What that rule watches for.', 'error_rate > 5%'),
    severity: choice(SEVERITIES, 'How bad it was.', 'warning'),
    firedAt: instant('When it fired.'),
    resolvedAt: nullable(
      instant('When it was resolved.', '2026-03-14T09:48:00.000Z'),
      'When it was resolved; null where it still fires.',
    ),
  },
);

export const Backtest = record('Backtest', 'When a rule would have fired over past data.', {
  firings: listOf(Firing, 'By time.'),
  perWeek: number('As many firings a week as there were in the range.', 1.4),
  missed: listOf(
    MissedAlert,
    'Recorded alerts of services that the rule is about, during which it would not have fired.',
  ),
});
