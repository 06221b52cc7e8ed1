import { buildEventId } from '../live/sse-frames.js';
import { STREAMED_TOPICS } from '../api/diagnostics-presenters.js';
import { EVERY_ROLE, type Route } from '../route.js';
import {
  buildExample,
  type OpenApiComponents,
  ProblemSchema,
  type Reference,
  RESPONSE_HEADERS,
} from './openapi-components.js';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/problem-catalogue.js';
import { canHaveIfMatch } from '../requests/conditional-request.js';

const REQUEST_ID_RESPONSE_HEADER = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };

/** What a success looks like, by status. */
export function buildSuccessResponses(
  route: Route,
  routes: readonly Route[],
  components: OpenApiComponents,
): Record<string, object> {
  const { status = 200, mediaType, answer } = route;
  switch (mediaType) {
    case 'image/png':
      return buildImageResponses();
    case 'audio/wav':
      return {
        200: {
          description: 'The sound: WAV, mono, 16 bit.',
          headers: REQUEST_ID_RESPONSE_HEADER,
          content: { [mediaType]: {} },
        },
      };
    case 'text/event-stream':
      return {
        200: {
          description: 'The events, until either side ends it.',
          headers: REQUEST_ID_RESPONSE_HEADER,
          content: { [mediaType]: buildEventStreamContent(routes, components) },
        },
      };
    case undefined:
      return answer === undefined
        ? { [status]: { description: 'Done.', headers: REQUEST_ID_RESPONSE_HEADER } }
        : buildRecordResponse(route, answer, components);
  }
}

/** With its tag, where it has one; then it is not sent to who has it. */
function buildRecordResponse(
  { status, method, tagged }: Route,
  answer: object,
  components: OpenApiComponents,
): Record<string, object> {
  const success = status ?? 200;
  if (tagged !== true) return { [success]: buildJsonResponse(answer, components) };
  const headers = { ...REQUEST_ID_RESPONSE_HEADER, ETag: RESPONSE_HEADERS['Record-ETag'] };
  const unchanged = { 304: { description: 'The record that the client has is still right.', headers } };
  return { [success]: { ...buildJsonResponse(answer, components), headers }, ...(method === 'GET' && unchanged) };
}

/** Described as its schema is. */
export function buildJsonResponse(schema: object, components: OpenApiComponents): object {
  const described = 'description' in schema ? { description: schema.description } : {};
  return {
    description: 'Success.',
    ...described,
    headers: REQUEST_ID_RESPONSE_HEADER,
    content: { 'application/json': { schema: components.registerSchema(schema), example: buildExample(schema) } },
  };
}

function buildImageResponses(): Record<string, object> {
  const validators = {
    ...REQUEST_ID_RESPONSE_HEADER,
    ETag: RESPONSE_HEADERS.ETag,
    'Cache-Control': RESPONSE_HEADERS['Cache-Control'],
    Vary: RESPONSE_HEADERS.Vary,
  };
  return {
    200: {
      description: 'The picture.',
      headers: { ...validators, 'Content-Disposition': RESPONSE_HEADERS['Content-Disposition'] },
      content: { 'image/png': {} },
    },
    304: { description: 'The picture that the client has is still right.', headers: validators },
  };
}

/** Of an event the name is a topic, and the data what the diagnostic of that name answers. `x-events` has their schemas. */
function buildEventStreamContent(routes: readonly Route[], components: OpenApiComponents): object {
  const schemas = new Map(
    STREAMED_TOPICS.flatMap((topic) => {
      const answer = routes.find(({ path }) => path === `/apm/diagnostics/{gridSecondaryId}/${topic}`)?.answer;
      return answer === undefined ? [] : [[topic, answer] as const];
    }),
  );
  const [[topic, schema] = []] = schemas;
  const id = buildEventId(new Map([['health', 'Zr3kP0aQ']]));
  return {
    schema: {
      type: 'string',
      description:
        'Server-sent events (WHATWG HTML, section 9.2): `event` is a topic, `data` the JSON that the diagnostic of that name answers, `id` what Last-Event-ID takes. Lines that begin with a colon keep the connection alive.',
    },
    example: `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(schema && buildExample(schema))}\n\n`,
    'x-events': Object.fromEntries(Array.from(schemas, ([name, answer]) => [name, components.registerSchema(answer)])),
  };
}

interface ProblemResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, object>>;
}

/** What every operation may be refused with. */
const COMMON_PROBLEMS: readonly ProblemSlug[] = [
  'api-version',
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'headers-too-large',
  'internal-error',
  'overloaded',
  'unavailable',
];

/** All problems that the steps and the operation itself can answer. */
export function listProblems(route: Route): readonly ProblemSlug[] {
  const { grid, roles, body, file, missing, whileInactive, refusals = [] } = route;
  return [
    ...COMMON_PROBLEMS,
    ...(grid === 'instance' ? (['session-not-found'] as const) : []),
    ...(grid !== 'none' && whileInactive !== true ? (['subscription-inactive'] as const) : []),
    ...(grid !== 'none' && roles.length < EVERY_ROLE.length ? (['role-required'] as const) : []),
    ...(body === undefined
      ? []
      : (['malformed-json', 'too-large', 'unsupported-media-type', 'request-timeout'] as const)),
    ...(file === undefined ? [] : (['unsupported-media-type', 'request-timeout', file.tooLarge] as const)),
    ...(missing === undefined ? [] : (['not-found'] as const)),
    ...(canHaveIfMatch(route) ? (['precondition-failed'] as const) : []),
    ...refusals,
  ];
}

/** By status; each lists its problems, with an example. */
export function buildProblemResponses(
  slugs: readonly ProblemSlug[],
  components: OpenApiComponents,
): Record<string, Reference> {
  const byStatus = new Map<number, ProblemSlug[]>();
  for (const slug of [...new Set(slugs)].sort()) {
    const { status } = PROBLEM_TYPES[slug];
    byStatus.set(status, [...(byStatus.get(status) ?? []), slug]);
  }
  return Object.fromEntries(
    Array.from(byStatus, ([status, ofStatus]) => [
      String(status),
      components.registerResponse(ofStatus.join('.'), buildProblemResponse(status, ofStatus, components)),
    ]),
  );
}

/** One answer that tells these problems, all of that status. */
export function buildProblemResponse(
  status: number,
  slugs: readonly ProblemSlug[],
  components: OpenApiComponents,
): ProblemResponse {
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${PROBLEM_TYPES[slug].title}.`).join(' '),
    headers: { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'], ...problemHeaders(status, slugs) },
    content: {
      'application/problem+json': {
        schema: components.registerSchema(ProblemSchema),
        examples: Object.fromEntries(slugs.map((slug) => [slug, components.registerProblemExample(slug)])),
      },
    },
  };
}

/** A header that not every problem of the status has is not promised. */
function problemHeaders(status: number, slugs: readonly ProblemSlug[]): object {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': RESPONSE_HEADERS['WWW-Authenticate'] };
    case 429:
      return { 'Retry-After': RESPONSE_HEADERS['Retry-After'] };
    case 503:
      return { 'Retry-After': { ...RESPONSE_HEADERS['Retry-After'], required: !slugs.includes('speech-unavailable') } };
    default:
      return {};
  }
}
