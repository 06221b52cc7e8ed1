import type { Route } from './route.js';

/** A route that was found, and the texts of its parameters, still percent-encoded. */
export interface Found {
  readonly kind: 'found';
  readonly route: Route;
  readonly rawParams: ReadonlyMap<string, string>;
}

export type Match = Found | { readonly kind: 'unknown-path' } | { readonly kind: 'other-methods'; readonly allow: readonly string[] };

/**
 * Finds routes by method and path. Literal segments are compared byte by byte before any decoding and win over
 * parameters; a parameter takes one non-empty segment. So there is exactly one way to write each literal path.
 */
export class Router {
  /** Templates by number of segments, the more literal first. */
  private readonly templates = new Map<number, Template[]>();

  /** Throws when two routes share method and path, or an operation id: a table like that has an unreachable row. */
  constructor(routes: readonly Route[]) {
    refuseRepeated(routes.map((route) => route.operationId));
    for (const route of routes) this.add(route);
    for (const sameLength of this.templates.values()) sameLength.sort(byLiteralness);
  }

  /** `path` as sent. HEAD is answered by the GET route. */
  match(method: string, path: string): Match {
    const segments = path.split('/');
    const template = this.templates.get(segments.length)?.find((candidate) => fits(candidate, segments));
    if (template === undefined) return { kind: 'unknown-path' };
    const route = template.routes.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return { kind: 'other-methods', allow: allowed(template) };
    return { kind: 'found', route, rawParams: paramsOf(route, segments) };
  }

  private add(route: Route): void {
    const pattern = route.path.split('/').map((segment) => (isParameter(segment) ? undefined : segment));
    const sameLength = this.templates.get(pattern.length) ?? [];
    this.templates.set(pattern.length, sameLength);
    let template = sameLength.find((other) => pattern.every((segment, at) => segment === other.pattern[at]));
    if (template === undefined) sameLength.push((template = { pattern, routes: new Map() }));
    if (template.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    template.routes.set(route.method, route);
  }
}

interface Template {
  /** One entry a segment; undefined where a parameter stands. */
  readonly pattern: readonly (string | undefined)[];
  readonly routes: Map<string, Route>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

function fits(template: Template, segments: readonly string[]): boolean {
  return template.pattern.every((literal, at) => (literal === undefined ? segments[at] !== '' : literal === segments[at]));
}

/** Names may differ between the routes of one template, so they are read from the route. */
function paramsOf(route: Route, segments: readonly string[]): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  route.path.split('/').forEach((segment, at) => {
    if (isParameter(segment)) params.set(segment.slice(1, -1), segments[at] ?? '');
  });
  return params;
}

/** Of two templates that fit the same path, the one that is literal at the first difference comes first, as OpenAPI has it. */
function byLiteralness(a: Template, b: Template): number {
  const at = a.pattern.findIndex((segment, index) => (segment === undefined) !== (b.pattern[index] === undefined));
  if (at < 0) return 0;
  return a.pattern[at] === undefined ? 1 : -1;
}

function allowed(template: Template): readonly string[] {
  const methods = new Set(template.routes.keys());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function refuseRepeated(operationIds: readonly string[]): void {
  const repeated = operationIds.find((id, at) => operationIds.indexOf(id) !== at);
  if (repeated !== undefined) throw new Error(`Two routes have the operation id ${repeated}`);
}
