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
import { canHaveIfMatch } from '../requests/request-headers.js';

const REQUEST_ID_RESPONSE_HEADER = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };

/** Successful responses of a route, by status. */
export function buildSuccessResponses(
  route: Route,
  routes: readonly Route[],
  components: OpenApiComponents,
): Record<string, object> {
  const { status = 200, mediaType, responseSchema } = route;
  switch (mediaType) {
    case 'image/png':
      return buildImageResponses();
    case 'audio/wav':
      return {
        200: {
          description: 'The audio: WAV, mono, 16 bit.',
          headers: REQUEST_ID_RESPONSE_HEADER,
          content: { [mediaType]: {} },
        },
      };
    case 'text/event-stream':
      return {
        200: {
          description: 'A stream of events that stays open until either side closes it.',
          headers: REQUEST_ID_RESPONSE_HEADER,
          content: { [mediaType]: buildEventStreamContent(routes, components) },
        },
      };
    case undefined:
      return responseSchema === undefined
        ? { [status]: { description: 'Success, no content.', headers: REQUEST_ID_RESPONSE_HEADER } }
        : buildRecordResponse(route, responseSchema, components);
  }
}

/** A JSON response; for tagged routes with an ETag and, for GET, the 304 of a conditional request. */
function buildRecordResponse(
  { status, method, tagged }: Route,
  responseSchema: object,
  components: OpenApiComponents,
): Record<string, object> {
  const success = status ?? 200;
  if (tagged !== true) return { [success]: buildJsonResponse(responseSchema, components) };
  const headers = { ...REQUEST_ID_RESPONSE_HEADER, ETag: RESPONSE_HEADERS['Record-ETag'] };
  const unchanged = { 304: { description: 'The cached record is still current.', headers } };
  return {
    [success]: { ...buildJsonResponse(responseSchema, components), headers },
    ...(method === 'GET' && unchanged),
  };
}

/** A JSON response with the description of its schema. */
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
      description: 'The image (PNG).',
      headers: { ...validators, 'Content-Disposition': RESPONSE_HEADERS['Content-Disposition'] },
      content: { 'image/png': {} },
    },
    304: { description: 'The cached image is still current.', headers: validators },
  };
}

const AGE_SCHEMA = {
  type: 'integer',
  minimum: 0,
  description:
    'Age of the response: at most this many milliseconds have passed since the change that it shows was committed.',
  examples: [180],
};

/** The response of a diagnostic as an event: with its age. */
function toEventSchema(response: object): object {
  const {
    $id,
    properties,
    required = [],
  } = response as {
    readonly $id: string;
    readonly properties: object;
    readonly required?: readonly string[];
  };
  return {
    ...response,
    $id: `Live${$id}`,
    properties: { ...properties, ageMs: AGE_SCHEMA },
    required: [...required, 'ageMs'],
  };
}

/** Event names are topics; event data is the response of the diagnostic with that name, with its age. `x-events` lists the schemas by topic. */
function buildEventStreamContent(routes: readonly Route[], components: OpenApiComponents): object {
  const schemas = new Map(
    STREAMED_TOPICS.flatMap((topic) => {
      const found = routes.find(({ path }) => path === `/apm/diagnostics/{gridSecondaryId}/${topic}`)?.responseSchema;
      return found === undefined ? [] : [[topic, toEventSchema(found)] as const];
    }),
  );
  const [[topic, schema] = []] = schemas;
  const id = buildEventId(new Map([['health', 'Zr3kP0aQ']]));
  return {
    schema: {
      type: 'string',
      description:
        'Server-sent events (WHATWG HTML, section 9.2): `event` is the topic, `data` the JSON response of the diagnostic with that name and its age (`ageMs`), `id` the value for Last-Event-ID. Lines that start with a colon keep the connection alive.',
    },
    example: `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(schema && buildExample(schema))}\n\n`,
    'x-events': Object.fromEntries(Array.from(schemas, ([name, each]) => [name, components.registerSchema(each)])),
  };
}

interface ProblemResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, object>>;
}

/** Problems that every operation can respond with. */
const COMMON_PROBLEMS: readonly ProblemSlug[] = [
  'api-version',
  'invalid-request',
  'unauthenticated',
  'forbidden',
  'key-kind',
  'rate-limited',
  'headers-too-large',
  'internal-error',
  'overloaded',
  'unavailable',
];

/** All problems that the request steps and the operation itself can respond with. */
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

/** Problem responses by status; each lists its problem types with examples. */
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
    Array.from(byStatus, ([status, slugsOfStatus]) => [
      String(status),
      components.registerResponse(slugsOfStatus.join('.'), buildProblemResponse(status, slugsOfStatus, components)),
    ]),
  );
}

/** One response for several problem types of the same status. */
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

/** Headers of all problems of a status. A header that not all of them carry is not marked as required. */
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
