import type { RuleEvaluation } from '../../diagnostics/alert-rule.js';
import { evaluate, neededBy } from '../../diagnostics/alerting/evaluate.js';
import { ceilMinute, MINUTE_MS } from '../../diagnostics/timeframe.js';
import type { Turn } from '../giving-way.js';
import { alertMinutes } from './alert-minutes.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** What every enabled rule of the Grid says now, of every service that it has something to say of. */
export async function evaluationsOf(data: DiagnosticsData, gridId: string, turn: Turn): Promise<readonly RuleEvaluation[]> {
  const nowMs = data.clock();
  const rules = (await data.alerts.alertRules(gridId)).filter(({ enabled }) => enabled);
  if (rules.length === 0) return [];
  const fromMs = Math.min(...rules.map((rule) => neededBy(rule, nowMs).fromMs));
  const minutes = await alertMinutes(data, gridId, rules, { fromMs, toMs: ceilMinute(nowMs) });
  const evaluations: RuleEvaluation[] = [];
  for (const rule of rules) {
    await turn.giveWay();
    const first = minutes.findIndex(({ minute }) => minute * MINUTE_MS >= neededBy(rule, nowMs).fromMs);
    for (const evaluation of evaluate(rule, first < 0 ? [] : minutes.slice(first), nowMs)) evaluations.push(evaluation);
  }
  return evaluations;
}
