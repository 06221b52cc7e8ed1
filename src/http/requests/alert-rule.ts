import { Allow } from 'class-validator';
import { ruleFaults, type NewAlertRule } from '../../commands/alert-rules/rules.js';
import { RULE_DEFAULTS, type AlertMetric, type AlertOperator } from '../../diagnostics/alert-rule.js';
import type { Severity } from '../../diagnostics/answers.js';
import { FollowsRules, ObjectOf } from './parse.js';
import { IsAfter, IsInstant, IsWithin, Required } from './rules.js';

const DAY_MS = 86_400_000;
/** As long as the longest window of a diagnostic. */
const MAX_BACKTEST_DAYS = 7;

/**
 * A rule without its id. What is absent is as the contract says. Which rules are right is for the commands to say: the
 * same words, whether a rule is to be kept or only to be tried.
 */
@FollowsRules(ruleFaults)
export class AlertRuleModel implements NewAlertRule {
  @Required()
  name!: string;

  @Required()
  metric!: AlertMetric;

  @Required()
  operator!: AlertOperator;

  @Required()
  threshold!: number;

  @Required()
  severity!: Severity;

  @Allow()
  criticalThreshold?: number;

  @Allow()
  serviceName?: string;

  @Allow()
  windowMinutes = RULE_DEFAULTS.windowMinutes;

  @Allow()
  forMinutes = RULE_DEFAULTS.forMinutes;

  @Allow()
  minRequests = RULE_DEFAULTS.minRequests;

  @Allow()
  enabled = RULE_DEFAULTS.enabled;
}

/** A rule to try, and over which time. */
export class BacktestModel {
  @ObjectOf(AlertRuleModel) @Required()
  rule!: AlertRuleModel;

  @IsInstant() @Required()
  rangeStart!: string;

  @IsWithin(MAX_BACKTEST_DAYS * DAY_MS, 'rangeStart', `${MAX_BACKTEST_DAYS} days`) @IsAfter('rangeStart') @IsInstant() @Required()
  rangeEnd!: string;
}
