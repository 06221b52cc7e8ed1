import type { AlertMinute, Utilization } from '../../diagnostics/alerting/alert-minute.js';
import { utilizationsOf } from '../../diagnostics/pressure.js';
import type { DiagnosticsInput } from '../../diagnostics/input.js';
import type { AlertRule } from '../../diagnostics/alert-rule.js';
import type { Timeframe } from '../../diagnostics/timeframe.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** What the rules look at, minute by minute. The window must be short enough to be read by the minute, see RollupReader. */
export async function alertMinutes(data: DiagnosticsData, gridId: string, rules: readonly AlertRule[], window: Timeframe): Promise<AlertMinute[]> {
  const parts = rules.some(({ metric }) => metric === 'pressure') ? (['grids', 'metrics'] as const) : (['grids'] as const);
  return minutesOf(await data.input(gridId, [{ parts, windows: [window] }]));
}

function minutesOf({ grids, metrics }: Pick<DiagnosticsInput, 'grids' | 'metrics'>): AlertMinute[] {
  const byMinute = new Map<number, { services: AlertMinute['services']; utilizations: Utilization[] }>();
  for (const { minute, value } of grids) byMinute.set(minute, { services: value.services, utilizations: [] });
  for (const { minute, value } of metrics) {
    const known = byMinute.get(minute) ?? { services: [], utilizations: [] };
    known.utilizations.push(...utilizationsOf(value));
    byMinute.set(minute, known);
  }
  return [...byMinute].map(([minute, of]) => ({ minute, ...of })).sort((a, b) => a.minute - b.minute);
}
