import { PROBLEM_TYPES, type ProblemSlug } from '../problems/catalogue.js';
import { EVERY_ROLE, type Route } from '../route.js';
import { ProblemSchema } from '../schemas/problem.js';
import { takesCondition } from '../steps/condition.js';
import type { Components, Reference } from './components.js';
import { HEADERS } from './headers.js';

interface ProblemResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, object>>;
}

/** What every operation may be refused with. */
const ALWAYS: readonly ProblemSlug[] = [
  'api-version', 'invalid-request', 'unauthenticated', 'forbidden', 'rate-limited', 'headers-too-large', 'internal-error', 'overloaded', 'unavailable',
];

/** All problems that the steps and the operation itself can answer. */
export function problemsOf(route: Route): readonly ProblemSlug[] {
  const { grid, roles, body, file, missing, whileInactive, refusals = [] } = route;
  return [
    ...ALWAYS,
    ...(grid === 'instance' ? (['session-not-found'] as const) : []),
    ...(grid !== 'none' && whileInactive !== true ? (['subscription-inactive'] as const) : []),
    ...(grid !== 'none' && roles.length < EVERY_ROLE.length ? (['role-required'] as const) : []),
    ...(body === undefined ? [] : (['malformed-json', 'too-large', 'unsupported-media-type', 'request-timeout'] as const)),
    ...(file === undefined ? [] : (['unsupported-media-type', 'request-timeout', file.tooLarge] as const)),
    ...(missing === undefined ? [] : (['not-found'] as const)),
    ...(takesCondition(route) ? (['precondition-failed'] as const) : []),
    ...refusals,
  ];
}

/** By status; each lists its problems, with an example. */
export function problemResponses(slugs: readonly ProblemSlug[], components: Components): Record<string, Reference> {
  const byStatus = new Map<number, ProblemSlug[]>();
  for (const slug of [...new Set(slugs)].sort()) {
    const { status } = PROBLEM_TYPES[slug];
    byStatus.set(status, [...(byStatus.get(status) ?? []), slug]);
  }
  return Object.fromEntries(Array.from(byStatus, ([status, ofStatus]) => [String(status), components.response(ofStatus.join('.'), problemResponse(status, ofStatus, components))]));
}

/** One answer that tells these problems, all of that status. */
export function problemResponse(status: number, slugs: readonly ProblemSlug[], components: Components): ProblemResponse {
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${PROBLEM_TYPES[slug].title}.`).join(' '),
    headers: { 'X-Request-Id': HEADERS['X-Request-Id'], ...headersOf(status, slugs) },
    content: {
      'application/problem+json': {
        schema: components.schema(ProblemSchema),
        examples: Object.fromEntries(slugs.map((slug) => [slug, components.problemExample(slug)])),
      },
    },
  };
}

/** A header that not every problem of the status has is not promised. */
function headersOf(status: number, slugs: readonly ProblemSlug[]): object {
  switch (status) {
    case 401: return { 'WWW-Authenticate': HEADERS['WWW-Authenticate'] };
    case 429: return { 'Retry-After': HEADERS['Retry-After'] };
    case 503: return { 'Retry-After': { ...HEADERS['Retry-After'], required: !slugs.includes('speech-unavailable') } };
    default: return {};
  }
}
