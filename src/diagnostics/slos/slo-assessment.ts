import type { TimeWindow } from '../time-windows.js';
import {
  BURN_WINDOWS,
  computeBurnRate,
  findBurnRateBreach,
  type BurnCounts,
  type BurnRateBreach,
  type BurnWindow,
} from './burn-rate.js';
import { computeErrorBudget, isWithinBudget, type ErrorBudget } from './error-budget.js';
import type { EventCounts, Slo } from './slo-model.js';

/** `exhausted`: the objective is missed in this window. `burning`: it is met, but an alert condition holds. */
export const SLO_STATUSES = ['no-data', 'met', 'burning', 'exhausted'] as const;
export type SloStatus = (typeof SLO_STATUSES)[number];

/** What was counted for an objective at one moment. */
export interface SloCounts {
  readonly window: TimeWindow;
  readonly events: EventCounts;
  /** Events of the window in maintenance that the objective excludes; they are in no other count. */
  readonly excluded: EventCounts;
  readonly burn: BurnCounts;
  /** Start of the first hour of the window with events; undefined without any. */
  readonly coveredFromMs: number | undefined;
}

export interface SloAssessment {
  readonly slo: Slo;
  readonly window: TimeWindow;
  readonly coveredFromMs: number | undefined;
  readonly events: EventCounts;
  readonly excluded: EventCounts;
  /** Percentage of good events; undefined without events. */
  readonly attained: number | undefined;
  readonly budget: ErrorBudget;
  readonly burnRates: Readonly<Record<BurnWindow, number>>;
  readonly breach: BurnRateBreach | undefined;
  readonly status: SloStatus;
}

/** An objective that could not be counted, and why. */
export interface UncountedSlo {
  readonly slo: Slo;
  readonly failure: { readonly code: string; readonly message: string };
}

/** Whether an objective is met, what remains of its budget, and how fast that is used. */
export function assessSlo(slo: Slo, { window, events, excluded, burn, coveredFromMs }: SloCounts): SloAssessment {
  const { objective } = slo;
  const budget = computeErrorBudget(events, objective);
  const breach = findBurnRateBreach(burn, slo);
  const windows = Object.keys(BURN_WINDOWS) as BurnWindow[];
  return {
    slo,
    window,
    coveredFromMs,
    events,
    excluded,
    attained: events.total === 0 ? undefined : (events.good / events.total) * 100,
    budget,
    burnRates: Object.fromEntries(windows.map((name) => [name, computeBurnRate(burn[name], objective)])) as Record<
      BurnWindow,
      number
    >,
    breach,
    status: findStatus(events, budget, breach),
  };
}

function findStatus({ total }: EventCounts, budget: ErrorBudget, breach: BurnRateBreach | undefined): SloStatus {
  if (total === 0) return 'no-data';
  if (!isWithinBudget(budget)) return 'exhausted';
  return breach === undefined ? 'met' : 'burning';
}
