import type { AlertRule, Backtest } from '../../diagnostics/alerting/alert-rule-model.js';
import type { AlertRecord } from '../../diagnostics/diagnostics-input.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { AlertRuleModel, BacktestModel } from '../requests/alert-rule-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { toTimeframe } from '../requests/diagnostics-requests.js';
import { defineRoute, type Role, type Route } from '../route.js';
import {
  AlertRule as AlertRuleSchema,
  AlertRules,
  Backtest as BacktestSchema,
  type MissedAlert,
} from '../schemas/alert-rule-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { toPrecondition } from './definition-changes.js';
import { formatTimestamp } from './value-conversions.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];
const ALERT_RULE_ROUTE = { tag: 'Alert rules', grid: 'path', roles: ROLES, apiKeys: false } as const;
const RULES_PATH = '/admin/grids/{gridSecondaryId}/alert-rules';
const RULE_PATH = `${RULES_PATH}/{ruleId}` as const;
const RULE_NOT_FOUND = 'No alert rule of this id is known in the Grid.';

export const alertRuleRoutes: readonly Route[] = [
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'GET',
    path: RULES_PATH,
    operationId: 'listAlertRules',
    summary: 'List the alert rules of a Grid',
    run: ({ diagnostics }, { params }) => diagnostics.alertRules(params.gridSecondaryId),
    answer: AlertRules,
    present: (rules) => ({ rules: rules.map(presentRule) }),
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'POST',
    path: RULES_PATH,
    tagged: true,
    operationId: 'createAlertRule',
    summary: 'Create an alert rule',
    status: 201,
    body: AlertRuleModel,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, body }) =>
      waitUntilVisible(alertRules, alertRules.create(principal.id, params.gridSecondaryId, { ...body })),
    answer: AlertRuleSchema,
    present: ({ rule }) => presentRule(rule),
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'GET',
    path: RULE_PATH,
    tagged: true,
    operationId: 'getAlertRule',
    summary: 'Read an alert rule',
    missing: RULE_NOT_FOUND,
    run: async ({ diagnostics }, { params }) =>
      (await diagnostics.alertRules(params.gridSecondaryId)).find(({ id }) => id === params.ruleId),
    answer: AlertRuleSchema,
    present: presentRule,
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'PUT',
    path: RULE_PATH,
    tagged: true,
    operationId: 'replaceAlertRule',
    summary: 'Replace an alert rule',
    body: AlertRuleModel,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, body, condition }) =>
      waitUntilVisible(
        alertRules,
        alertRules.change(
          principal.id,
          params.gridSecondaryId,
          { ...body, id: params.ruleId },
          toPrecondition(condition, presentRule),
        ),
      ),
    answer: AlertRuleSchema,
    present: ({ rule }) => presentRule(rule),
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'DELETE',
    path: RULE_PATH,
    tagged: true,
    operationId: 'deleteAlertRule',
    summary: 'Delete an alert rule and resolve its alerts',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, condition }) =>
      waitUntilVisible(
        alertRules,
        alertRules.remove(principal.id, params.gridSecondaryId, params.ruleId, toPrecondition(condition, presentRule)),
      ),
    present: () => new EMPTY_REQUEST(),
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'POST',
    path: `${RULES_PATH}/backtest`,
    operationId: 'backtestAlertRule',
    summary: 'Tell when a rule would have fired over past data',
    body: BacktestModel,
    run: ({ diagnostics }, { params, body: { rule, rangeStart, rangeEnd } }) =>
      diagnostics.backtest(params.gridSecondaryId, { ...rule, id: 'backtest' }, toTimeframe(rangeStart, rangeEnd)),
    answer: BacktestSchema,
    present: presentBacktest,
  }),
];

function presentRule(rule: AlertRule): ResponseBody<typeof AlertRuleSchema> {
  const {
    id,
    name,
    metric,
    operator,
    threshold,
    severity,
    criticalThreshold,
    serviceName,
    windowMinutes,
    forMinutes,
    minRequests,
    enabled,
  } = rule;
  return {
    id,
    name,
    metric,
    operator,
    threshold,
    severity,
    ...(criticalThreshold !== undefined && { criticalThreshold }),
    ...(serviceName !== undefined && { serviceName }),
    windowMinutes,
    forMinutes,
    minRequests,
    enabled,
  };
}

function presentBacktest({ firings, perWeek, missed }: Backtest): ResponseBody<typeof BacktestSchema> {
  return {
    firings: firings.map(({ serviceName, firedAt, resolvedAt, peakValue }) => ({
      serviceName,
      firedAt: formatTimestamp(firedAt),
      resolvedAt: resolvedAt === null ? null : formatTimestamp(resolvedAt),
      peakValue,
    })),
    perWeek,
    missed: missed.map(presentMissed),
  };
}

function presentMissed({
  id,
  ruleName,
  serviceName,
  condition,
  severity,
  firedAt,
  resolvedAt,
}: AlertRecord): ResponseBody<typeof MissedAlert> {
  return {
    id,
    ruleName,
    serviceName,
    condition,
    severity,
    firedAt: formatTimestamp(firedAt),
    resolvedAt: resolvedAt === undefined ? null : formatTimestamp(resolvedAt),
  };
}
