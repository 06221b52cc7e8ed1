import { createHash } from 'node:crypto';
import type { FieldError } from '../../errors.js';
import { headerValues } from './request-head.js';
import type { Route } from '../route.js';

/** RFC 9110 §8.8.3: any visible character but the quote may be in one, commas too. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** `If-Match` as a whole: tags between commas, of which some may stand for nothing. */
const ENTITY_TAGS = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/** Whether what is there is what a client expects, by the content that it would be shown. */
export type IfMatchCondition = (content: object) => boolean;

/** A strong one, quotes included, over all that JSON tells of the content. */
export function computeEntityTag(content: object): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;
}

/**
 * RFC 9110 §13.1.2: whether a client has what the tag stands for, by the values of its `If-None-Match`: lists of tags, or
 * `*` for anything there is. Weak tags are compared as strong ones are. What is no tag names nothing.
 */
export function matchesEntityTag(ifNoneMatch: readonly string[], entityTag: string): boolean {
  const list = ifNoneMatch.join(', ').trim();
  return list === '*' || Array.from(list.matchAll(ENTITY_TAG), ([, tag]) => tag).includes(entityTag);
}

/**
 * RFC 9110 §13.1.1: what these values of `If-Match` ask for: one of the tags that they list, or `*` for anything there is. A weak tag
 * is no promise of the same content, and so is met by none. Undefined where they are neither.
 */
export function parseIfMatch(ifMatch: readonly string[]): IfMatchCondition | undefined {
  const list = ifMatch.join(', ').trim();
  if (list === '*') return () => true;
  if (!ENTITY_TAGS.test(list)) return undefined;
  const tags = Array.from(list.matchAll(ENTITY_TAG), ([tag]) => tag);
  return (content) => tags.includes(computeEntityTag(content));
}

/** What a change is bound to, and what is wrong with how that is said. */
interface IfMatchResult {
  readonly condition?: IfMatchCondition | undefined;
  readonly errors: readonly FieldError[];
}

/** If-Match of a route that changes what has a tag; one that cannot be read is a fault, since the change would be bound to nothing. */
export function readIfMatch(route: Pick<Route, 'method' | 'tagged'>, rawHeaders: readonly string[]): IfMatchResult {
  const values = canHaveIfMatch(route) ? headerValues(rawHeaders, 'if-match') : [];
  if (values.length === 0) return { errors: [] };
  const condition = parseIfMatch(values);
  const errors =
    condition === undefined
      ? [{ field: 'If-Match', message: 'If-Match must be * or entity tags in quotes, separated by commas' }]
      : [];
  return { condition, errors };
}

/** Whether the route changes something that has a tag. */
export function canHaveIfMatch({ method, tagged }: Pick<Route, 'method' | 'tagged'>): boolean {
  return tagged === true && method !== 'GET' && method !== 'POST';
}
