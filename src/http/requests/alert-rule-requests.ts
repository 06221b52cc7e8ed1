import { Allow } from 'class-validator';
import { validateAlertRule, type NewAlertRule } from '../../commands/alert-rules/alert-rule-validation.js';
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_RULE_BOUNDS,
  ALERT_RULE_DEFAULTS,
  type AlertMetric,
  type AlertOperator,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES, type Severity } from '../../diagnostics/diagnostic-results.js';
import { FieldSchema, Description, Note, ModelSchema, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules, NestedObject } from './request-parser.js';
import { IsAfter, IsInstant, IsWithin, Required, nonBlankTextSchema } from './field-validators.js';

const DAY_MS = 86_400_000;
/** As long as the longest window of a diagnostic. */
const MAX_BACKTEST_DAYS = 7;

const wholeNumberSchema = ({ min, max }: { readonly min: number; readonly max: number }): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
});
const enumSchema = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: [...words] });

/**
 * A rule without its id. What is absent is as the contract says. Which rules are right is for the commands to say: the
 * same words, whether a rule is to be kept or only to be tried.
 */
@FollowsDomainRules(validateAlertRule)
@ModelSchema({ description: 'A threshold rule.' })
export class AlertRuleModel implements NewAlertRule {
  @Description('Name of the rule.', 'Checkout fails')
  @FieldSchema(nonBlankTextSchema(ALERT_RULE_BOUNDS.nameLength))
  @Required()
  name!: string;

  @Description('What is watched, per service.', 'error_rate')
  @FieldSchema(enumSchema(ALERT_METRICS))
  @Required()
  metric!: AlertMetric;

  @Description('How the value compares with the threshold when the rule fires.', '>')
  @FieldSchema(enumSchema(ALERT_OPERATORS))
  @Required()
  operator!: AlertOperator;

  @Description('In the unit of the metric: percent, milliseconds, Apdex, requests a second.', 5)
  @Note(
    'At most 100 for error_rate, 1 for apdex, 1000 for pressure, a day for latencies, 1,000,000,000 for request_rate.',
  )
  @FieldSchema({ type: 'number', minimum: 0 })
  @Required()
  threshold!: number;

  @Description('Severity of its alerts.', 'warning')
  @FieldSchema(enumSchema(SEVERITIES))
  @Required()
  severity!: Severity;

  @Description('From this value on, in the direction of the operator, its alerts are critical.', 10)
  @Note('At least as bad as the threshold.')
  @FieldSchema({ type: 'number', minimum: 0 })
  @Allow()
  criticalThreshold?: number;

  @Description('The only service that it watches; absent: every service.', 'checkout')
  @FieldSchema(nonBlankTextSchema(ALERT_RULE_BOUNDS.serviceNameLength))
  @Allow()
  serviceName?: string;

  @Description('Minutes that the value is taken over.', 15)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.windowMinutes))
  @Allow()
  windowMinutes = ALERT_RULE_DEFAULTS.windowMinutes;

  @Description('Minutes for which the condition must hold before it fires; 0: at once.', 0)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.forMinutes))
  @Allow()
  forMinutes = ALERT_RULE_DEFAULTS.forMinutes;

  @Description('With fewer requests in the window it does not judge.', 20)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.minRequests))
  @Allow()
  minRequests = ALERT_RULE_DEFAULTS.minRequests;

  @Description('Whether it is watched.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  enabled = ALERT_RULE_DEFAULTS.enabled;
}

/** A rule to try, and over which time. */
@ModelSchema({ description: 'A rule to try, and over which time.' })
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
