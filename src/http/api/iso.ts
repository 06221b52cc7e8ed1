/** A moment, ms since 1970, as answers print it: ISO 8601 in UTC with milliseconds. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
