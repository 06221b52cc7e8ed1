import { headerValues } from '../requests/request-head.js';
import { Problem } from '../problems/problem-details.js';

/**
 * Whether a page of our own asks, by what browsers say and pages cannot change. Where one says nothing of the site (no https, an
 * old one), the origin tells; whether nothing at all is good enough is for `silent` to say.
 */
export function isSameOrigin(rawHeaders: readonly string[], publicUrl: string, silent: boolean): boolean {
  const sites = headerValues(rawHeaders, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(rawHeaders, 'origin');
  if (origins.length === 0) return silent;
  const { origin: own } = new URL(publicUrl);
  return origins.every((origin) => origin === own);
}

/**
 * 403 for pages of other origins. Browsers name the origin of every POST: so a page that has bound its own name to the
 * address of this service (DNS rebinding) is told apart from clients that are no browsers and name none.
 */
export function requireSameOrigin(rawHeaders: readonly string[], publicUrl: string): void {
  const { origin: own } = new URL(publicUrl);
  if (headerValues(rawHeaders, 'origin').some((origin) => origin !== own))
    throw new Problem('forbidden', 'Pages of other origins cannot call this service.');
}
