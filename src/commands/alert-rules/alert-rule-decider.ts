import { isDeepStrictEqual } from 'node:util';
import {
  ALERT_METRIC_DEFINITIONS,
  ALERT_METRICS,
  isAlertMetric,
  NEW_ERRORS,
} from '../../diagnostics/alerting/alert-metrics.js';
import {
  ALERT_OPERATORS,
  ALERT_RULE_BOUNDS,
  type AlertRule,
  type ErrorAlertRule,
  isRecordRule,
  type MetricAlertRule,
  type QueryAlertRule,
} from '../../diagnostics/alerting/alert-rule-model.js';
import type { AlertRuleEvent, StoredAlertRule } from '../../streams/events/alert-events.js';
import { createDefaultAlertRules } from '../../streams/events/grid-defaults.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import {
  type Decider,
  type Decision,
  type Precondition,
  reject,
  rejectChangedMeanwhile,
  type Rejection,
} from '../decider.js';
import { SEVERITIES } from '../../diagnostics/diagnostic-results.js';
import type { FieldError } from '../../errors.js';
import {
  checkChoice,
  checkHttpUrl,
  checkText,
  checkWholeNumber,
  isWithin,
  toFieldErrors,
} from '../field-validation.js';

export type AlertRuleCommand = Authored & { readonly gridId: string } & (
    | { readonly type: 'CreateAlertRule'; readonly rule: AlertRule }
    /** Replaces the rule with the same id. */
    | {
        readonly type: 'ChangeAlertRule';
        readonly rule: AlertRule;
        readonly onlyIf?: Precondition<AlertRule> | undefined;
      }
    | {
        readonly type: 'DeleteAlertRule';
        readonly ruleId: string;
        readonly onlyIf?: Precondition<AlertRule> | undefined;
      }
  );

type GridCreated = Extract<GridEvent, { readonly type: 'GridCreated.v1' }>;
export type AlertRulesEvent = GridCreated | AlertRuleEvent;

/** The Grid's rules by id; undefined before the Grid exists. */
export type AlertRulesState = ReadonlyMap<string, StoredAlertRule> | undefined;

const eventTypes: ReadonlySet<string> = new Set<AlertRulesEvent['type']>([
  'GridCreated.v1',
  'AlertRuleCreated.v3',
  'AlertRuleChanged.v3',
  'AlertRuleDeleted.v1',
]);

/** Alert rules of a Grid, in the stream of its other settings. */
export const alertRulesDecider: Decider<AlertRuleCommand, AlertRulesState, AlertRulesEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolve,
};

function decide(command: AlertRuleCommand, rules: AlertRulesState): Decision<AlertRulesEvent> {
  if (rules === undefined) return reject('not-found', 'There is no such Grid.');
  const { actor, at, gridId } = command;
  switch (command.type) {
    case 'CreateAlertRule':
      return (
        findCreateRejection(command.rule, rules) ?? [
          { type: 'AlertRuleCreated.v3', data: { actor, at, gridId, rule: command.rule } },
        ]
      );
    case 'ChangeAlertRule':
      return (
        findTargetRejection(command.rule.id, command.onlyIf, rules) ??
        findChangeRejection(command.rule, rules) ??
        decideChange({ actor, at, gridId, rule: command.rule }, rules)
      );
    case 'DeleteAlertRule':
      return (
        findTargetRejection(command.ruleId, command.onlyIf, rules) ?? [
          { type: 'AlertRuleDeleted.v1', data: { actor, at, gridId, ruleId: command.ruleId } },
        ]
      );
    default:
      return throwUnknownCommand(command);
  }
}

function findCreateRejection(rule: AlertRule, rules: NonNullable<AlertRulesState>): Rejection | undefined {
  const errors = validateAlertRule(rule);
  if (errors.length > 0) return rejectInvalid(errors);
  if (rules.has(rule.id)) return reject('conflict', 'An alert rule with this id already exists.');
  if (rules.size >= ALERT_RULE_BOUNDS.rulesOfAGrid)
    return reject(
      'conflict',
      `A Grid can have at most ${ALERT_RULE_BOUNDS.rulesOfAGrid} alert rules: delete one first.`,
    );
  return findRecordRuleRejection(rule, rules);
}

/** Each rule on records is a query a minute. */
function findRecordRuleRejection(rule: AlertRule, rules: NonNullable<AlertRulesState>): Rejection | undefined {
  if (!isRecordRule(rule)) return undefined;
  // Events only contain validated values of AlertRule.
  const others = [...rules.values()].filter((other) => other.id !== rule.id && isRecordRule(other as AlertRule));
  return others.length < ALERT_RULE_BOUNDS.recordRulesOfAGrid
    ? undefined
    : reject(
        'conflict',
        `A Grid can have at most ${ALERT_RULE_BOUNDS.recordRulesOfAGrid} alert rules on queries and new errors: delete one first.`,
      );
}

/** Rejects a command whose rule does not exist or does not meet the precondition. */
function findTargetRejection(
  ruleId: string,
  onlyIf: Precondition<AlertRule> | undefined,
  rules: NonNullable<AlertRulesState>,
): Rejection | undefined {
  const before = rules.get(ruleId);
  if (before === undefined) return rejectUnknownRule();
  // Events only contain validated values of AlertRule.
  return onlyIf?.(before as AlertRule) === false ? rejectChangedMeanwhile('alert rule') : undefined;
}

