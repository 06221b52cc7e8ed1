import { TaggedAnswer } from '../tagged-answer.js';
import { Problem } from '../problems/problem.js';
import type { Route } from '../route.js';

/** 404 where the operation found nothing under the id in the path, else the answer as the spec shapes it. */
export function presentExisting(route: Route, result: unknown): object {
  if (result === undefined) throw new Problem('not-found', route.missing ?? 'Nothing is known under this id.');
  const content = route.present(result);
  return route.tagged === true && route.status !== 204 ? new TaggedAnswer(content) : content;
}
