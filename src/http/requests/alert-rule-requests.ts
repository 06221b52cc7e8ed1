import { Allow } from 'class-validator';
import { validateAlertRule, type NewAlertRule } from '../../commands/alert-rules/alert-rule-decider.js';
import {
  ALERT_METRIC_DEFINITIONS,
  ALERT_METRICS,
  NEW_ERRORS,
  type AlertMetric,
} from '../../diagnostics/alerting/alert-metrics.js';
import {
  ALERT_OPERATORS,
  ALERT_RULE_BOUNDS,
  ALERT_RULE_DEFAULTS,
  DEFAULT_MIN_RECORDS,
  type AlertOperator,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { SEVERITIES, type Severity } from '../../diagnostics/diagnostic-results.js';
import type { FieldError } from '../../errors.js';
import { findRuleQueryErrors } from '../../queries/alerting/rule-query.js';
import { completeDefinition, type QueryDefinition } from '../../queries/query/query-compiler.js';
import { QUERY_BOUNDS, SIGNALS } from '../../queries/query/query-model.js';
import { FIELD_NAME_SCHEMA, SELECTED_FUNCTION_SCHEMA } from './query-requests.js';
import { FieldSchema, Description, Note, ModelSchema, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { FollowsDomainRules, NestedObject } from './request-parser.js';
import { IsAfter, IsInstant, IsWithin, Required, nonBlankTextSchema, textSchema } from './field-validators.js';

const DAY_MS = 86_400_000;
/** As long as the longest diagnostics window. */
const MAX_BACKTEST_DAYS = 7;

const wholeNumberSchema = ({ min, max }: { readonly min: number; readonly max: number }): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
});
const enumSchema = (words: readonly string[]): JsonSchema => ({ type: 'string', enum: [...words] });

const RULE_QUERY: JsonSchema = {
  type: 'object',
  description: 'The query of a rule: its value in each group is compared with the threshold.',
  required: ['signal', 'select'],
  properties: {
    signal: { type: 'string', enum: [...SIGNALS], description: 'What to read.', examples: ['logs'] },
    where: {
      ...textSchema(QUERY_BOUNDS.whereLength),
      description: 'Condition that records must meet, as in a query.',
      examples: ['severity = Error timeout not upstream'],
    },
    groupBy: {
      type: 'array',
      maxItems: QUERY_BOUNDS.groupBy,
      uniqueItems: true,
      items: FIELD_NAME_SCHEMA,
      description: 'Fields whose values make up the groups: one alert for each group.',
      examples: [['service']],
    },
    select: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: SELECTED_FUNCTION_SCHEMA,
      description: 'The function over the records of each group.',
    },
  },
  additionalProperties: false,
};

const RULE_EXAMPLE = {
  name: 'Timeouts',
  query: {
    signal: 'logs',
    where: 'severity = Error timeout not upstream',
    groupBy: ['service'],
    select: [{ fn: 'count' }],
  },
  operator: '>=',
  threshold: 10,
  severity: 'warning',
  windowMinutes: 5,
};

/**
 * An alert rule without its id, with the defaults of the API contract. Validated by the rules of the command, both for
 * saving and for testing a rule.
 */
@FollowsDomainRules(validateRuleModel)
@ReadOnlyFields('id', 'isDefault')
@ModelSchema({
  description: 'A threshold rule: on a metric of each service, on new errors, or on a query.',
  examples: [RULE_EXAMPLE],
})
export class AlertRuleModel {
  @Description('Name of the rule.', 'Checkout fails')
  @FieldSchema(nonBlankTextSchema(ALERT_RULE_BOUNDS.nameLength))
  @Required()
  name!: string;

  @Description(
    'Metric to watch, per service; `new_errors`: the exceptions of each error group that is new, or occurs again after it was resolved.',
    'error_rate',
  )
  @Note('Either this or `query`.')
  @FieldSchema(enumSchema(ALERT_METRICS))
  @Allow()
  metric?: AlertMetric;

