import type { FieldError } from '../../errors.js';
import { conditionOf, type Condition } from '../entity-tag.js';
import { headerValues } from '../headers.js';
import type { Route } from '../route.js';

/** What a change is bound to, and what is wrong with how that is said. */
export interface ReadCondition {
  readonly condition?: Condition | undefined;
  readonly errors: readonly FieldError[];
}

/** If-Match of a route that changes what has a tag; one that cannot be read is a fault, since the change would be bound to nothing. */
export function readCondition(route: Pick<Route, 'method' | 'tagged'>, rawHeaders: readonly string[]): ReadCondition {
  const values = takesCondition(route) ? headerValues(rawHeaders, 'if-match') : [];
  if (values.length === 0) return { errors: [] };
  const condition = conditionOf(values);
  const errors = condition === undefined ? [{ field: 'If-Match', message: 'If-Match must be * or entity tags in quotes, separated by commas' }] : [];
  return { condition, errors };
}

/** Whether the route changes something that has a tag. */
export function takesCondition({ method, tagged }: Pick<Route, 'method' | 'tagged'>): boolean {
  return tagged === true && method !== 'GET' && method !== 'POST';
}
