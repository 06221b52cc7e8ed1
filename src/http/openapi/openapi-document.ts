import type { Route } from '../route.js';
import type { TokenIssuer } from '../api/service-pages.js';
import { OpenApiComponents } from './openapi-components.js';
import { buildOperation, buildSecuritySchemes, type Operation } from './openapi-operation.js';
import { buildOtlpPaths } from './otlp-paths.js';
import { buildServicePaths } from './service-paths.js';
import { resolvePathTemplates } from './openapi-parameters.js';

/** The version of the API: the only one there is. */
export const API_VERSION = '2.0';

export interface OpenApiSettings {
  readonly publicUrl: string;
  /** Base of OTLP over HTTP. Absent: this process takes none. */
  readonly otlpUrl?: string;
  /** Absent: API keys alone are accepted. */
  readonly signIn?: TokenIssuer;
  /** Whether `/metrics` is served beside the API. */
  readonly hasMetrics: boolean;
  readonly routes: readonly Route[];
}

export type PathItem = Readonly<
  Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>> & { servers?: readonly object[] }
>;

/** The parts of an OpenAPI document that others read; all of it is plain data. */
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
  'Every request names the version, by `api-version=2.0` in the query or the header `X-Api-Version: 2.0`, and carries an access token or an API key; pages of the service need neither.',
  'What is wrong is answered as `application/problem+json` (RFC 7807); its `type` is the address of an explanation.',
  'Moments are ISO 8601 with `Z` or an offset. Durations are in milliseconds, rates named errorRate in percent.',
  'Of a field that need not be there null means the same as its absence; fields that are not known are ignored.',
].join('\n\n');

/** OpenAPI 3.1 of all that the service answers, made from the table of its operations. */
export function buildOpenApiDocument(settings: OpenApiSettings): OpenApiDocument {
  const making = buildOpenApiInSteps(settings);
  let step = making.next();
  while (step.done !== true) step = making.next();
  return step.value;
}

/** The same in steps of one operation each: all of it at once takes more than a thread that serves others may be kept for. */
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

/** In the order in which they are shown. */
const TAGS: Readonly<Record<string, string>> = {
  Traces: 'Search traces, read spans with their attributes, events, logs and errors.',
  Logs: 'Search log entries and read them.',
  Diagnostics:
    'What is wrong, since when and why, computed from the telemetry as it arrives. Without parameters the window is the last 15 minutes; `asOf` or a range moves it anywhere within retention.',
  Charts: 'What charts show, as pictures and as data points.',
  Dashboards: 'What dashboards show.',
  Metrics: 'OpenTelemetry metrics that charts can be made of.',
  Assistant: 'Questions in words, speech, and what their use costs.',
  Administration: 'Grids and their settings, members, API keys, and who changed what.',
  'Alert rules': 'Threshold rules, from which alerts come.',
  'Chart definitions': 'Charts that can be changed.',
  'Dashboard definitions': 'Dashboards that can be changed.',
  Agents: 'The queries as tools of the Model Context Protocol.',
  Telemetry:
    'Where applications send OpenTelemetry data (OTLP 1.x). The same port takes gRPC; answers here are never problem documents but google.rpc.Status.',
  Service: 'Pages about the service itself: without version and credentials.',
};

/** Those that are used, in the order above; a new one needs a row there. */
function listUsedTags(
  paths: Readonly<Record<string, PathItem>>,
): readonly { readonly name: string; readonly description: string }[] {
  const used = new Set(
    Object.values(paths)
      .flatMap(listOperations)
      .flatMap(({ tags }) => tags),
  );
  for (const tag of used) if (!Object.hasOwn(TAGS, tag)) throw new TypeError(`The tag ${tag} needs a row in tags.ts`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

/** In the order of the path item. */
export function listOperations({ servers: _, ...operations }: PathItem): NonNullable<PathItem['get']>[] {
  return Object.values(operations);
}
