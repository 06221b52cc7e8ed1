import type { AlertRule, Backtest } from '../../diagnostics/alert-rule.js';
import type { AlertRecord } from '../../diagnostics/input.js';
import { shown } from '../../commands/shown.js';
import { AlertRuleModel, BacktestModel } from '../requests/alert-rule.js';
import { NOTHING } from '../requests/parse.js';
import { timeframe } from '../requests/window.js';
import { route, type Role, type Route } from '../route.js';
import { AlertRule as AlertRuleSchema, AlertRules, Backtest as BacktestSchema, type MissedAlert } from '../schemas/alert-rules.js';
import type { Shown } from '../schemas/terms.js';
import { onlyIf } from './definitions.js';
import { iso } from './iso.js';

const ROLES: readonly Role[] = ['Member', 'Owner'];
const shared = { tag: 'Alert rules', grid: 'path', roles: ROLES, apiKeys: false } as const;
const RULES = '/admin/grids/{gridSecondaryId}/alert-rules';
const RULE = `${RULES}/{ruleId}` as const;
const NO_RULE = 'No alert rule of this id is known in the Grid.';

export const alertRuleRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: RULES,
    operationId: 'listAlertRules',
    summary: 'List the alert rules of a Grid',
    run: ({ diagnostics }, { params }) => diagnostics.alertRules(params.gridSecondaryId),
    answer: AlertRules,
    present: (rules) => ({ rules: rules.map(presentRule) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: RULES,
    tagged: true,
    operationId: 'createAlertRule',
    summary: 'Create an alert rule',
    status: 201,
    body: AlertRuleModel,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, body }) => shown(alertRules, alertRules.create(principal.id, params.gridSecondaryId, { ...body })),
    answer: AlertRuleSchema,
    present: ({ rule }) => presentRule(rule),
  }),
  route({
    ...shared,
    method: 'GET',
    path: RULE,
    tagged: true,
    operationId: 'getAlertRule',
    summary: 'Read an alert rule',
    missing: NO_RULE,
    run: async ({ diagnostics }, { params }) => (await diagnostics.alertRules(params.gridSecondaryId)).find(({ id }) => id === params.ruleId),
    answer: AlertRuleSchema,
    present: presentRule,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: RULE,
    tagged: true,
    operationId: 'replaceAlertRule',
    summary: 'Replace an alert rule',
    body: AlertRuleModel,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, body, condition }) =>
      shown(alertRules, alertRules.change(principal.id, params.gridSecondaryId, { ...body, id: params.ruleId }, onlyIf(condition, presentRule))),
    answer: AlertRuleSchema,
    present: ({ rule }) => presentRule(rule),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: RULE,
    tagged: true,
    operationId: 'deleteAlertRule',
    summary: 'Delete an alert rule and resolve its alerts',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run: ({ alertRules }, { principal, params, condition }) => shown(alertRules, alertRules.remove(principal.id, params.gridSecondaryId, params.ruleId, onlyIf(condition, presentRule))),
    present: () => new NOTHING(),
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${RULES}/backtest`,
    operationId: 'backtestAlertRule',
    summary: 'Tell when a rule would have fired over past data',
    body: BacktestModel,
    run: ({ diagnostics }, { params, body: { rule, rangeStart, rangeEnd } }) =>
      diagnostics.backtest(params.gridSecondaryId, { ...rule, id: 'backtest' }, timeframe(rangeStart, rangeEnd)),
    answer: BacktestSchema,
    present: presentBacktest,
  }),
];

function presentRule(rule: AlertRule): Shown<typeof AlertRuleSchema> {
  const { id, name, metric, operator, threshold, severity, criticalThreshold, serviceName, windowMinutes, forMinutes, minRequests, enabled } = rule;
  return {
    id, name, metric, operator, threshold, severity,
    ...(criticalThreshold !== undefined && { criticalThreshold }),
    ...(serviceName !== undefined && { serviceName }),
    windowMinutes, forMinutes, minRequests, enabled,
  };
}

function presentBacktest({ firings, perWeek, missed }: Backtest): Shown<typeof BacktestSchema> {
  return {
    firings: firings.map(({ serviceName, firedAt, resolvedAt, peakValue }) => ({ serviceName, firedAt: iso(firedAt), resolvedAt: resolvedAt === null ? null : iso(resolvedAt), peakValue })),
    perWeek,
    missed: missed.map(presentMissed),
  };
}

function presentMissed({ id, ruleName, serviceName, condition, severity, firedAt, resolvedAt }: AlertRecord): Shown<typeof MissedAlert> {
  return { id, ruleName, serviceName, condition, severity, firedAt: iso(firedAt), resolvedAt: resolvedAt === undefined ? null : iso(resolvedAt) };
}
