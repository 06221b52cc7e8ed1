import { formatBurnRateCondition, type BurnWindow } from '../../diagnostics/slos/burn-rate.js';
import type { ErrorBudget } from '../../diagnostics/slos/error-budget.js';
import type { SloAssessment, UncountedSlo } from '../../diagnostics/slos/slo-assessment.js';
import { countPages, type SloBacktest } from '../../diagnostics/slos/slo-backtest.js';
import type { EventCounts, Indicator, Slo } from '../../diagnostics/slos/slo-model.js';
import type { SloReport } from '../../diagnostics/slos/slo-report.js';
import { formatReport } from '../../queries/slos/slo-report-markdown.js';
import type { SavedSlo, SloBacktests, SloDetail, SloProposal } from '../../queries/slos/slo-query-types.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import type {
  SavedSloBody,
  SloAssessmentBody,
  SloBacktestBody,
  SloDetailBody,
  SloProposalBody,
  SloReportBody,
  UncountedSloBody,
} from '../schemas/slo-schemas.js';
import { formatTimestamp } from './value-conversions.js';

const MAX_FIRINGS = 100;

export function presentSlo({ createdAt, updatedAt, ...slo }: SavedSlo): ResponseBody<typeof SavedSloBody> {
  return { ...presentDefinition(slo), createdAt: formatTimestamp(createdAt), updatedAt: formatTimestamp(updatedAt) };
}

function presentDefinition(slo: Slo) {
  const { id, name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance = false } = slo;
  return {
    ...{ id, name, indicator: presentIndicator(indicator), objective, windowDays, calendar, alerts },
    excludesMaintenance,
  };
}

function presentIndicator({ type, serviceName, operation, thresholdMs, signal, good, all }: Indicator) {
  if (type === 'query') return { type, ...(signal !== '' && { signal }), good, all };
  return {
    type,
    serviceName,
    ...(operation !== '' && { operation }),
    ...(type === 'latency' && { thresholdMs }),
  };
}

export function presentAssessment(assessment: SloAssessment): ResponseBody<typeof SloAssessmentBody> {
  const { slo, window, coveredFromMs, events, excluded, budget, burnRates, breach, status } = assessment;
  return {
    ...presentDefinition(slo),
    from: formatTimestamp(window.fromMs),
    to: formatTimestamp(window.toMs),
    ...presentEvents(events, coveredFromMs),
    excluded: excluded.total,
    errorBudget: presentBudget(budget),
    burnRates: Object.fromEntries(Object.entries(burnRates).map(([name, rate]) => [name, round(rate, 3)])) as Record<
      BurnWindow,
      number
    >,
    status,
    alert:
      breach === undefined
        ? null
        : {
            severity: breach.rule.severity,
            condition: formatBurnRateCondition(breach.rule),
            burnRate: round(breach.burnRate, 3),
          },
  };
}

export function presentUncounted({ slo, failure }: UncountedSlo): ResponseBody<typeof UncountedSloBody> {
  return { ...presentDefinition(slo), failure };
}

export function presentDetail({ hours, ...assessment }: SloDetail): ResponseBody<typeof SloDetailBody> {
  return {
    ...presentAssessment(assessment),
    hours: hours.map(({ at, good, total, remainingPercent }) => ({
      time: formatTimestamp(at),
      good,
      total,
      remainingPercent: round(remainingPercent, 2),
    })),
  };
}

export function presentReport(report: SloReport): ResponseBody<typeof SloReportBody> {
  const { slo, month, zone, window, isOver, isMet, events, excluded, coveredFromMs, budget } = report;
  return {
    ...presentDefinition(slo),
    ...{ month, zone, isOver, isMet, worstDays: [...report.worstDays] },
    from: formatTimestamp(window.fromMs),
    to: formatTimestamp(window.toMs),
    ...presentEvents(events, coveredFromMs),
    excluded: excluded.total,
    errorBudget: presentBudget(budget),
    alertHistory: report.alerts.map(({ severity, condition, firedAt, resolvedAt }) => ({
      ...{ severity, condition, firedAt: formatTimestamp(firedAt), resolvedAt: formatOrNull(resolvedAt) },
    })),
    incidents: report.incidents.map(({ id, title, status, startedAt, endedAt }) => ({
      ...{ id, title, status, startedAt: formatTimestamp(startedAt), endedAt: formatOrNull(endedAt) },
    })),
    markdown: formatReport(report),
  };
}

function formatOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTimestamp(ms);
}

function presentBudget({ total, consumed, remaining, remainingPercent }: ErrorBudget) {
  return {
    total: round(total, 3),
    consumed,
    remaining: round(remaining, 3),
    remainingPercent: round(remainingPercent, 2),
  };
}

export function presentBacktests(result: SloBacktests): ResponseBody<typeof SloBacktestBody> {
  const { range, coveredFromMs, events, backtests, proposed } = result;
  return {
    from: formatTimestamp(range.fromMs),
    to: formatTimestamp(range.toMs),
    ...presentEvents(events, coveredFromMs),
    proposed: proposed ?? null,
    backtests: backtests.map((backtest) => presentBacktest(backtest, events)),
  };
}

export function presentProposal({ indicator, ...result }: SloProposal): ResponseBody<typeof SloProposalBody> {
  return { indicator: presentIndicator(indicator), ...presentBacktests(result) };
}

function presentBacktest(backtest: SloBacktest, { total }: EventCounts) {
  const { objective, isMet, firings } = backtest;
  const pages = countPages(backtest);
  return {
    objective,
    isMet,
    pages,
    tickets: firings.length - pages,
    summary: total === 0 ? 'No events were found: nothing can be tested.' : describeBacktest(isMet, pages),
    firings: firings.slice(-MAX_FIRINGS).map(({ severity, firedAt, resolvedAt, peakBurnRate }) => ({
      severity,
      firedAt: formatTimestamp(firedAt),
      resolvedAt: resolvedAt === null ? null : formatTimestamp(resolvedAt),
      peakBurnRate: round(peakBurnRate, 3),
    })),
  };
}

/** Such as `Would have been met, and would have paged twice.` */
export function describeBacktest(isMet: boolean, pages: number): string {
  const times = ['not have paged', 'have paged once', 'have paged twice'].at(pages) ?? `have paged ${pages} times`;
  return `Would ${isMet ? '' : 'not '}have been met, and would ${times}.`;
}

function presentEvents({ good, total }: EventCounts, coveredFromMs: number | undefined) {
  return {
    coveredFrom: coveredFromMs === undefined ? null : formatTimestamp(coveredFromMs),
    good,
    total,
    sli: total === 0 ? null : round((good / total) * 100, 4),
  };
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
