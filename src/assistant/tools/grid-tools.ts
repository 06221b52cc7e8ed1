import type { AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { describeQueryCondition, toRuleQueryDefinition } from '../../queries/alerting/rule-query.js';
import type { ToolContext } from '../tool.js';
import { createParameterlessTool, formatCountOrNone } from './tool-builders.js';

export interface GridInfo {
  readonly gridSecondaryId: string;
  readonly serviceNames: readonly string[];
  readonly operationCount: number;
  readonly metricCount: number;
  readonly dashboardCount: number;
  /** Absent if the caller may not read alert rules. */
  readonly alertRuleCount?: number;
}

export const getGridInfo = createParameterlessTool({
  name: 'GetGridInfo',
  description: 'What the Grid has: names of services, and how many operations, metrics, dashboards and alert rules.',
  ask: loadGridInfo,
  source: ({ serviceNames }) => ({ type: 'grid', description: formatCountOrNone(serviceNames.length, 'service') }),
});

async function loadGridInfo({
  queries: { telemetry, charts, alerts },
  gridId,
  mayAdminister,
}: ToolContext): Promise<GridInfo> {
  const [spans, logs, catalog, dashboards, rules] = await Promise.all([
    telemetry.traceFilterOptions(gridId),
    telemetry.logFilterOptions(gridId),
    charts.metrics(gridId),
    charts.dashboards(gridId),
    mayAdminister ? alerts.alertRules(gridId) : undefined,
  ]);
  return {
    gridSecondaryId: gridId,
    serviceNames: [...new Set([...spans.serviceNames, ...logs.serviceNames])].sort(),
    operationCount: spans.operationNames.length,
    metricCount: catalog.metrics.length,
    dashboardCount: dashboards.length,
    ...(rules !== undefined && { alertRuleCount: rules.length }),
  };
}

export const getAlertRules = createParameterlessTool({
  name: 'GetAlertRules',
  path: '/admin/grids/{gridSecondaryId}/alert-rules',
  forAdministrators: true,
  description:
    'The alert rules of the Grid: metric or query, operator, threshold, severity, window, and whether each is enabled.',
  ask: async ({ queries, gridId }) => ({ rules: (await queries.alerts.alertRules(gridId)).map(presentRule) }),
  source: ({ rules }) => ({ type: 'alert-rules', description: formatCountOrNone(rules.length, 'rule') }),
});

/** As the API lists it: without empty members of the query. */
function presentRule(rule: AlertRule) {
  if (rule.query === undefined) return rule;
  return { ...rule, query: toRuleQueryDefinition(rule.query), condition: describeQueryCondition(rule) };
}
