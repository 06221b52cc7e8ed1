import { Allow } from 'class-validator';
import { validateAlertRule, type NewAlertRule } from '../../commands/alert-rules/alert-rule-decider.js';
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_RULE_BOUNDS,
  ALERT_RULE_DEFAULTS,
  type AlertMetric,
  type AlertOperator,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES, type Severity } from '../../diagnostics/diagnostic-results.js';
import { FieldSchema, Description, Note, ModelSchema, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules, NestedObject } from './request-parser.js';
import { IsAfter, IsInstant, IsWithin, Required, nonBlankTextSchema } from './field-validators.js';

const DAY_MS = 86_400_000;
/** As long as the longest diagnostics window. */
const MAX_BACKTEST_DAYS = 7;

const wholeNumberSchema = ({ min, max }: { readonly min: number; readonly max: number }): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
});
const enumSchema = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: [...words] });

/**
 * An alert rule without its id, with the defaults of the API contract. Validated by the rules of the command, both for
 * saving and for testing a rule.
 */
@FollowsDomainRules(validateAlertRule)
@ReadOnlyFields('id', 'isDefault')
@ModelSchema({ description: 'A threshold rule.' })
export class AlertRuleModel implements NewAlertRule {
  @Description('Name of the rule.', 'Checkout fails')
  @FieldSchema(nonBlankTextSchema(ALERT_RULE_BOUNDS.nameLength))
  @Required()
  name!: string;

  @Description('Metric to watch, per service.', 'error_rate')
  @FieldSchema(enumSchema(ALERT_METRICS))
  @Required()
  metric!: AlertMetric;

  @Description('Comparison of the value with the threshold that makes the rule fire.', '>')
  @FieldSchema(enumSchema(ALERT_OPERATORS))
  @Required()
  operator!: AlertOperator;

  @Description('Threshold in the unit of the metric: percent, milliseconds, Apdex or requests per second.', 5)
  @Note(
    'At most 100 for error_rate, 1 for apdex, 1000 for pressure, 86,400,000 (one day) for latencies and 1,000,000,000 for request_rate.',
  )
  @FieldSchema({ type: 'number', minimum: 0 })
  @Required()
  threshold!: number;

  @Description('Severity of the alerts.', 'warning')
  @FieldSchema(enumSchema(SEVERITIES))
  @Required()
  severity!: Severity;

  @Description('Value from which the alerts are critical, in the direction of the operator.', 10)
  @Note('Must be at least as severe as the threshold.')
  @FieldSchema({ type: 'number', minimum: 0 })
  @Allow()
  criticalThreshold?: number;

  @Description('The service to watch; absent: every service.', 'checkout')
  @FieldSchema(nonBlankTextSchema(ALERT_RULE_BOUNDS.serviceNameLength))
  @Allow()
  serviceName?: string;

  @Description('Length of the window over which the value is computed. Minutes.', 15)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.windowMinutes))
  @Allow()
  windowMinutes = ALERT_RULE_DEFAULTS.windowMinutes;

  @Description('How long the condition must hold before the rule fires; 0: immediately. Minutes.', 0)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.forMinutes))
  @Allow()
  forMinutes = ALERT_RULE_DEFAULTS.forMinutes;

  @Description('Minimum number of requests in the window; with fewer requests the rule is not evaluated.', 20)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.minRequests))
  @Allow()
  minRequests = ALERT_RULE_DEFAULTS.minRequests;

  @Description('Whether the rule is active.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  enabled = ALERT_RULE_DEFAULTS.enabled;
}

@ModelSchema({ description: 'The rule to test and the time range.' })
export class BacktestModel {
  @NestedObject(AlertRuleModel)
  @Required()
  rule!: AlertRuleModel;

  @Description('Start of the range.', '2026-03-08T00:00:00Z')
  @IsInstant()
  @Required()
  rangeStart!: string;

  @Description('End of the range.', '2026-03-15T00:00:00Z')
  @IsWithin(MAX_BACKTEST_DAYS * DAY_MS, 'rangeStart', `${MAX_BACKTEST_DAYS} days`)
  @IsAfter('rangeStart')
  @IsInstant()
  @Required()
  rangeEnd!: string;
}
