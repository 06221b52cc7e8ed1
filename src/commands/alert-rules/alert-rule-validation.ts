import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  MAX_THRESHOLD,
  ALERT_RULE_BOUNDS,
  type AlertRule,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import type { FieldError } from '../../errors.js';
import { checkChoice, toFieldErrors, isWithin, checkText, checkWholeNumber } from '../field-validation.js';

/** A rule as sent by its author; the id is generated. */
export type NewAlertRule = Omit<AlertRule, 'id'>;

/** All field errors of a rule. */
export function validateAlertRule(rule: NewAlertRule): FieldError[] {
  const { windowMinutes, forMinutes, minRequests } = ALERT_RULE_BOUNDS;
  return [
    ...toFieldErrors('name', checkText(rule.name, ALERT_RULE_BOUNDS.nameLength)),
    ...toFieldErrors('metric', checkChoice(rule.metric, ALERT_METRICS)),
    ...toFieldErrors('operator', checkChoice(rule.operator, ALERT_OPERATORS)),
    ...toFieldErrors('threshold', checkThreshold(rule)),
    ...toFieldErrors('severity', checkChoice(rule.severity, SEVERITIES)),
    ...toFieldErrors('criticalThreshold', checkCriticalThreshold(rule)),
    ...toFieldErrors(
      'serviceName',
      rule.serviceName === undefined ? undefined : checkText(rule.serviceName, ALERT_RULE_BOUNDS.serviceNameLength),
    ),
    ...toFieldErrors('windowMinutes', checkWholeNumber(rule.windowMinutes, windowMinutes)),
    ...toFieldErrors('forMinutes', checkWholeNumber(rule.forMinutes, forMinutes)),
    ...toFieldErrors('minRequests', checkWholeNumber(rule.minRequests, minRequests)),
    ...toFieldErrors('enabled', typeof rule.enabled === 'boolean' ? undefined : 'must be true or false'),
  ];
}

/** Bounded by the metric, because a rule that can never fire is a mistake. */
function checkThreshold({ metric, threshold }: Pick<NewAlertRule, 'metric' | 'threshold'>): string | undefined {
  const max = ALERT_METRICS.includes(metric) ? MAX_THRESHOLD[metric] : Number.MAX_VALUE;
  return isWithin(threshold, 0, max)
    ? undefined
    : max === Number.MAX_VALUE
      ? 'must be a number of at least 0'
      : `must be a number from 0 to ${max}`;
}

/** The critical threshold must be at least as severe as the threshold. */
function checkCriticalThreshold({
  metric,
  operator,
  threshold,
  criticalThreshold,
}: Pick<NewAlertRule, 'metric' | 'operator' | 'threshold' | 'criticalThreshold'>): string | undefined {
  if (criticalThreshold === undefined) return undefined;
  const range = checkThreshold({ metric, threshold: criticalThreshold });
  // The threshold may be of any type here and not comparable.
  if (range !== undefined || typeof threshold !== 'number') return range;
  const isUpward = operator === '>' || operator === '>=';
  const isBeyond = isUpward ? criticalThreshold >= threshold : criticalThreshold <= threshold;
  return isBeyond ? undefined : `must not be ${isUpward ? 'below' : 'above'} the threshold`;
}
