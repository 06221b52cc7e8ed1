import { Problem } from '../problems/problem.js';
import { headerValues } from '../headers.js';

const CURRENT = '2.0';

/**
 * Every request names the version, in the query, in a header or in both; each time it is named it must be the current
 * one. So two that differ are refused as well, and so is one given twice in the same place.
 */
export function requireVersion(query: URLSearchParams, rawHeaders: readonly string[]): void {
  const inQuery = query.getAll('api-version');
  const inHeader = headerValues(rawHeaders, 'x-api-version');
  const named = [...inQuery, ...inHeader];
  if (named.length === 0) throw new Problem('api-version', `Name the version: query parameter api-version=${CURRENT} or header X-Api-Version: ${CURRENT}.`);
  if (inQuery.length > 1 || inHeader.length > 1) throw new Problem('api-version', 'The version is given more than once in the same place.');
  if (named.some((version) => version !== CURRENT)) throw new Problem('api-version', `The only version is ${CURRENT}.`);
}
