import { type JsonSchema, listRequestFields, type RequestField } from '../requests/field-metadata.js';
import type { Route } from '../route.js';
import { EXAMPLE_GRID_ID, EXAMPLE_INSTANCE_ID } from '../schemas/assistant-schemas.js';
import { canHaveIfMatch } from '../requests/request-headers.js';
import { buildExample } from './openapi-components.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string | number | readonly string[];
  readonly style?: 'form';
  readonly explode?: false;
}

const uuidSchema = { type: 'string', format: 'uuid' };

/** Ids that may contain any characters; an unknown id gives 404, not 400. */
const opaqueIdSchema = { type: 'string', minLength: 1 };

const CHART_ID = '3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01';
const DASHBOARD_ID = '9e2b7a60-4c1f-4a77-8d55-0b1c2d3e4f50';

/** Description, schema and example by parameter name. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [string, JsonSchema, string]>> = {
  gridSecondaryId: ['Id of the Grid.', uuidSchema, EXAMPLE_GRID_ID],
  instanceSecondaryId: ['Id of an assistant session of the caller.', uuidSchema, EXAMPLE_INSTANCE_ID],
  spanId: [
    'Id of the span (case-insensitive). For log entries, the id of the entry is accepted as well.',
    opaqueIdSchema,
    'eee19b7ec3c1b174',
  ],
  traceId: ['Id of the trace (case-insensitive).', opaqueIdSchema, '5b8efff798038103d269b633813fc60c'],
  serviceName: ['Name of the service.', opaqueIdSchema, 'checkout'],
  channelId: ['Id of the notification channel.', opaqueIdSchema, '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'],
  routeId: ['Id of the notification route.', opaqueIdSchema, '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'],
  silenceId: ['Id of the silence.', opaqueIdSchema, '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'],
  groupId: ['Id of the group of exceptions (case-insensitive).', opaqueIdSchema, 'bcebdbf30788a659792c6a3491b73ded'],
  incidentId: ['Id of the incident.', opaqueIdSchema, '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'],
  alertId: ['Id of the alert.', opaqueIdSchema, 'b6f0c7d2-checkout-1773480360000'],
  ruleId: ['Id of the alert rule.', opaqueIdSchema, '0d8f3b52-7c4e-4f7a-9a41-6b5c4d3e2f10'],
  chartId: ['Id of the chart.', uuidSchema, CHART_ID],
  chartSecondaryId: ['Id of the chart.', uuidSchema, CHART_ID],
  dashboardId: ['Id of the dashboard.', uuidSchema, DASHBOARD_ID],
  dashboardSecondaryId: ['Id of the dashboard.', uuidSchema, DASHBOARD_ID],
  sloId: ['Id of the objective.', uuidSchema, '9b1f6c3a-4d52-4e8b-8f0a-7c6d5e4f3a21'],
  viewId: ['Id of the view.', uuidSchema, '5d2f8e61-7c3b-4a90-9e14-6b0d8f2a1c35'],
  userId: ['Id of the member, as in its access tokens.', opaqueIdSchema, 'owner'],
  keyId: ['Id of the API key.', opaqueIdSchema, 'k7f3a9c2'],
  slug: ['Last path segment of the `type` of a problem.', opaqueIdSchema, 'invalid-request'],
};

/** The documentation of a path parameter. Throws if `PATH_PARAMETERS` lacks it. */
export function findPathParameter(name: string): Parameter {
  const known = PATH_PARAMETERS[name];
  if (known === undefined) throw new TypeError(`The path parameter ${name} is missing in PATH_PARAMETERS`);
  const [description, schema, example] = known;
  return { name, in: 'path', required: true, description, schema, example };
}

const versionSchema = { type: 'string', enum: ['2.0'] };

/** Callers send one of the two, or both with the same value. The query parameter is marked as required for generated clients. */
const VERSION: readonly Parameter[] = [
  {
    name: 'api-version',
    in: 'query',
    required: true,
    description: 'API version. Can be omitted if the header X-Api-Version is sent.',
    schema: versionSchema,
    example: '2.0',
  },
  {
    name: 'X-Api-Version',
    in: 'header',
    required: false,
    description: 'API version, as an alternative to api-version in the query.',
    schema: versionSchema,
  },
];

const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  description:
    'Your own correlation id. It is returned in the response and written to the service log. A value that does not match the pattern is replaced.',
};

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Id of the last event received. State that has not changed since is not sent again.',
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'ETag of a cached image. The response is 304 if the image is still current.',
};

const IF_NONE_MATCH_OF_RECORD: Parameter = {
  ...IF_NONE_MATCH,
  description: 'ETag of a cached record. The response is 304 if the record is still current.',
};

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'One or more ETags of the record to change, or * for any version. The response is 412 if the record has changed since. Without this header the last change wins.',
};

/** @param template path of the route with the parameter names that the document uses */
export function buildParameters(route: Route, template: string): readonly Parameter[] {
  const { path, query, mediaType, method, tagged } = route;
  const names = listParameterNames(template);
  const pathParameters = listParameterNames(path).map((own, at) => ({
    ...findPathParameter(own),
    name: names[at] ?? own,
  }));
  return [
    ...pathParameters,
    ...(query === undefined ? [] : listRequestFields(query).map(buildQueryParameter)),
    ...VERSION,
    ...(mediaType === 'text/event-stream' ? [LAST_EVENT_ID] : []),
    ...(mediaType === 'image/png' ? [IF_NONE_MATCH] : []),
    ...(tagged === true && method === 'GET' ? [IF_NONE_MATCH_OF_RECORD] : []),
    ...(canHaveIfMatch(route) ? [IF_MATCH] : []),
    REQUEST_ID,
  ];
}

/** Arrays are sent as one comma-separated value. */
function buildQueryParameter({
  name,
  required,
  schema: { description, examples: _, ...schema },
  schema: whole,
}: RequestField): Parameter {
  if (typeof description !== 'string') throw new TypeError(`The parameter ${name} has no description`);
  return {
    name,
    in: 'query',
    required,
    description,
    schema,
    ...('examples' in whole && { example: buildExample(whole) as Parameter['example'] }),
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
  };
}

const PARAMETER_PATTERN = /\{\w+\}/g;

/**
 * The path of each route as used in the document. OpenAPI treats `/a/{x}` and `/a/{y}` as the same path and needs one name:
 * where the names of two routes differ, the parameter is called `id`, and the operations describe its meaning.
 */
export function resolvePathTemplates(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const byShape = new Map<string, Set<string>>();
  for (const { path } of routes) {
    const shape = path.replace(PARAMETER_PATTERN, '{}');
    byShape.set(shape, (byShape.get(shape) ?? new Set()).add(path));
  }
  return new Map(
    routes.map((route) => [
      route,
      mergePathTemplates([...(byShape.get(route.path.replace(PARAMETER_PATTERN, '{}')) ?? [])]),
    ]),
  );
}

function mergePathTemplates(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => path.split('/'));
  return Array.from(first, (segment, at) => (others.every((other) => other[at] === segment) ? segment : '{id}')).join(
    '/',
  );
}

/** Parameter names of a template, in order. */
function listParameterNames(template: string): readonly string[] {
  return Array.from(template.match(PARAMETER_PATTERN) ?? [], (parameter) => parameter.slice(1, -1));
}
