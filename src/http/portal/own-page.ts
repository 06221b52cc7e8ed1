import { headerValues } from '../headers.js';

/**
 * Whether a page of our own asks, by what browsers say and pages cannot change. Where one says nothing of the site (no https, an
 * old one), the origin tells; whether nothing at all is good enough is for `silent` to say.
 */
export function isFromOwnPage(rawHeaders: readonly string[], publicUrl: string, silent: boolean): boolean {
  const sites = headerValues(rawHeaders, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(rawHeaders, 'origin');
  if (origins.length === 0) return silent;
  const { origin: own } = new URL(publicUrl);
  return origins.every((origin) => origin === own);
}
