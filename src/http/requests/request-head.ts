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

/** The request target cut at its first question mark; both parts as sent, still percent-encoded. */
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
 * The target in origin form, always with a leading slash. RFC 9112 has servers accept `GET http://host/path`;
 * without this Express fails to parse such a target, and answers itself, in HTML.
 */
export function toOriginForm(target: string): string {
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
