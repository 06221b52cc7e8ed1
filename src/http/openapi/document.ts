import type { Route } from '../route.js';
import type { SignInPlace } from '../service-pages.js';
import { Components } from './components.js';
import { operationOf, type Operation } from './operation.js';
import { otlpPaths } from './otlp-paths.js';
import { securitySchemes } from './security.js';
import { servicePaths } from './service-paths.js';
import { tagsOf } from './tags.js';
import { templatesOf } from './templates.js';

/** The version of the API: the only one there is. */
export const API_VERSION = '2.0';

export interface DocumentSettings {
  readonly publicUrl: string;
  /** Base of OTLP over HTTP. Absent: this process takes none. */
  readonly otlpUrl?: string;
  /** Absent: API keys alone are accepted. */
  readonly signIn?: SignInPlace;
  /** Whether `/metrics` is served beside the API. */
  readonly hasMetrics: boolean;
  readonly routes: readonly Route[];
}

export type PathItem = Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>> & { servers?: readonly object[] }>;

/** The parts of an OpenAPI document that others read; all of it is plain data. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly summary: string; readonly description: string; readonly license: object };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const DESCRIPTION = [
  'Traces, logs, metrics, diagnostics, charts and an assistant over the telemetry of a **Grid**, and its administration.',
  'Every request names the version, by `api-version=2.0` in the query or the header `X-Api-Version: 2.0`, and carries an access token or an API key; pages of the service need neither.',
  'What is wrong is answered as `application/problem+json` (RFC 7807); its `type` is the address of an explanation.',
  'Moments are ISO 8601 with `Z` or an offset. Durations are in milliseconds, rates named errorRate in percent.',
  'Of a field that need not be there null means the same as its absence; fields that are not known are ignored.',
].join('\n\n');

/** OpenAPI 3.1 of all that the service answers, made from the table of its operations. */
export function openApiDocument(settings: DocumentSettings): OpenApiDocument {
  const making = openApiSteps(settings);
  let step = making.next();
  while (step.done !== true) step = making.next();
  return step.value;
}

/** The same in steps of one operation each: all of it at once takes more than a thread that serves others may be kept for. */
export function* openApiSteps(settings: DocumentSettings): Generator<void, OpenApiDocument> {
  const components = new Components(settings.publicUrl);
  const paths = yield* pathsOf(settings, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hindsight', version: API_VERSION, summary: 'Self-hosted observability for OpenTelemetry', description: DESCRIPTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.publicUrl.replace(/\/+$/, ''), description: 'This service' }],
    tags: tagsOf(paths),
    paths,
    components: { securitySchemes: securitySchemes(settings.signIn), ...components.collected() },
  };
}

function* pathsOf({ routes, signIn, hasMetrics, otlpUrl }: DocumentSettings, components: Components): Generator<void, Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {};
  for (const [route, template] of templatesOf(routes)) {
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(route, template, { routes, components, signIn }) };
    yield;
  }
  return { ...paths, ...servicePaths({ signIn, hasMetrics }, components), ...(otlpUrl !== undefined && otlpPaths(otlpUrl, components)) };
}
