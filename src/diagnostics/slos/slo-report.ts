import type { IncidentStatus } from '../incidents/incident-model.js';
import type { Severity } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { TimeWindow } from '../time-windows.js';
import { computeErrorBudget, isWithinBudget, type ErrorBudget } from './error-budget.js';
import { addCounts, type EventCounts, NO_EVENTS, type Slo } from './slo-model.js';
import { HOUR_MS } from './slo-window.js';

const WORST_DAYS = 5;

/** An alert of the objective; times are ms since 1970. */
export interface ReportedAlert {
  readonly severity: Severity;
  readonly condition: string;
  readonly firedAt: number;
  /** Null if it was still firing at the end of the report. */
  readonly resolvedAt: number | null;
}

/** An incident that an alert of the objective is part of. */
export interface ReportedIncident {
  readonly id: string;
  readonly title: string;
  readonly status: Exclude<IncidentStatus, 'merged'>;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface ReportedDay extends EventCounts {
  /** Such as `2026-11-20`, in the zone of the report. */
  readonly day: string;
}

/** What is known of an objective in a month. */
export interface ReportInput {
  readonly slo: Slo;
  readonly month: string;
  readonly zone: string;
  /** The month as far as the report reaches. */
  readonly window: TimeWindow;
  readonly isOver: boolean;
  /** Events by hour since 1970, ascending, without those that are excluded. */
  readonly hours: ReadonlyMap<number, EventCounts>;
  readonly excluded: EventCounts;
  /** Start of the first hour with events, excluded ones included; undefined without any. */
  readonly coveredFromMs: number | undefined;
  readonly alerts: readonly ReportedAlert[];
  readonly incidents: readonly ReportedIncident[];
}

/** The target applies to the month, whatever the window of the objective. */
export interface SloReport extends ReportInput {
  readonly events: EventCounts;
  /** Percentage of good events; undefined without events. */
  readonly attained: number | undefined;
  readonly budget: ErrorBudget;
  readonly isMet: boolean;
  /** Days with most bad events, five at most. */
  readonly worstDays: readonly ReportedDay[];
}

/** @param formatDay the day of a moment in the zone of the report */
export function buildReport(input: ReportInput, formatDay: (ms: number) => string): SloReport {
  const { slo, hours } = input;
  let events = NO_EVENTS;
  for (const counts of hours.values()) events = addCounts(events, counts);
  const budget = computeErrorBudget(events, slo.objective);
  return {
    ...input,
    events,
    attained: events.total === 0 ? undefined : (events.good / events.total) * 100,
    budget,
    isMet: isWithinBudget(budget),
    worstDays: findWorstDays(hours, formatDay),
  };
}

function findWorstDays(hours: ReportInput['hours'], formatDay: (ms: number) => string): readonly ReportedDay[] {
  const days = new Map<string, EventCounts>();
  for (const [hour, counts] of hours) {
    const day = formatDay(hour * HOUR_MS);
    days.set(day, addCounts(days.get(day) ?? NO_EVENTS, counts));
  }
  return [...days]
    .map(([day, counts]) => ({ day, ...counts }))
    .filter(({ good, total }) => good < total)
    .sort((a, b) => b.total - b.good - (a.total - a.good) || compareText(a.day, b.day))
    .slice(0, WORST_DAYS);
}
