import { Problem } from './problem.js';
import { isProblemSlug, PROBLEM_TYPES } from './catalogue.js';

/** The page behind the `type` of a problem, as plain text. Throws `not-found` for a slug that no problem has. */
export function problemPage(slug: string): string {
  if (!isProblemSlug(slug)) throw new Problem('not-found', 'There is no problem type of this name.');
  const { status, title, explanation } = PROBLEM_TYPES[slug];
  return `${title} (${status})\n\n${explanation}\n`;
}