  @Description('What to watch instead of a metric: the value of a query, in each of its groups.')
  @Note('It is evaluated at every whole minute over the records of the window.')
  @FieldSchema(RULE_QUERY)
  @Allow()
  query?: Omit<QueryDefinition, 'stepSeconds' | 'orderBy' | 'limit'>;

  @Description('Comparison of the value with the threshold that makes the rule fire.', '>')
  @Note('`>` or `>=` for new_errors.')
  @FieldSchema(enumSchema(ALERT_OPERATORS))
  @Required()
  operator!: AlertOperator;

  @Description('Threshold in the unit of the metric; of a query, in the unit of its column.', 5)
  @Note(`At least 0 for a metric, and at most ${describeGreatestThresholds()}.`)
  @FieldSchema({ type: 'number' })
  @Required()
  threshold!: number;

  @Description('Severity of the alerts.', 'warning')
  @FieldSchema(enumSchema(SEVERITIES))
  @Required()
  severity!: Severity;

  @Description('Value from which the alerts are critical, in the direction of the operator.', 10)
  @Note('Must be at least as severe as the threshold.')
  @FieldSchema({ type: 'number' })
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

  @Description(
    'Minimum number of requests in the window, of a query or new_errors of records in each group; with fewer the rule is not evaluated.',
    20,
  )
  @Note(`By default ${ALERT_RULE_DEFAULTS.minRequests}; ${DEFAULT_MIN_RECORDS} with a query or new_errors.`)
  @FieldSchema(wholeNumberSchema(ALERT_RULE_BOUNDS.minRequests))
  @Allow()
  minRequests?: number;

  @Description('Whether the rule is active.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  enabled = ALERT_RULE_DEFAULTS.enabled;

  @Description('Address of instructions for whoever is notified.', 'https://wiki.example/runbooks/checkout')
  @FieldSchema({ type: 'string', maxLength: 2_048 })
  @Allow()
  runbookUrl?: string;
}

/** Such as "100 % for error_rate; 1 for apdex". */
function describeGreatestThresholds(): string {
  const metricsByBound = new Map<string, string[]>();
  for (const metric of ALERT_METRICS) {
    const { maxThreshold, unit } = ALERT_METRIC_DEFINITIONS[metric];
    const bound = `${maxThreshold.toLocaleString('en-US')} ${unit}`.trim();
    metricsByBound.set(bound, [...(metricsByBound.get(bound) ?? []), metric]);
  }
  return [...metricsByBound].map(([bound, metrics]) => `${bound} for ${metrics.join(', ')}`).join('; ');
}

/** Checks a rule of any shape. The query is checked as that of `/apm/query`; other members by the rules of the command. */
function validateRuleModel(model: AlertRuleModel): FieldError[] {
  const query: unknown = model.query;
  const errors = validateAlertRule({ ...model, minRequests: model.minRequests ?? 0 } as NewAlertRule);
  if (query === undefined) return errors;
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    return [...errors.filter(({ field }) => field !== 'query'), { field: 'query', message: 'must be an object' }];
  const ofQuery = findRuleQueryErrors(query as QueryDefinition);
  return [...errors, ...ofQuery.map(({ field, message }) => ({ field: `query.${field}`, message }))];
}

/** Converts a model that is valid. What the query leaves out is an empty text or an empty list. */
export function toNewAlertRule({ metric, query, minRequests, ...rule }: AlertRuleModel): NewAlertRule {
  if (query === undefined && metric === NEW_ERRORS)
    return { ...rule, metric, minRequests: minRequests ?? DEFAULT_MIN_RECORDS };
  if (query === undefined)
    return { ...rule, metric: metric!, minRequests: minRequests ?? ALERT_RULE_DEFAULTS.minRequests };
  const { signal, where, groupBy, select } = completeDefinition(query);
  return {
    ...rule,
    query: { signal, where, groupBy, select },
    minRequests: minRequests ?? DEFAULT_MIN_RECORDS,
  };
}

@ModelSchema({
  description: 'The rule to test and the time range.',
  examples: [{ rule: RULE_EXAMPLE, rangeStart: '2026-03-08T00:00:00Z', rangeEnd: '2026-03-15T00:00:00Z' }],
})
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
