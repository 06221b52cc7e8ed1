import type { ToolContext } from '../tool.js';
import { counted } from './counted.js';
import { plainTool } from './plain-tool.js';

export interface GridInfo {
  readonly gridSecondaryId: string;
  readonly serviceNames: readonly string[];
  readonly operationCount: number;
  readonly metricCount: number;
  readonly dashboardCount: number;
  readonly alertRuleCount: number;
}

export const getGridInfo = plainTool({
  name: 'GetGridInfo',
  description: 'What the Grid has: names of services, and how many operations, metrics, dashboards and alert rules.',
  ask: gridInfo,
  source: ({ serviceNames }) => ({ type: 'grid', description: counted(serviceNames.length, 'service') }),
});

async function gridInfo({ queries: { telemetry, charts, alerts }, gridId }: ToolContext): Promise<GridInfo> {
  const [spans, logs, catalog, dashboards, rules] = await Promise.all([
    telemetry.traceFilterOptions(gridId), telemetry.logFilterOptions(gridId), charts.metrics(gridId), charts.dashboards(gridId), alerts.alertRules(gridId),
  ]);
  return {
    gridSecondaryId: gridId,
    serviceNames: [...new Set([...spans.serviceNames, ...logs.serviceNames])].sort(),
    operationCount: spans.operationNames.length,
    metricCount: catalog.metrics.length,
    dashboardCount: dashboards.length,
    alertRuleCount: rules.length,
  };
}
