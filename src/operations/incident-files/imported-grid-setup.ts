import { type AlertRuleCommand, alertRulesDecider } from '../../commands/alert-rules/alert-rule-decider.js';
import type { ChartCommand } from '../../commands/charts/chart-command-types.js';
import { chartsDecider } from '../../commands/charts/chart-decider.js';
import { type Decider, type DomainEvent, isRejection } from '../../commands/decider.js';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { limitsDecider } from '../../commands/limits/limits-decider.js';
import type { NewChart } from '../../diagnostics/chart-model.js';
import type { AlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { HindsightError } from '../../errors.js';
import type { GridSnapshot } from './incident-file-format.js';
import { foldDeciderState } from './grid-snapshot.js';
import {
  createDefaultAlertRules,
  createDefaultCharts,
  createDefaultDashboards,
} from '../../streams/events/grid-defaults.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';

export interface ImportedGridContext {
  readonly gridId: string;
  readonly actor: string;
  readonly at: number;
}

/**
 * Events of a new Grid that is set up as the sliced one was, for ever kept and without members: nobody sees it yet. The file may say anything, so the deciders judge
 * it as they judge a request: rejects with their codes.
 */
export function buildGridSetupEvents(sliced: GridSnapshot, into: ImportedGridContext): DomainEvent[] {
  const { gridId, actor, at } = into;
  const events: DomainEvent[] = [];
  const decide = <Command, State, Event extends DomainEvent>(
    decider: Decider<Command, State, Event>,
    commands: readonly Command[],
  ): void => {
    for (const command of commands) events.push(...decideOrThrow(decider, command, events));
  };
  const { settings } = sliced;
  decide(gridDecider, [
    { type: 'CreateGrid', gridId, actor, at, name: settings.name },
    {
      type: 'ChangeSettings',
      gridId,
      actor,
      at,
      changes: {
        ...settings,
        apdexThresholdMs: sliced.apdexThresholdMsAtStart,
        subscriptionActive: true,
        retentionDays: 0,
      },
    },
  ]);
  decide(limitsDecider, [{ type: 'UpdateLimits', gridId, actor, at, changes: sliced.limits }]);
  decide(alertRulesDecider, buildAlertRuleCommands(sliced, into, events));
  decide(chartsDecider, buildChartCommands(sliced, into, events));
  return events;
}

/** What the decider answers to the command after these events of the stream. Throws where it refuses. */
export function decideOrThrow<Command, State, Event extends DomainEvent>(
  decider: Decider<Command, State, Event>,
  command: Command,
  events: readonly DomainEvent[],
): readonly Event[] {
  const decision = decider.decide(command, foldDeciderState(decider, events));
  if (isRejection(decision)) throw new HindsightError(decision.rejected, decision.message, decision.fields);
  return decision;
}

function buildAlertRuleCommands(
  sliced: GridSnapshot,
  { gridId, actor, at }: ImportedGridContext,
  events: readonly DomainEvent[],
): AlertRuleCommand[] {
  const idOf = createIdMapper(sliced.gridId, gridId);
  const known = foldDeciderState(alertRulesDecider, events) ?? new Map<string, unknown>();
  const rules = sliced.alertRules.map((rule) => ({ ...rule, id: idOf(rule.id) }) as AlertRule);
  const kept = new Set(rules.map(({ id }) => id));
  return [
    ...[...known.keys()]
      .filter((id) => !kept.has(id))
      .map((ruleId): AlertRuleCommand => ({ type: 'DeleteAlertRule', gridId, actor, at, ruleId })),
    ...rules.map((rule): AlertRuleCommand => ({
      type: known.has(rule.id) ? 'ChangeAlertRule' : 'CreateAlertRule',
      gridId,
      actor,
      at,
      rule,
    })),
  ];
}

/** Dashboards go before the charts that they show, and come after them. */
function buildChartCommands(
  sliced: GridSnapshot,
  { gridId, actor, at }: ImportedGridContext,
  events: readonly DomainEvent[],
): ChartCommand[] {
  const idOf = createIdMapper(sliced.gridId, gridId);
  const known = foldDeciderState(chartsDecider, events) ?? {
    charts: new Map<string, unknown>(),
    dashboards: new Map<string, unknown>(),
  };
  const of = { gridId, actor, at };
  const charts = new Map(sliced.charts.map(({ id, ...chart }) => [idOf(id), chart as NewChart]));
  const dashboards = new Map(
    sliced.dashboards.map(({ id, ...dashboard }) => [
      idOf(id),
      { ...dashboard, charts: dashboard.charts.map((placed) => ({ ...placed, chartId: idOf(placed.chartId) })) },
    ]),
  );
  return [
    ...[...known.dashboards.keys()]
      .filter((id) => !dashboards.has(id))
      .map((dashboardId): ChartCommand => ({ ...of, type: 'DeleteDashboard', dashboardId })),
    ...[...charts].map(([chartId, chart]): ChartCommand => ({
      ...of,
      type: known.charts.has(chartId) ? 'ChangeChart' : 'CreateChart',
      chartId,
      chart,
    })),
    ...[...dashboards].map(([dashboardId, dashboard]): ChartCommand => ({
      ...of,
      type: known.dashboards.has(dashboardId) ? 'ChangeDashboard' : 'CreateDashboard',
      dashboardId,
      dashboard,
    })),
    ...[...known.charts.keys()]
      .filter((id) => !charts.has(id))
      .map((chartId): ChartCommand => ({ ...of, type: 'DeleteChart', chartId })),
  ];
}

/**
 * Ids in the new Grid for those of the old one: what every Grid starts with keeps its place, all else gets an id of its own, the same for the same, so that
 * a machine can hold a Grid and its imported slices.
 */
export function createIdMapper(oldGridId: string, newGridId: string): (id: string) => string {
  const defaults = new Map<string, string>();
  const were = defaultIds(oldGridId);
  defaultIds(newGridId).forEach((id, i) => defaults.set(were[i], id));
  return (id) => defaults.get(id) ?? deriveUuid(`${newGridId}/imported/${id}`);
}

function defaultIds(gridId: string): string[] {
  return [...createDefaultAlertRules(gridId), ...createDefaultCharts(gridId), ...createDefaultDashboards(gridId)].map(
    ({ id }) => id,
  );
}
