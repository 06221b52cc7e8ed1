import { describeCondition } from '../../diagnostics/alerting/condition-wording.js';
import type { IncidentAlert } from '../../streams/events/incident-events.js';

/** Title of an incident while no cause is known: by its first alert, which need not concern a service. */
export function formatAlertTitle({
  serviceName,
  ruleName,
  condition,
}: Pick<IncidentAlert, 'serviceName' | 'ruleName' | 'condition'>): string {
  return `${serviceName === '' ? ruleName : serviceName}: ${describeCondition(condition)}`;
}
