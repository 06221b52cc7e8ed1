import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FieldError } from '../../errors.js';

/** RFC 9110 §8.8.3: an entity tag may contain any visible character except quotes, including commas. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A complete If-Match value: tags separated by commas, with empty list elements allowed. */
const ENTITY_TAGS = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/** Whether the current state, as the response body that a client would get, matches the If-Match header. */
export type IfMatchCondition = (content: object) => boolean;

/** A strong entity tag with quotes: a digest of the JSON of the content. */
export function computeEntityTag(content: object): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;
}

/**
 * Whether the values of If-None-Match contain the entity tag (RFC 9110 §13.1.2): lists of tags, or `*`. Weak tags match the
 * strong tag with the same value. Invalid tags match nothing.
 */
export function matchesEntityTag(ifNoneMatch: readonly string[], entityTag: string): boolean {
  const list = ifNoneMatch.join(', ').trim();
  return list === '*' || Array.from(list.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(entityTag);
}

/**
 * The condition of these values of If-Match (RFC 9110 §13.1.1): lists of tags, or `*`. Weak tags never match, since they do
 * not guarantee identical content. Undefined for invalid values.
 */
export function parseIfMatch(ifMatch: readonly string[]): IfMatchCondition | undefined {
  const list = ifMatch.join(', ').trim();
  if (list === '*') return () => true;
  if (!ENTITY_TAGS.test(list)) return undefined;
  const tags = Array.from(list.matchAll(ENTITY_TAG), ([tag]) => tag);
  return (content) => tags.includes(computeEntityTag(content));
}

/** The condition of the request, or the errors of its header. */
interface IfMatchResult {
  readonly condition?: IfMatchCondition | undefined;
  readonly errors: readonly FieldError[];
}

/** Reads If-Match for routes that support it. An invalid header is an error: ignoring it would make the change unconditional. */
export function readIfMatch(route: TaggedOperation, rawHeaders: readonly string[]): IfMatchResult {
  const values = canHaveIfMatch(route) ? headerValues(rawHeaders, 'if-match') : [];
  if (values.length === 0) return { errors: [] };
  const condition = parseIfMatch(values);
  const errors =
    condition === undefined
      ? [{ field: 'If-Match', message: 'If-Match must be * or entity tags in quotes, separated by commas' }]
      : [];
  return { condition, errors };
}

interface TaggedOperation {
  readonly method: string;
  readonly tagged?: true;
}

/** Whether the operation changes a record that has an ETag. */
export function canHaveIfMatch({ method, tagged }: TaggedOperation): boolean {
  return tagged === true && method !== 'GET' && method !== 'POST';
}

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

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
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
