import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { ruleFaults, type NewAlertRule } from '../../commands/alert-rules/rules.js';
import { RULE_DEFAULTS, type AlertMetric, type AlertOperator } from '../../diagnostics/alert-rule.js';
import type { Severity } from '../../diagnostics/answers.js';
import { ObjectOf } from './parse.js';
import { IsAfter, IsInstant, IsWithin, Required } from './rules.js';

const DAY_MS = 86_400_000;
/** As long as the longest window of a diagnostic. */
const MAX_BACKTEST_DAYS = 7;

/** Which rules are right is for the commands to say: the same words, whether a rule is to be kept or only to be tried. */
const AsRulesMayBe = (): PropertyDecorator => {
  const faultIn = (args?: ValidationArguments): string | undefined => ruleFaults(args?.object as NewAlertRule).find(({ field }) => field === args?.property)?.message;
  return ValidateBy({ name: 'asRulesMayBe', validator: { validate: (_, args) => faultIn(args) === undefined, defaultMessage: (args) => `$property ${faultIn(args)}` } });
};

/** A rule without its id. What is absent is as the contract says. */
export class AlertRuleModel implements NewAlertRule {
  @AsRulesMayBe() @Required()
  name!: string;

  @AsRulesMayBe() @Required()
  metric!: AlertMetric;

  @AsRulesMayBe() @Required()
  operator!: AlertOperator;

  @AsRulesMayBe() @Required()
  threshold!: number;

  @AsRulesMayBe() @Required()
  severity!: Severity;

  @IsOptional() @AsRulesMayBe()
  criticalThreshold?: number;

  @IsOptional() @AsRulesMayBe()
  serviceName?: string;

  @AsRulesMayBe()
  windowMinutes = RULE_DEFAULTS.windowMinutes;

  @AsRulesMayBe()
  forMinutes = RULE_DEFAULTS.forMinutes;

  @AsRulesMayBe()
  minRequests = RULE_DEFAULTS.minRequests;

  @AsRulesMayBe()
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