function findChangeRejection(rule: AlertRule, rules: NonNullable<AlertRulesState>): Rejection | undefined {
  const errors = validateAlertRule(rule);
  return errors.length > 0 ? rejectInvalid(errors) : findRecordRuleRejection(rule, rules);
}

function decideChange(
  data: Extract<AlertRuleEvent, { type: 'AlertRuleChanged.v3' }>['data'],
  rules: NonNullable<AlertRulesState>,
): readonly AlertRulesEvent[] {
  return isSameRule(data.rule, rules.get(data.rule.id)) ? [] : [{ type: 'AlertRuleChanged.v3', data }];
}

function isSameRule(rule: StoredAlertRule, before: StoredAlertRule | undefined): boolean {
  if (before === undefined) return false;
  const fields = new Set([...Object.keys(rule), ...Object.keys(before)]) as Set<keyof StoredAlertRule>;
  return [...fields].every((name) => isDeepStrictEqual(rule[name], before[name]));
}

function evolve(rules: AlertRulesState, event: AlertRulesEvent): AlertRulesState {
  switch (event.type) {
    case 'GridCreated.v1':
      return new Map(createDefaultAlertRules(event.data.gridId).map((rule) => [rule.id, rule]));
    case 'AlertRuleCreated.v3':
    case 'AlertRuleChanged.v3':
      return new Map(rules).set(event.data.rule.id, event.data.rule);
    case 'AlertRuleDeleted.v1':
      return removeRule(rules ?? new Map(), event.data.ruleId);
    default:
      return throwUnknownEvent(event);
  }
}

function removeRule(rules: ReadonlyMap<string, StoredAlertRule>, ruleId: string): AlertRulesState {
  const rest = new Map(rules);
  rest.delete(ruleId);
  return rest;
}

function rejectInvalid(errors: ReturnType<typeof validateAlertRule>): Rejection {
  return reject('invalid-request', 'The alert rule is invalid.', errors);
}

function rejectUnknownRule(): Rejection {
  return reject('not-found', 'There is no such alert rule.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}

function throwUnknownEvent(event: never): never {
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}

/** A rule as sent by its author; the id is generated. */
export type NewAlertRule = Omit<MetricAlertRule, 'id'> | Omit<ErrorAlertRule, 'id'> | Omit<QueryAlertRule, 'id'>;

/** All field errors of a rule. */
export function validateAlertRule(rule: NewAlertRule): FieldError[] {
  const { windowMinutes, forMinutes, minRequests } = ALERT_RULE_BOUNDS;
  return [
    ...toFieldErrors('name', checkText(rule.name, ALERT_RULE_BOUNDS.nameLength)),
    ...validateSource(rule),
    ...toFieldErrors('operator', checkOperator(rule)),
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
    ...toFieldErrors('runbookUrl', rule.runbookUrl === undefined ? undefined : checkHttpUrl(rule.runbookUrl)),
  ];
}

/**
 * Either a metric or a query. What the query means, whoever sends the command has checked: only queries know their
 * language.
 */
function validateSource({ metric, query }: NewAlertRule): FieldError[] {
  if (query === undefined)
    return toFieldErrors(
      'metric',
      metric === undefined ? 'is required without a query' : checkChoice(metric, ALERT_METRICS),
    );
  return [
    ...toFieldErrors('metric', metric === undefined ? undefined : 'must be absent with a query'),
    ...toFieldErrors('query', isSingleFunction(query.select) ? undefined : 'must have exactly one function in select'),
  ];
}

function isSingleFunction(select: unknown): boolean {
  return Array.isArray(select) && select.length === 1;
}

/** Only groups with exceptions are compared: a rule that looks for few of them would fire for every new one. */
function checkOperator({ metric, operator }: Pick<NewAlertRule, 'metric' | 'operator'>): string | undefined {
  const isDownward = operator === '<' || operator === '<=';
  return metric === NEW_ERRORS && isDownward
    ? `must be > or >= for ${NEW_ERRORS}`
    : checkChoice(operator, ALERT_OPERATORS);
}

/** Bounded by the metric, because a rule that can never fire is a mistake. */
function checkThreshold({
  metric,
  query,
  threshold,
}: Pick<NewAlertRule, 'metric' | 'query' | 'threshold'>): string | undefined {
  if (query !== undefined)
    return isWithin(threshold, -Number.MAX_VALUE, Number.MAX_VALUE) ? undefined : 'must be a number';
  const max = isAlertMetric(metric) ? ALERT_METRIC_DEFINITIONS[metric].maxThreshold : Number.MAX_VALUE;
  return isWithin(threshold, 0, max)
    ? undefined
    : max === Number.MAX_VALUE
      ? 'must be a number of at least 0'
      : `must be a number from 0 to ${max}`;
}

/** The critical threshold must be at least as severe as the threshold. */
function checkCriticalThreshold({
  metric,
  query,
  operator,
  threshold,
  criticalThreshold,
}: Pick<NewAlertRule, 'metric' | 'query' | 'operator' | 'threshold' | 'criticalThreshold'>): string | undefined {
  if (criticalThreshold === undefined) return undefined;
  const range = checkThreshold({ metric, query, threshold: criticalThreshold });
  // The threshold may be of any type here and not comparable.
  if (range !== undefined || typeof threshold !== 'number') return range;
  const isUpward = operator === '>' || operator === '>=';
  const isBeyond = isUpward ? criticalThreshold >= threshold : criticalThreshold <= threshold;
  return isBeyond ? undefined : `must not be ${isUpward ? 'below' : 'above'} the threshold`;
}
