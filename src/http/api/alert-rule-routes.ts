import {
  isMetricRule,
  type AlertQuery,
  type AlertRule,
  type Backtest,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { createDefaultAlertRules } from '../../streams/events/grid-defaults.js';
import type { AlertRecord } from '../../diagnostics/diagnostics-input.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { toRuleQueryDefinition } from '../../queries/alerting/rule-query.js';
import { AlertRuleModel, BacktestModel, toNewAlertRule } from '../requests/alert-rule-requests.js';
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
const RULE_NOT_FOUND = 'The Grid has no alert rule with this id.';

export const alertRuleRoutes: readonly Route[] = [
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'GET',
    path: RULES_PATH,
    operationId: 'listAlertRules',
    summary: 'List the alert rules of a Grid',
    run: async ({ diagnostics }, { params: { gridSecondaryId: gridId } }) => ({
      gridId,
      rules: await diagnostics.alertRules(gridId),
    }),
    responseSchema: AlertRules,
    present: ({ gridId, rules }) => ({ rules: rules.map(createRulePresenter(gridId)) }),
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
    run: async ({ alertRules }, { principal, params: { gridSecondaryId: gridId }, body }) => ({
      gridId,
      ...(await waitUntilVisible(alertRules, alertRules.create(principal.id, gridId, toNewAlertRule(body)))),
    }),
    responseSchema: AlertRuleSchema,
    present: presentRuleOfGrid,
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'GET',
    path: RULE_PATH,
    tagged: true,
    operationId: 'getAlertRule',
    summary: 'Read an alert rule',
    missing: RULE_NOT_FOUND,
    async run({ diagnostics }, { params: { gridSecondaryId: gridId, ruleId } }) {
      const rule = (await diagnostics.alertRules(gridId)).find(({ id }) => id === ruleId);
      return rule && { gridId, rule };
    },
    responseSchema: AlertRuleSchema,
    present: presentRuleOfGrid,
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
    async run({ alertRules }, { principal, params: { gridSecondaryId: gridId, ruleId }, body, condition }) {
      const precondition = toPrecondition(condition, createRulePresenter(gridId));
      const change = alertRules.change(principal.id, gridId, { ...toNewAlertRule(body), id: ruleId }, precondition);
      return { gridId, ...(await waitUntilVisible(alertRules, change)) };
    },
    responseSchema: AlertRuleSchema,
    present: presentRuleOfGrid,
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
    run({ alertRules }, { principal, params: { gridSecondaryId: gridId, ruleId }, condition }) {
      const precondition = toPrecondition(condition, createRulePresenter(gridId));
      return waitUntilVisible(alertRules, alertRules.remove(principal.id, gridId, ruleId, precondition));
    },
    present: () => new EMPTY_REQUEST(),
  }),
  defineRoute({
    ...ALERT_RULE_ROUTE,
    method: 'POST',
    path: `${RULES_PATH}/backtest`,
    operationId: 'backtestAlertRule',
    summary: 'Test an alert rule against past data',
    body: BacktestModel,
    refusals: ['invalid-request', 'overloaded'],
    run({ diagnostics, recordRules }, { params: { gridSecondaryId: gridId }, body, nowMs }) {
      const rule: AlertRule = { ...toNewAlertRule(body.rule), id: 'backtest' };
      const range = toTimeframe(body.rangeStart, body.rangeEnd);
      return isMetricRule(rule)
        ? diagnostics.backtest(gridId, rule, range)
        : recordRules.backtestRecordRule(gridId, rule, range, nowMs);
    },
    responseSchema: BacktestSchema,
    present: presentBacktest,
  }),
];

type PresentedRule = ResponseBody<typeof AlertRuleSchema>;

/** Presents rules of one Grid. The ids of its default rules are derived from the Grid id, so nothing is stored. */
function createRulePresenter(gridId: string): (rule: AlertRule) => PresentedRule {
  const defaultIds = new Set(createDefaultAlertRules(gridId).map(({ id }) => id));
  return (rule) => presentRule(rule, defaultIds.has(rule.id));
}

function presentRuleOfGrid({ gridId, rule }: { readonly gridId: string; readonly rule: AlertRule }): PresentedRule {
  return createRulePresenter(gridId)(rule);
}

function presentRule(rule: AlertRule, isDefault: boolean): PresentedRule {
  const {
    id,
    name,
    metric,
    query,
    operator,
    threshold,
    severity,
    criticalThreshold,
    serviceName,
    windowMinutes,
    forMinutes,
    minRequests,
    enabled,
    runbookUrl,
  } = rule;
  return {
    id,
    name,
    ...(metric !== undefined && { metric }),
    ...(query !== undefined && { query: presentRuleQuery(query) }),
    operator,
    threshold,
    severity,
    ...(criticalThreshold !== undefined && { criticalThreshold }),
    ...(serviceName !== undefined && { serviceName }),
    windowMinutes,
    forMinutes,
    minRequests,
    enabled,
    ...(runbookUrl !== undefined && { runbookUrl }),
    isDefault,
  };
}

/** Commands took only what is valid. */
function presentRuleQuery(query: AlertQuery) {
  const { signal, where = '', groupBy = [], select = [] } = toRuleQueryDefinition(query);
  return { signal, where, groupBy, select };
}

function presentBacktest({ firings, perWeek, missed }: Backtest): ResponseBody<typeof BacktestSchema> {
  return {
    firings: firings.map(({ serviceName, labels, firedAt, resolvedAt, peakValue }) => ({
      serviceName,
      ...(labels !== undefined && { labels }),
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
