import {
  ALERT_RULE_BOUNDS,
  type AlertMinute,
  type AlertRule,
  type Backtest,
  type RuleEvaluation,
  type Utilization,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { evaluateAlertRule, requiredWindow } from '../../diagnostics/alerting/alert-rule-evaluator.js';
import { ceilMinute, MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { DiagnosticsInputReader } from './diagnostics-input-reader.js';
import { BacktestRun } from '../../diagnostics/alerting/alert-rule-backtest.js';
import { computeUtilizations } from '../../diagnostics/pressure/pressure-detection.js';
import type { DiagnosticsInput } from '../../diagnostics/diagnostics-input.js';

/** What every enabled rule of the Grid says now, of every service that it has something to say of. */
export async function evaluateAlertRules(
  data: DiagnosticsInputReader,
  gridId: string,
  turn: TimeSlice,
): Promise<readonly RuleEvaluation[]> {
  const nowMs = data.clock();
  const rules = (await data.alerts.alertRules(gridId)).filter(({ enabled }) => enabled);
  if (rules.length === 0) return [];
  const fromMs = Math.min(...rules.map((rule) => requiredWindow(rule, nowMs).fromMs));
  const minutes = await readAlertMinutes(data, gridId, rules, { fromMs, toMs: ceilMinute(nowMs) });
  const evaluations: RuleEvaluation[] = [];
  for (const rule of rules) {
    await turn.yieldIfDue();
    const first = minutes.findIndex(({ minute }) => minute * MINUTE_MS >= requiredWindow(rule, nowMs).fromMs);
    for (const evaluation of evaluateAlertRule(rule, first < 0 ? [] : minutes.slice(first), nowMs))
      evaluations.push(evaluation);
  }
  return evaluations;
}

/** Read at once: few enough to be read by the minute. */
const BACKTEST_CHUNK_MS = 60 * MINUTE_MS;

/** When the rule would have fired in a time gone by, and which alerts of that time it would have missed. */
export async function backtestAlertRule(
  data: DiagnosticsInputReader,
  gridId: string,
  rule: AlertRule,
  range: TimeWindow,
  turn: TimeSlice,
): Promise<Backtest> {
  const run = new BacktestRun(rule, range, data.clock());
  const { fromMs, toMs } = run.needs;
  for (let at = fromMs; at < toMs; at += BACKTEST_CHUNK_MS) {
    for (const minute of await readAlertMinutes(data, gridId, [rule], {
      fromMs: at,
      toMs: Math.min(at + BACKTEST_CHUNK_MS, toMs),
    })) {
      run.add(minute);
      await turn.yieldIfDue();
    }
  }
  return run.finish(await data.alerts.alertsDuring(gridId, range));
}

/** What the rules look at, minute by minute. The window must be short enough to be read by the minute, see RollupReader. */
async function readAlertMinutes(
  data: DiagnosticsInputReader,
  gridId: string,
  rules: readonly AlertRule[],
  window: TimeWindow,
): Promise<AlertMinute[]> {
  const parts = rules.some(({ metric }) => metric === 'pressure')
    ? (['grids', 'metrics'] as const)
    : (['grids'] as const);
  return toAlertMinutes(await data.readInput(gridId, [{ parts, windows: [window] }]));
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

/** The farthest that any rule looks back. */
const RULE_LOOKBACK_MINUTES = ALERT_RULE_BOUNDS.windowMinutes.max + ALERT_RULE_BOUNDS.forMinutes.max;

/**
 * Grids whose rules can change their mind: those with telemetry that a rule may look at, of these shares or of all, and those of
 * any share with an alert that may resolve.
 */
export async function findGridsWithRecentTelemetry(
  { rollups, alerts, clock }: DiagnosticsInputReader,
  shares?: readonly number[],
): Promise<readonly string[]> {
  await rollups.refreshShards(shares);
  const oldest = Math.floor(clock() / MINUTE_MS) - RULE_LOOKBACK_MINUTES;
  const awake = new Set(
    [...rollups.grids(shares)].filter((gridId) => (rollups.newestMinute(gridId) ?? -Infinity) >= oldest),
  );
  for (const { gridId } of await alerts.openAlerts()) awake.add(gridId);
  return [...awake];
}
