import { alertRulesDecider, type AlertRuleCommand } from '../commands/alert-rules/decider.js';
import type { ChartCommand } from '../commands/charts/commands.js';
import { chartsDecider } from '../commands/charts/decider.js';
import { isRejection, type Decider, type DomainEvent } from '../commands/decider.js';
import { gridDecider } from '../commands/grid/decider.js';
import { limitsDecider } from '../commands/limits/decider.js';
import type { NewChart } from '../diagnostics/chart.js';
import type { AlertRule } from '../diagnostics/alert-rule.js';
import { HindsightError } from '../errors.js';
import type { SlicedGrid } from './format.js';
import { importedIds } from './imported-ids.js';
import { folded } from './sliced-grid.js';

export interface NewGrid {
  readonly gridId: string;
  readonly actor: string;
  readonly at: number;
}

/**
 * Events of a new Grid that is set up as the sliced one was, for ever kept and without members: nobody sees it yet. The file may say anything, so the deciders judge
 * it as they judge a request: rejects with their codes.
 */
export function setUpEvents(sliced: SlicedGrid, into: NewGrid): DomainEvent[] {
  const { gridId, actor, at } = into;
  const events: DomainEvent[] = [];
  const decide = <Command, State, Event extends DomainEvent>(decider: Decider<Command, State, Event>, commands: readonly Command[]): void => {
    for (const command of commands) events.push(...decided(decider, command, events));
  };
  const { settings } = sliced;
  decide(gridDecider, [
    { type: 'CreateGrid', gridId, actor, at, name: settings.name },
    { type: 'ChangeSettings', gridId, actor, at, changes: { ...settings, apdexThresholdMs: sliced.apdexThresholdMsAtStart, subscriptionActive: true, retentionDays: 0 } },
  ]);
  decide(limitsDecider, [{ type: 'UpdateLimits', gridId, actor, at, changes: sliced.limits }]);
  decide(alertRulesDecider, ruleCommands(sliced, into, events));
  decide(chartsDecider, chartCommands(sliced, into, events));
  return events;
}

/** What the decider answers to the command after these events of the stream. Throws where it refuses. */
export function decided<Command, State, Event extends DomainEvent>(decider: Decider<Command, State, Event>, command: Command, events: readonly DomainEvent[]): readonly Event[] {
  const decision = decider.decide(command, folded(decider, events));
  if (isRejection(decision)) throw new HindsightError(decision.rejected, decision.message, decision.fields);
  return decision;
}

function ruleCommands(sliced: SlicedGrid, { gridId, actor, at }: NewGrid, events: readonly DomainEvent[]): AlertRuleCommand[] {
  const idOf = importedIds(sliced.gridId, gridId);
  const known = folded(alertRulesDecider, events) ?? new Map<string, unknown>();
  const rules = sliced.alertRules.map((rule) => ({ ...rule, id: idOf(rule.id) }) as AlertRule);
  const kept = new Set(rules.map(({ id }) => id));
  return [
    ...[...known.keys()].filter((id) => !kept.has(id)).map((ruleId): AlertRuleCommand => ({ type: 'DeleteAlertRule', gridId, actor, at, ruleId })),
    ...rules.map((rule): AlertRuleCommand => ({ type: known.has(rule.id) ? 'ChangeAlertRule' : 'CreateAlertRule', gridId, actor, at, rule })),
  ];
}

/** Dashboards go before the charts that they show, and come after them. */
function chartCommands(sliced: SlicedGrid, { gridId, actor, at }: NewGrid, events: readonly DomainEvent[]): ChartCommand[] {
  const idOf = importedIds(sliced.gridId, gridId);
  const known = folded(chartsDecider, events) ?? { charts: new Map<string, unknown>(), dashboards: new Map<string, unknown>() };
  const of = { gridId, actor, at };
  const charts = new Map(sliced.charts.map(({ id, ...chart }) => [idOf(id), chart as NewChart]));
  const dashboards = new Map(sliced.dashboards.map(({ id, ...dashboard }) => [idOf(id), { ...dashboard, charts: dashboard.charts.map((placed) => ({ ...placed, chartId: idOf(placed.chartId) })) }]));
  return [
    ...[...known.dashboards.keys()].filter((id) => !dashboards.has(id)).map((dashboardId): ChartCommand => ({ ...of, type: 'DeleteDashboard', dashboardId })),
    ...[...charts].map(([chartId, chart]): ChartCommand => ({ ...of, type: known.charts.has(chartId) ? 'ChangeChart' : 'CreateChart', chartId, chart })),
    ...[...dashboards].map(([dashboardId, dashboard]): ChartCommand => ({ ...of, type: known.dashboards.has(dashboardId) ? 'ChangeDashboard' : 'CreateDashboard', dashboardId, dashboard })),
    ...[...known.charts.keys()].filter((id) => !charts.has(id)).map((chartId): ChartCommand => ({ ...of, type: 'DeleteChart', chartId })),
  ];
}
