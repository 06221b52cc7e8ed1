import { alertRulesDecider } from '../commands/alert-rules/decider.js';
import { chartsDecider } from '../commands/charts/decider.js';
import { storedChart, storedDashboard } from '../commands/charts/stored.js';
import type { Decider, DomainEvent } from '../commands/decider.js';
import { gridDecider } from '../commands/grid/decider.js';
import { limitsDecider } from '../commands/limits/decider.js';
import { HindsightError } from '../errors.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { SlicedGrid } from './format.js';

/**
 * The Grid as it was at `toMs`, or when it was created where that was later; `startMs` is when the first telemetry of the slice was recorded. Members,
 * keys and actors are left out.
 */
export function slicedGrid(gridId: string, events: readonly RecordedEvent[], startMs: number, toMs: number): SlicedGrid {
  const createdMs = events.find(({ type }) => type === 'GridCreated.v1')?.recordedAt ?? Infinity;
  const by = (time: number): RecordedEvent[] => events.filter(({ recordedAt }) => recordedAt <= Math.max(time, createdMs));
  const atEnd = by(toMs);
  const { settings } = folded(gridDecider, atEnd);
  const limits = folded(limitsDecider, atEnd);
  const rules = folded(alertRulesDecider, atEnd);
  const definitions = folded(chartsDecider, atEnd);
  if (settings === undefined || limits === undefined || rules === undefined || definitions === undefined) throw new HindsightError('not-found', 'There is no such Grid.');
  return {
    gridId,
    settings,
    apdexThresholdMsAtStart: folded(gridDecider, by(startMs)).settings?.apdexThresholdMs ?? settings.apdexThresholdMs,
    limits,
    alertRules: [...rules.values()],
    charts: [...definitions.charts].map(([id, chart]) => storedChart(id, chart)),
    dashboards: [...definitions.dashboards].map(([id, dashboard]) => storedDashboard(id, dashboard)),
  };
}

/** State of one decider after those of the events that concern it. */
export function folded<State, Event extends DomainEvent>(decider: Decider<never, State, Event>, events: readonly Pick<RecordedEvent, 'type' | 'data'>[]): State {
  const own = events.filter(({ type }) => decider.eventTypes.has(type)).map(({ type, data }) => ({ type, data }) as Event);
  if (own.length === 0) return decider.initialState;
  return decider.evolveAll?.(decider.initialState, own) ?? own.reduce((state, event) => decider.evolve(state, event), decider.initialState);
}
