import type { Route } from '../route.js';
import type { TokenIssuer } from '../api/operational-pages.js';
import { OpenApiComponents } from './openapi-components.js';
import { buildOperation, buildSecuritySchemes, listOperations, type PathItem } from './openapi-operation.js';
import { buildOtlpPaths } from './otlp-paths.js';
import { buildServicePaths } from './service-paths.js';
import { resolvePathTemplates } from './openapi-parameters.js';

/** The only supported API version. */
export const API_VERSION = '2.0';

export interface OpenApiSettings {
  readonly publicUrl: string;
  /** Base URL of OTLP over HTTP. Absent if this process does not receive telemetry. */
  readonly otlpUrl?: string;
  /** Absent if only API keys are accepted. */
  readonly signIn?: TokenIssuer;
  /** Whether `/metrics` is served on the port of the API. */
  readonly hasMetrics: boolean;
  readonly routes: readonly Route[];
}

/** An OpenAPI document as plain data, typed as far as other modules read it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const API_DESCRIPTION = [
  'Traces, logs, metrics, diagnostics, charts and an assistant over the telemetry of a **Grid**, and its administration.',
  'Every request must specify the API version, with `api-version=2.0` in the query or the header `X-Api-Version: 2.0`, and carry an access token or an API key. Service pages need neither.',
  'Errors are returned as `application/problem+json` (RFC 7807); their `type` is the URL of an explanation.',
  'Timestamps are ISO 8601 with `Z` or an offset. Durations are in milliseconds; fields named errorRate are percentages.',
  'For optional fields, null means the same as omitting the field. Unknown fields are ignored.',
].join('\n\n');

/** The OpenAPI 3.1 document of the whole service, generated from the route table. */
export function buildOpenApiDocument(settings: OpenApiSettings): OpenApiDocument {
  const steps = buildOpenApiInSteps(settings);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * The same document, built in steps of one operation each: building it at once would block the event loop for too long.
 * Callers may serve other requests between the steps.
 */
export function* buildOpenApiInSteps(settings: OpenApiSettings): Generator<void, OpenApiDocument> {
  const components = new OpenApiComponents(settings.publicUrl);
  const paths = yield* buildPaths(settings, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hindsight',
      version: API_VERSION,
      summary: 'Self-hosted observability for OpenTelemetry',
      description: API_DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.publicUrl.replace(/\/+$/, ''), description: 'This service' }],
    tags: listUsedTags(paths),
    paths,
    components: { securitySchemes: buildSecuritySchemes(settings.signIn), ...components.collect() },
  };
}

function* buildPaths(
  { routes, signIn, hasMetrics, otlpUrl }: OpenApiSettings,
  components: OpenApiComponents,
): Generator<void, Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {};
  for (const [route, template] of resolvePathTemplates(routes)) {
    paths[template] = {
      ...paths[template],
      [route.method.toLowerCase()]: buildOperation(route, template, { routes, components, signIn }),
    };
    yield;
  }
  return {
    ...paths,
    ...buildServicePaths({ signIn, hasMetrics }, components),
    ...(otlpUrl !== undefined && buildOtlpPaths(otlpUrl, components)),
  };
}

/** Descriptions by tag, in the order in which the document lists them. */
const TAGS: Readonly<Record<string, string>> = {
  Traces: 'Search traces and read spans with their attributes, events, logs and errors.',
  Logs: 'Search and read log entries.',
  Queries: 'Ask any question about spans, logs and metrics.',
  Errors: 'Exceptions in groups: how many, since when, since which version.',
  Diagnostics:
    'Current problems, when they started and their probable causes, computed from the telemetry as it arrives. By default the window is the last 15 minutes; use `asOf` or a range to select any other time within retention.',
  Charts: 'Charts, as images and as data points.',
  Dashboards: 'Dashboards and their charts.',
  Metrics: 'OpenTelemetry metrics that charts can show.',
  Assistant: 'Questions in natural language, speech, and usage.',
  Administration: 'Grids with their settings, members, API keys and audit log.',
  'Alert rules': 'Threshold rules that raise alerts.',
  Incidents: 'Alerts and diagnoses of one cause as one thing, from the first symptom to its end.',
  Notifications: 'Who is notified of alerts: channels, routes, silences, acknowledgements.',
  'Chart definitions': 'Definitions of charts that can be edited.',
  'Dashboard definitions': 'Definitions of dashboards that can be edited.',
  Objectives: 'Service level objectives: error budgets, burn rates, backtests.',
  'Saved views': 'Queries that were saved under a name.',
  Agents: 'The queries as Model Context Protocol (MCP) tools.',
  Telemetry:
    'Endpoints that receive OpenTelemetry data (OTLP 1.x). The same port accepts gRPC. Errors are returned as google.rpc.Status, not as problem documents.',
  Service: 'Pages about the service itself. They need neither a version nor credentials.',
};

/** The tags in use, in the order of `TAGS`. Throws for a tag without a description. */
function listUsedTags(
  paths: Readonly<Record<string, PathItem>>,
): readonly { readonly name: string; readonly description: string }[] {
  const used = new Set(
    Object.values(paths)
      .flatMap(listOperations)
      .flatMap(({ tags }) => tags),
  );
  for (const tag of used) if (!Object.hasOwn(TAGS, tag)) throw new TypeError(`The tag ${tag} is missing in TAGS`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
