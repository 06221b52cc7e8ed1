import { type JsonSchema, listRequestFields, type RequestField } from '../requests/field-metadata.js';
import type { Route } from '../route.js';
import { GRID_ID, INSTANCE_ID } from '../schemas/assistant-schemas.js';
import { canHaveIfMatch } from '../requests/conditional-request.js';
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

/** Of any characters: what is known under none of them is 404. */
const opaqueIdSchema = { type: 'string', minLength: 1 };

const CHART_ID = '3c1de8a4-9f52-4d0b-8b0e-5a6f7e8d9c01';
const DASHBOARD_ID = '9e2b7a60-4c1f-4a77-8d55-0b1c2d3e4f50';

/** By name: description, schema, example. */
const PATH_PARAMETERS: Readonly<Record<string, readonly [string, JsonSchema, string]>> = {
  gridSecondaryId: ['Id of the Grid.', uuidSchema, GRID_ID],
  instanceSecondaryId: ['Id of an assistant instance of the caller.', uuidSchema, INSTANCE_ID],
  spanId: ['Id of the span, in any case; of a log entry, its own id will do.', opaqueIdSchema, 'eee19b7ec3c1b174'],
  traceId: ['Id of the trace, in any case.', opaqueIdSchema, '5b8efff798038103d269b633813fc60c'],
  serviceName: ['Name of the service.', opaqueIdSchema, 'checkout'],
  ruleId: ['Id of the alert rule.', opaqueIdSchema, '0d8f3b52-7c4e-4f7a-9a41-6b5c4d3e2f10'],
  chartId: ['Id of the chart.', uuidSchema, CHART_ID],
  chartSecondaryId: ['Id of the chart.', uuidSchema, CHART_ID],
  dashboardId: ['Id of the dashboard.', uuidSchema, DASHBOARD_ID],
  dashboardSecondaryId: ['Id of the dashboard.', uuidSchema, DASHBOARD_ID],
  userId: ['Id of the member: what its access tokens call it.', opaqueIdSchema, 'owner'],
  keyId: ['Id of the API key.', opaqueIdSchema, 'k7f3a9c2'],
  slug: ['Last segment of the `type` of a problem.', opaqueIdSchema, 'invalid-request'],
};

export function findPathParameter(name: string): Parameter {
  const known = PATH_PARAMETERS[name];
  if (known === undefined) throw new TypeError(`The path parameter ${name} needs a row in parameters.ts`);
  const [description, schema, example] = known;
  return { name, in: 'path', required: true, description, schema, example };
}

const versionSchema = { type: 'string', enum: ['2.0'] };

/** Either will do; where both are given they agree. A client that always sends the first is always right. */
const VERSION: readonly Parameter[] = [
  {
    name: 'api-version',
    in: 'query',
    required: true,
    description: 'Version of the API. May be left out where the header X-Api-Version names it.',
    schema: versionSchema,
    example: '2.0',
  },
  {
    name: 'X-Api-Version',
    in: 'header',
    required: false,
    description: 'Version of the API, instead of api-version in the query.',
    schema: versionSchema,
  },
];

const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  description:
    'Correlation id of your own, which comes back in the answer and stands in the log of the service. Any other text is replaced.',
};

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Id of the last event that was received: what has not changed since is not sent again.',
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'ETag of a picture that is there already: answered by 304 where it is still right.',
};

const IF_NONE_MATCH_OF_RECORD: Parameter = {
  ...IF_NONE_MATCH,
  description: 'ETag of a record that is there already: answered by 304 where it is still right.',
};

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'ETag of the record that the change is meant for, several of them, or * for whatever is there: 412 where somebody has changed it since. Without it the last change wins.',
};

export function buildParameters(route: Route, template: string): readonly Parameter[] {
  const { path, query, mediaType, method, tagged } = route;
  const names = listParameterNames(template);
  const ofPath = listParameterNames(path).map((own, at) => ({ ...findPathParameter(own), name: names[at] ?? own }));
  return [
    ...ofPath,
    ...(query === undefined ? [] : listRequestFields(query).map(buildQueryParameter)),
    ...VERSION,
    ...(mediaType === 'text/event-stream' ? [LAST_EVENT_ID] : []),
    ...(mediaType === 'image/png' ? [IF_NONE_MATCH] : []),
    ...(tagged === true && method === 'GET' ? [IF_NONE_MATCH_OF_RECORD] : []),
    ...(canHaveIfMatch(route) ? [IF_MATCH] : []),
    REQUEST_ID,
  ];
}

/** Lists are one text, separated by commas. */
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
 * The path of each route as the document has it. OpenAPI takes `/a/{x}` and `/a/{y}` for the same path and wants one name:
 * where the names of two routes differ, it is `id`, and the operations say of what.
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

/** Names of the parameters of a template, in order. */
function listParameterNames(template: string): readonly string[] {
  return Array.from(template.match(PARAMETER_PATTERN) ?? [], (parameter) => parameter.slice(1, -1));
}
