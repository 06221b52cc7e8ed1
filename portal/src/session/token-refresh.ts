/** Asked for anew so long (ms) before a token ends; one that lives shortly, in the middle of what is left. */
const REFRESH_MARGIN_MS = 60_000;

/**
 * When a token is asked for anew, in ms since 1970 by the clock of this machine, which may be another than the service's.
 * @param date header of the answer that brought it: the time by the service's clock
 */
export function computeRefreshTime(expiresAt: string, date: string | null, nowMs: number): number {
  const told = Date.parse(date ?? '');
  const leftMs = Date.parse(expiresAt) - (Number.isNaN(told) ? nowMs : told);
  return nowMs + leftMs - Math.min(REFRESH_MARGIN_MS, leftMs / 2);
}
