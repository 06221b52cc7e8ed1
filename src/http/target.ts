/** The request target cut at its first question mark; both parts as sent, still percent-encoded. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

export function splitTarget(target: string): Target {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;

/**
 * The target in origin form, always with a leading slash. RFC 9112 has servers accept `GET http://host/path`;
 * without this Express fails to parse such a target, and answers itself, in HTML.
 */
export function originForm(target: string): string {
  const rest = target.replace(ABSOLUTE_FORM, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
