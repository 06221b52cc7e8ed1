import Type from 'typebox';
import { severity } from './diagnostics-schemas.js';
import { choice, instant, labels, listing, listOf, number, record, text } from './schema-builders.js';

const Alert = record('Alert', 'An alert of a threshold rule, for one service or one group of its query.', {
  id: text('Opaque id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
  ruleName: text('Name of the rule.', 'Error rate'),
  severity,
  serviceName: text('Name of the service; empty for an alert of no service in particular.', 'checkout'),
  labels: Type.Optional(
    labels(
      "Values of the other fields that the rule's query groups by, or type and id of the error group; absent: none.",
    ),
  ),
  condition: text('Condition of the rule.', 'error_rate > 5%'),
  currentValue: number('Value of the metric when the alert fired or last changed its severity, in its unit.', 8.5),
  triggeredAt: instant('When the alert fired.'),
  status: choice(['firing', 'resolved'] as const, 'Status of the alert.', 'firing'),
  acknowledgedBy: Type.Optional(text('Who acknowledged it.', 'owner')),
  acknowledgedAt: Type.Optional(instant('When it was acknowledged.')),
});

export const Alerts = listing('Alerts', 'Alerts that are firing.', {
  alerts: listOf(Alert, 'Sorted by time, newest first.'),
});
