import { headerValues } from '../requests/request-headers.js';
import { Problem } from '../problems/problem-details.js';

/**
 * Whether the request comes from a page of this service, by headers that browsers set and pages cannot change:
 * Sec-Fetch-Site or, without it (plain HTTP, old browsers), Origin.
 * @param resultWithoutHeaders the result if the request has neither header
 */
export function isSameOrigin(rawHeaders: readonly string[], publicUrl: string, resultWithoutHeaders: boolean): boolean {
  const sites = headerValues(rawHeaders, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(rawHeaders, 'origin');
  if (origins.length === 0) return resultWithoutHeaders;
  const { origin: own } = new URL(publicUrl);
  return origins.every((origin) => origin === own);
}

/**
 * Throws 403 for pages of other origins, including those that use DNS rebinding: browsers send Origin with every POST.
 * Clients that are not browsers send none and pass.
 */
export function requireSameOrigin(rawHeaders: readonly string[], publicUrl: string): void {
  const { origin: own } = new URL(publicUrl);
  if (headerValues(rawHeaders, 'origin').some((origin) => origin !== own))
    throw new Problem('forbidden', 'Cross-origin requests from browsers are not allowed.');
}
