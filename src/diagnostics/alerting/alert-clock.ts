import type { AlertRecord } from '../diagnostics-input.js';
import { MINUTE_MS } from '../time-windows.js';

type Times = Pick<AlertRecord, 'firedAt' | 'resolvedAt' | 'firedBy'>;

export type AtClock<Alert> = Alert & Pick<AlertRecord, 'firedBy'>;

/**
 * Alerts as known while the clock says `clockMs`. After a clock that was ahead was set back, the times of some are in its
 * future: one that is open has fired all the same, and one that was resolved has ended. Others are unchanged. A minute
 * before the clock, so that the answer to a question of this moment includes it.
 */
export function adjustToClock<Alert extends Times>(
  alerts: readonly Alert[],
  clockMs: number,
): readonly AtClock<Alert>[] {
  const latest = clockMs - MINUTE_MS;
  return alerts.map((alert) => {
    const { firedAt, resolvedAt } = alert;
    if (resolvedAt === undefined) return firedAt > clockMs ? { ...alert, firedBy: latest } : alert;
    return resolvedAt > clockMs && firedAt <= clockMs ? { ...alert, resolvedAt: Math.max(firedAt, latest) } : alert;
  });
}

/** Whether an alert had fired by this moment. */
export function hasFired({ firedAt, firedBy = firedAt }: Times, atMs: number): boolean {
  return firedBy <= atMs;
}
