import type { AlertRule, Backtest } from '../../diagnostics/alert-rule.js';
import { BacktestRun } from '../../diagnostics/alerting/backtest.js';
import { MINUTE_MS, type Timeframe } from '../../diagnostics/timeframe.js';
import type { Turn } from '../giving-way.js';
import { alertMinutes } from './alert-minutes.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** Read at once: few enough to be read by the minute. */
const PIECE_MS = 60 * MINUTE_MS;

/** When the rule would have fired in a time gone by, and which alerts of that time it would have missed. */
export async function backtestOf(data: DiagnosticsData, gridId: string, rule: AlertRule, range: Timeframe, turn: Turn): Promise<Backtest> {
  const run = new BacktestRun(rule, range, data.clock());
  const { fromMs, toMs } = run.needs;
  for (let at = fromMs; at < toMs; at += PIECE_MS) {
    for (const minute of await alertMinutes(data, gridId, [rule], { fromMs: at, toMs: Math.min(at + PIECE_MS, toMs) })) {
      run.add(minute);
      await turn.giveWay();
    }
  }
  return run.finish(await data.alerts.alertsDuring(gridId, range));
}
