/**
 * All values of a header as received, from Node's flat list of names and values. Node's maps are not suitable: `headers`
 * drops or joins repeated headers, and `headersDistinct` throws for a header named `__proto__`.
 */
export function headerValues(rawHeaders: readonly string[], lowerCaseName: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === lowerCaseName) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** The request target, split at the first question mark; both parts are still percent-encoded. */
interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

export function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;

/**
 * The target in origin form, always with a leading slash. RFC 9112 requires servers to accept `GET http://host/path`, which
 * Express cannot parse: it would respond itself, in HTML.
 */
export function toOriginForm(target: string): string {
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
