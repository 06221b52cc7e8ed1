import {
  ALERT_RULE_BOUNDS,
  isMetricRule,
  type AlertMinute,
  type MetricAlertRule,
  type Backtest,
  type RuleEvaluation,
  type Utilization,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { evaluateMetricRule, requiredWindow } from '../../diagnostics/alerting/metric-rule-evaluator.js';
import { ceilMinute, MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { DiagnosticsInputReader } from './diagnostics-input-reader.js';
import { BacktestRun } from '../../diagnostics/alerting/metric-rule-backtest.js';
import { computeUtilizations } from '../../diagnostics/pressure/pressure-detection.js';
import type { DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';

/** Evaluates every enabled rule of the Grid on a metric now, for each service that it applies to. */
export async function evaluateMetricRules(
  inputReader: DiagnosticsInputReader,
  gridId: string,
  timeSlice: TimeSlice,
): Promise<readonly RuleEvaluation[]> {
  const nowMs = inputReader.clock();
  const rules = (await inputReader.alerts.alertRules(gridId)).filter(isMetricRule).filter(({ enabled }) => enabled);
  if (rules.length === 0) return [];
  const fromMs = Math.min(...rules.map((rule) => requiredWindow(rule, nowMs).fromMs));
  const minutes = await readAlertMinutes(
    inputReader,
    gridId,
    { rules, window: { fromMs, toMs: ceilMinute(nowMs) } },
    timeSlice,
  );
  const evaluations: RuleEvaluation[] = [];
  for (const rule of rules) {
    await timeSlice.yieldIfDue();
    const first = minutes.findIndex(({ minute }) => minute * MINUTE_MS >= requiredWindow(rule, nowMs).fromMs);
    for (const evaluation of evaluateMetricRule(rule, first < 0 ? [] : minutes.slice(first), nowMs))
      evaluations.push(evaluation);
  }
  return evaluations;
}

/** Read per chunk: short enough for minute resolution. */
const BACKTEST_CHUNK_MS = 60 * MINUTE_MS;

/** Simulates a rule over a past time range: when it would have fired, and which stored alerts it would have missed. */
export async function backtestMetricRule(
  inputReader: DiagnosticsInputReader,
  gridId: string,
  rule: MetricAlertRule,
  range: TimeWindow,
  timeSlice: TimeSlice,
): Promise<Backtest> {
  const run = new BacktestRun(rule, range, inputReader.clock());
  const { fromMs, toMs } = run.requiredWindow;
  for (let at = fromMs; at < toMs; at += BACKTEST_CHUNK_MS) {
    const window = { fromMs: at, toMs: Math.min(at + BACKTEST_CHUNK_MS, toMs) };
    for (const minute of await readAlertMinutes(inputReader, gridId, { rules: [rule], window }, timeSlice)) {
      run.add(minute);
      await timeSlice.yieldIfDue();
    }
  }
  return run.finish(await inputReader.alerts.alertsDuring(gridId, range));
}

/** Rule inputs, one per minute. The window must be short enough for minute resolution; see GridRollupReader. */
async function readAlertMinutes(
  inputReader: DiagnosticsInputReader,
  gridId: string,
  { rules, window }: { readonly rules: readonly MetricAlertRule[]; readonly window: TimeWindow },
  timeSlice: TimeSlice,
): Promise<AlertMinute[]> {
  const parts = rules.some(({ metric }) => metric === 'pressure')
    ? (['grids', 'metrics'] as const)
    : (['grids'] as const);
  return toAlertMinutes(await inputReader.readInput(gridId, [{ parts, windows: [window] }], timeSlice));
}

function toAlertMinutes({ grids, metrics }: Pick<DiagnosticsInput, 'grids' | 'metrics'>): AlertMinute[] {
  const byMinute = new Map<number, { services: AlertMinute['services']; utilizations: Utilization[] }>();
  for (const { minute, value } of grids) byMinute.set(minute, { services: value.services, utilizations: [] });
  for (const { minute, value } of metrics) {
    const known = byMinute.get(minute) ?? { services: [], utilizations: [] };
    known.utilizations.push(...computeUtilizations(value));
    byMinute.set(minute, known);
  }
  return [...byMinute].map(([minute, of]) => ({ minute, ...of })).sort((a, b) => a.minute - b.minute);
}

/** Longest lookback of any rule. */
const RULE_LOOKBACK_MINUTES = ALERT_RULE_BOUNDS.windowMinutes.max + ALERT_RULE_BOUNDS.forMinutes.max;

/**
 * Grids whose alert state may change: those in these shards (default: all) with telemetry within the lookback of a
 * rule, and those in any shard with an open alert.
 */
export async function findGridsWithRecentTelemetry(
  { rollups, alerts, clock }: DiagnosticsInputReader,
  shards?: readonly number[],
): Promise<readonly string[]> {
  await rollups.refreshShards(shards);
  const oldest = Math.floor(clock() / MINUTE_MS) - RULE_LOOKBACK_MINUTES;
  const gridIds = new Set(
    [...rollups.grids(shards)].filter((gridId) => (rollups.newestMinute(gridId) ?? -Infinity) >= oldest),
  );
  for (const { gridId } of await alerts.openAlerts()) gridIds.add(gridId);
  return [...gridIds];
}
