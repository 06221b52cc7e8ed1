import type { Severity } from '../diagnostic-results.js';
import { CLEAR_STATE, advanceAlertState, type AlertState } from '../alerting/alert-lifecycle.js';
import { MINUTE_MS, type TimeWindow } from '../time-windows.js';
import { BURN_WINDOWS, findBurnRateBreach, type BurnCounts, type BurnWindow } from './burn-rate.js';
import { computeErrorBudget, isWithinBudget } from './error-budget.js';
import type { MinuteCounts } from './minute-counts.js';
import type { EventCounts, Slo } from './slo-model.js';

/** Objectives to choose from, strictest first, in percent. */
export const CANDIDATE_OBJECTIVES: readonly number[] = [99.99, 99.95, 99.9, 99.5, 99, 98, 95, 90];
/** Pages that an objective should have caused: none would mean that nobody learns of what users notice. */
const PROPOSED_PAGES = { min: 1, max: 3 };
const MINUTES_PER_DAY = 1_440;

/** When an objective would have raised an alert. Times in ms since 1970; `resolvedAt` is null if it would still fire. */
export interface BurnRateFiring {
  /** The highest while it fired: `critical` pages, `warning` opens a ticket. */
  readonly severity: Severity;
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  /** Highest burn rate over the long window of the rule that was exceeded. */
  readonly peakBurnRate: number;
}

export interface SloBacktest {
  readonly objective: number;
  /** Whether the share of good events over the whole range reaches the objective. */
  readonly isMet: boolean;
  readonly firings: readonly BurnRateFiring[];
}

/** Events by minute of a range, as sums of all minutes before. */
export class EventHistory {
  private readonly good: Float64Array;
  private readonly all: Float64Array;

  constructor(
    counts: MinuteCounts,
    readonly range: TimeWindow,
  ) {
    const first = range.fromMs / MINUTE_MS;
    const size = Math.max(0, range.toMs / MINUTE_MS - first);
    this.good = new Float64Array(size + 1);
    this.all = new Float64Array(size + 1);
    for (const [minute, { good, total }] of counts.entries) {
      if (minute < first || minute >= first + size) continue;
      this.good[minute - first + 1] = good;
      this.all[minute - first + 1] = total;
    }
    for (let i = 1; i <= size; i++) {
      this.good[i] += this.good[i - 1];
      this.all[i] += this.all[i - 1];
    }
  }

  get minutes(): number {
    return this.all.length - 1;
  }

  get events(): EventCounts {
    return this.countBefore(this.minutes, this.minutes);
  }

  /** Events of the last `minutes` minutes before minute `end` of the range. */
  countBefore(end: number, minutes: number): EventCounts {
    const start = Math.max(0, end - minutes);
    return { good: this.good[end] - this.good[start], total: this.all[end] - this.all[start] };
  }
}

/**
 * Simulates the alerts of an objective minute by minute, with the state machine of alerts. Yields after each day, so
 * that the caller can let others work.
 */
export function* backtestSlo(
  history: EventHistory,
  slo: Pick<Slo, 'objective' | 'windowDays'>,
): Generator<undefined, SloBacktest, undefined> {
  const { objective } = slo;
  const simulation = new AlertSimulation(history, slo);
  for (let end = 1; end <= history.minutes; end++) {
    simulation.advance(end);
    if (end % MINUTES_PER_DAY === 0) yield undefined;
  }
  const { events } = history;
  const isMet = events.total > 0 && isWithinBudget(computeErrorBudget(events, objective));
  return { objective, isMet, firings: simulation.firings };
}

class AlertSimulation {
  readonly firings: BurnRateFiring[] = [];
  private state: AlertState = CLEAR_STATE;

  constructor(
    private readonly history: EventHistory,
    private readonly slo: Pick<Slo, 'objective' | 'windowDays'>,
  ) {}

  /** Evaluates at the end of a minute of the range. */
  advance(end: number): void {
    const breach = this.hasRecentFailures(end) ? findBurnRateBreach(this.countWindows(end), this.slo) : undefined;
    const evaluation = { breached: breach !== undefined, severity: breach?.rule.severity ?? 'warning' } as const;
    const atMs = this.history.range.fromMs + end * MINUTE_MS;
    const { state, change } = advanceAlertState(this.state, evaluation, atMs);
    this.state = state;
    if (change === 'fired')
      this.firings.push({ severity: evaluation.severity, firedAt: atMs, resolvedAt: null, peakBurnRate: 0 });
    const open = this.firings.at(-1);
    if (open === undefined) return;
    if (change === 'resolved') this.firings[this.firings.length - 1] = { ...open, resolvedAt: atMs };
    else if (breach !== undefined && state.status === 'firing')
      this.firings[this.firings.length - 1] = {
        ...open,
        severity: state.severity,
        peakBurnRate: Math.max(open.peakBurnRate, breach.burnRate),
      };
  }

  /** Every rule needs bad events in its short window, of six hours at most. */
  private hasRecentFailures(end: number): boolean {
    const { good, total } = this.history.countBefore(end, BURN_WINDOWS['6h']);
    return total > good;
  }

  private countWindows(end: number): BurnCounts {
    const names = Object.keys(BURN_WINDOWS) as BurnWindow[];
    return Object.fromEntries(names.map((name) => [name, this.history.countBefore(end, BURN_WINDOWS[name])])) as Record<
      BurnWindow,
      EventCounts
    >;
  }
}

/** Alerts that would have paged somebody. */
export function countPages({ firings }: Pick<SloBacktest, 'firings'>): number {
  return firings.filter(({ severity }) => severity === 'critical').length;
}

/**
 * The strictest objective that would have been met with one to three pages; without one, the strictest that would have
 * been met with at most three.
 */
export function proposeObjective(backtests: readonly SloBacktest[]): number | undefined {
  const met = backtests
    .filter((backtest) => backtest.isMet && countPages(backtest) <= PROPOSED_PAGES.max)
    .sort((a, b) => b.objective - a.objective);
  return (met.find((backtest) => countPages(backtest) >= PROPOSED_PAGES.min) ?? met.at(0))?.objective;
}
