import { Allow } from 'class-validator';
import { ruleFaults, type NewAlertRule } from '../../commands/alert-rules/rules.js';
import { ALERT_METRICS, ALERT_OPERATORS, RULE_BOUNDS, RULE_DEFAULTS, type AlertMetric, type AlertOperator } from '../../diagnostics/alert-rule.js';
import type { Severity } from '../../diagnostics/answers.js';
import { SEVERITIES } from '../../diagnostics/severity.js';
import { Fits, Means, Remark, Whole, type JsonSchema } from './field-schemas.js';
import { FollowsRules, ObjectOf } from './parse.js';
import { IsAfter, IsInstant, IsWithin, Required, wordsSchema } from './rules.js';

const DAY_MS = 86_400_000;
/** As long as the longest window of a diagnostic. */
const MAX_BACKTEST_DAYS = 7;

const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }): JsonSchema => ({ type: 'integer', minimum: min, maximum: max });
const oneOf = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: [...words] });

/**
 * A rule without its id. What is absent is as the contract says. Which rules are right is for the commands to say: the
 * same words, whether a rule is to be kept or only to be tried.
 */
@FollowsRules(ruleFaults) @Whole({ description: 'A threshold rule.' })
export class AlertRuleModel implements NewAlertRule {
  @Means('Name of the rule.', 'Checkout fails')
  @Fits(wordsSchema(RULE_BOUNDS.nameLength)) @Required()
  name!: string;

  @Means('What is watched, per service.', 'error_rate')
  @Fits(oneOf(ALERT_METRICS)) @Required()
  metric!: AlertMetric;

  @Means('How the value compares with the threshold when the rule fires.', '>')
  @Fits(oneOf(ALERT_OPERATORS)) @Required()
  operator!: AlertOperator;

  @Means('In the unit of the metric: percent, milliseconds, Apdex, requests a second.', 5)
  @Remark('At most 100 for error_rate, 1 for apdex, 1000 for pressure, a day for latencies, 1,000,000,000 for request_rate.')
  @Fits({ type: 'number', minimum: 0 }) @Required()
  threshold!: number;

  @Means('Severity of its alerts.', 'warning')
  @Fits(oneOf(SEVERITIES)) @Required()
  severity!: Severity;

  @Means('From this value on, in the direction of the operator, its alerts are critical.', 10)
  @Remark('At least as bad as the threshold.')
  @Fits({ type: 'number', minimum: 0 }) @Allow()
  criticalThreshold?: number;

  @Means('The only service that it watches; absent: every service.', 'checkout')
  @Fits(wordsSchema(RULE_BOUNDS.serviceNameLength)) @Allow()
  serviceName?: string;

  @Means('Minutes that the value is taken over.', 15)
  @Fits(wholeNumber(RULE_BOUNDS.windowMinutes)) @Allow()
  windowMinutes = RULE_DEFAULTS.windowMinutes;

  @Means('Minutes for which the condition must hold before it fires; 0: at once.', 0)
  @Fits(wholeNumber(RULE_BOUNDS.forMinutes)) @Allow()
  forMinutes = RULE_DEFAULTS.forMinutes;

  @Means('With fewer requests in the window it does not judge.', 20)
  @Fits(wholeNumber(RULE_BOUNDS.minRequests)) @Allow()
  minRequests = RULE_DEFAULTS.minRequests;

  @Means('Whether it is watched.', true)
  @Fits({ type: 'boolean' }) @Allow()
  enabled = RULE_DEFAULTS.enabled;
}

/** A rule to try, and over which time. */
@Whole({ description: 'A rule to try, and over which time.' })
export class BacktestModel {
  @ObjectOf(AlertRuleModel) @Required()
  rule!: AlertRuleModel;

  @Means('Start of the range.', '2026-03-08T00:00:00Z')
  @IsInstant() @Required()
  rangeStart!: string;

  @Means('End of the range.', '2026-03-15T00:00:00Z')
  @IsWithin(MAX_BACKTEST_DAYS * DAY_MS, 'rangeStart', `${MAX_BACKTEST_DAYS} days`) @IsAfter('rangeStart') @IsInstant() @Required()
  rangeEnd!: string;
}
