/** A token is refreshed this long (ms) before it expires; a shorter-lived one after half of its remaining time. */
const REFRESH_MARGIN_MS = 60_000;

/**
 * When to refresh a token, in ms since 1970 by this machine's clock, which may differ from the service's.
 * @param date `Date` header of the response with the token: the time by the service's clock
 */
export function computeRefreshTime(expiresAt: string, date: string | null, nowMs: number): number {
  const serverTimeMs = Date.parse(date ?? '');
  const leftMs = Date.parse(expiresAt) - (Number.isNaN(serverTimeMs) ? nowMs : serverTimeMs);
  return nowMs + leftMs - Math.min(REFRESH_MARGIN_MS, leftMs / 2);
}
