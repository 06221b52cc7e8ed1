import { headerValues } from '../headers.js';
import { Problem } from '../problems/problem.js';

/**
 * 403 for pages of other origins. Browsers name the origin of every POST: so a page that has bound its own name to the
 * address of this service (DNS rebinding) is told apart from clients that are no browsers and name none.
 */
export function requireOwnOrigin(rawHeaders: readonly string[], publicUrl: string): void {
  const { origin: own } = new URL(publicUrl);
  if (headerValues(rawHeaders, 'origin').some((origin) => origin !== own)) throw new Problem('forbidden', 'Pages of other origins cannot call this service.');
}
