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
 * Events that set up a new Grid like the exported one, with unlimited retention and without members, so that nobody
 * sees it yet. The file is untrusted: the deciders validate it like requests and throw their error codes.
 */
export function buildGridSetupEvents(snapshot: GridSnapshot, context: ImportedGridContext): DomainEvent[] {
  const { gridId, actor, at } = context;
  const events: DomainEvent[] = [];
  const decide = <Command, State, Event extends DomainEvent>(
    decider: Decider<Command, State, Event>,
    commands: readonly Command[],
  ): void => {
    for (const command of commands) events.push(...decideOrThrow(decider, command, events));
  };
  const { settings } = snapshot;
  decide(gridDecider, [
    { type: 'CreateGrid', gridId, actor, at, name: settings.name },
    {
      type: 'ChangeSettings',
      gridId,
      actor,
      at,
      changes: {
        ...settings,
        apdexThresholdMs: snapshot.apdexThresholdMsAtStart,
        subscriptionActive: true,
        retentionDays: 0,
      },
    },
  ]);
  decide(limitsDecider, [{ type: 'UpdateLimits', gridId, actor, at, changes: snapshot.limits }]);
  decide(alertRulesDecider, buildAlertRuleCommands(snapshot, context, events));
  decide(chartsDecider, buildChartCommands(snapshot, context, events));
  return events;
}

/** Decides a command on the state after these events of the stream. Throws the rejection of the decider. */
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
  snapshot: GridSnapshot,
  { gridId, actor, at }: ImportedGridContext,
  events: readonly DomainEvent[],
): AlertRuleCommand[] {
  const mapId = createIdMapper(snapshot.gridId, gridId);
  const existing = foldDeciderState(alertRulesDecider, events) ?? new Map<string, unknown>();
  const rules = snapshot.alertRules.map((rule) => ({ ...rule, id: mapId(rule.id) }) as AlertRule);
  const importedIds = new Set(rules.map(({ id }) => id));
  return [
    ...[...existing.keys()]
      .filter((id) => !importedIds.has(id))
      .map((ruleId): AlertRuleCommand => ({ type: 'DeleteAlertRule', gridId, actor, at, ruleId })),
    ...rules.map((rule): AlertRuleCommand => ({
      type: existing.has(rule.id) ? 'ChangeAlertRule' : 'CreateAlertRule',
      gridId,
      actor,
      at,
      rule,
    })),
  ];
}

/** Deletes dashboards before the charts that they show, and creates them after the charts. */
function buildChartCommands(
  snapshot: GridSnapshot,
  { gridId, actor, at }: ImportedGridContext,
  events: readonly DomainEvent[],
): ChartCommand[] {
  const mapId = createIdMapper(snapshot.gridId, gridId);
  const existing = foldDeciderState(chartsDecider, events) ?? {
    charts: new Map<string, unknown>(),
    dashboards: new Map<string, unknown>(),
  };
  const base = { gridId, actor, at };
  const charts = new Map(snapshot.charts.map(({ id, ...chart }) => [mapId(id), chart as NewChart]));
  const dashboards = new Map(
    snapshot.dashboards.map(({ id, ...dashboard }) => [
      mapId(id),
      {
        ...dashboard,
        charts: dashboard.charts.map((placement) => ({ ...placement, chartId: mapId(placement.chartId) })),
      },
    ]),
  );
  return [
    ...[...existing.dashboards.keys()]
      .filter((id) => !dashboards.has(id))
      .map((dashboardId): ChartCommand => ({ ...base, type: 'DeleteDashboard', dashboardId })),
    ...[...charts].map(([chartId, chart]): ChartCommand => ({
      ...base,
      type: existing.charts.has(chartId) ? 'ChangeChart' : 'CreateChart',
      chartId,
      chart,
    })),
    ...[...dashboards].map(([dashboardId, dashboard]): ChartCommand => ({
      ...base,
      type: existing.dashboards.has(dashboardId) ? 'ChangeDashboard' : 'CreateDashboard',
      dashboardId,
      dashboard,
    })),
    ...[...existing.charts.keys()]
      .filter((id) => !charts.has(id))
      .map((chartId): ChartCommand => ({ ...base, type: 'DeleteChart', chartId })),
  ];
}

/**
 * Maps ids of the exported Grid to ids of the new one. Ids of default objects map to those of the new Grid; others are
 * derived, so that a machine can hold a Grid and several imports of it.
 */
export function createIdMapper(oldGridId: string, newGridId: string): (id: string) => string {
  const defaults = new Map<string, string>();
  const oldDefaults = defaultIds(oldGridId);
  defaultIds(newGridId).forEach((id, i) => defaults.set(oldDefaults[i], id));
  return (id) => defaults.get(id) ?? deriveUuid(`${newGridId}/imported/${id}`);
}

function defaultIds(gridId: string): string[] {
  return [...createDefaultAlertRules(gridId), ...createDefaultCharts(gridId), ...createDefaultDashboards(gridId)].map(
    ({ id }) => id,
  );
}
