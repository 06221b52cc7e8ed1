import { ALERT_METRICS, ALERT_OPERATORS, MAX_THRESHOLD, RULE_BOUNDS, type AlertRule } from '../../diagnostics/alert-rule.js';
import { SEVERITIES } from '../../diagnostics/severity.js';
import type { FieldError } from '../../errors.js';
import { choiceFault, fault, isWithin, textFault, wholeNumberFault } from '../faults.js';

/** A rule as its author gives it: the id is minted. */
export type NewAlertRule = Omit<AlertRule, 'id'>;

/** All faults of a rule at once. */
export function ruleFaults(rule: NewAlertRule): FieldError[] {
  const { windowMinutes, forMinutes, minRequests } = RULE_BOUNDS;
  return [
    ...fault('name', textFault(rule.name, RULE_BOUNDS.nameLength)),
    ...fault('metric', choiceFault(rule.metric, ALERT_METRICS)),
    ...fault('operator', choiceFault(rule.operator, ALERT_OPERATORS)),
    ...fault('threshold', thresholdFault(rule)),
    ...fault('severity', choiceFault(rule.severity, SEVERITIES)),
    ...fault('criticalThreshold', criticalThresholdFault(rule)),
    ...fault('serviceName', rule.serviceName === undefined ? undefined : textFault(rule.serviceName, RULE_BOUNDS.serviceNameLength)),
    ...fault('windowMinutes', wholeNumberFault(rule.windowMinutes, windowMinutes)),
    ...fault('forMinutes', wholeNumberFault(rule.forMinutes, forMinutes)),
    ...fault('minRequests', wholeNumberFault(rule.minRequests, minRequests)),
    ...fault('enabled', typeof rule.enabled === 'boolean' ? undefined : 'must be true or false'),
  ];
}

/** A rule that can never hold is a mistake, so that thresholds have the bounds of their metric. */
function thresholdFault({ metric, threshold }: Pick<NewAlertRule, 'metric' | 'threshold'>): string | undefined {
  const max = ALERT_METRICS.includes(metric) ? MAX_THRESHOLD[metric] : Number.MAX_VALUE;
  return isWithin(threshold, 0, max) ? undefined : max === Number.MAX_VALUE ? 'must be a number from 0 on' : `must be a number from 0 to ${max}`;
}

/** What is critical is at least as bad as what fires. */
function criticalThresholdFault({ metric, operator, threshold, criticalThreshold }: Pick<NewAlertRule, 'metric' | 'operator' | 'threshold' | 'criticalThreshold'>): string | undefined {
  if (criticalThreshold === undefined) return undefined;
  const range = thresholdFault({ metric, threshold: criticalThreshold });
  // What was sent for the threshold need not be a number, nor anything that can be compared with one.
  if (range !== undefined || typeof threshold !== 'number') return range;
  const isUpward = operator === '>' || operator === '>=';
  const isBeyond = isUpward ? criticalThreshold >= threshold : criticalThreshold <= threshold;
  return isBeyond ? undefined : `must not be ${isUpward ? 'below' : 'above'} the threshold`;
}
