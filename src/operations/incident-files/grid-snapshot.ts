import { alertRulesDecider } from '../../commands/alert-rules/alert-rule-decider.js';
import { chartsDecider, toStoredChart, toStoredDashboard } from '../../commands/charts/chart-decider.js';
import type { Decider, DomainEvent } from '../../commands/decider.js';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { limitsDecider } from '../../commands/limits/limits-decider.js';
import { HindsightError } from '../../errors.js';
import type { RecordedEvent } from '../../streams/event-store.js';
import type { GridSnapshot } from './incident-file-format.js';

/**
 * Settings, limits, alert rules, charts and dashboards of the Grid at `toMs`, or at its creation if that is later.
 * `startMs` is when the first exported telemetry was recorded. Omits members, API keys and actors.
 */
export function buildGridSnapshot(
  gridId: string,
  events: readonly RecordedEvent[],
  startMs: number,
  toMs: number,
): GridSnapshot {
  const createdMs = events.find(({ type }) => type === 'GridCreated.v1')?.recordedAt ?? Infinity;
  const eventsUntil = (time: number): RecordedEvent[] =>
    events.filter(({ recordedAt }) => recordedAt <= Math.max(time, createdMs));
  const atEnd = eventsUntil(toMs);
  const { settings } = foldDeciderState(gridDecider, atEnd);
  const limits = foldDeciderState(limitsDecider, atEnd);
  const rules = foldDeciderState(alertRulesDecider, atEnd);
  const definitions = foldDeciderState(chartsDecider, atEnd);
  if (settings === undefined || limits === undefined || rules === undefined || definitions === undefined)
    throw new HindsightError('not-found', 'There is no such Grid.');
  return {
    gridId,
    settings,
    apdexThresholdMsAtStart:
      foldDeciderState(gridDecider, eventsUntil(startMs)).settings?.apdexThresholdMs ?? settings.apdexThresholdMs,
    limits,
    alertRules: [...rules.values()],
    charts: [...definitions.charts].map(([id, chart]) => toStoredChart(id, chart)),
    dashboards: [...definitions.dashboards].map(([id, dashboard]) => toStoredDashboard(id, dashboard)),
  };
}

/** Folds the events that concern the decider into its state. */
export function foldDeciderState<State, Event extends DomainEvent>(
  decider: Decider<never, State, Event>,
  events: readonly Pick<RecordedEvent, 'type' | 'data'>[],
): State {
  const own = events
    .filter(({ type }) => decider.eventTypes.has(type))
    .map(({ type, data }) => ({ type, data }) as Event);
  if (own.length === 0) return decider.initialState;
  return (
    decider.evolveAll?.(decider.initialState, own) ??
    own.reduce((state, event) => decider.evolve(state, event), decider.initialState)
  );
}
