/**
 * All values of a header as they arrived, from Node's flat list of names and values. Neither of Node's own maps will do:
 * `headers` drops or joins repeated ones, and `headersDistinct` has thrown on a header named `__proto__`.
 */
export function headerValues(rawHeaders: readonly string[], lowerCaseName: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === lowerCaseName) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
