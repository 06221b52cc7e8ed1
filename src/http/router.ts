import type { Route } from './route.js';
import { Problem } from './problems/problem-details.js';

/** A matching route with its path parameters, still percent-encoded. */
export interface RouteMatch {
  readonly kind: 'found';
  readonly route: Route;
  readonly rawParams: ReadonlyMap<string, string>;
}

export type MatchResult =
  | RouteMatch
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'other-methods'; readonly allow: readonly string[] };

/**
 * Finds routes by method and path. Literal segments are compared byte by byte before decoding and take precedence over
 * parameters; a parameter matches one non-empty segment. Therefore each literal path has exactly one spelling.
 */
export class Router {
  /** Templates by number of segments, most literal first. */
  private readonly templates = new Map<number, Template[]>();

  /** Throws if two routes have the same method and path, or the same operation id. */
  constructor(routes: readonly Route[]) {
    assertUniqueOperationIds(routes.map((route) => route.operationId));
    for (const route of routes) this.add(route);
    for (const sameLength of this.templates.values()) sameLength.sort(compareLiteralness);
  }

  /** @param path as sent, without the query. HEAD matches the GET route. */
  match(method: string, path: string): MatchResult {
    const segments = path.split('/');
    const template = this.templates.get(segments.length)?.find((candidate) => matchesTemplate(candidate, segments));
    if (template === undefined) return { kind: 'unknown-path' };
    const route = template.routes.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return { kind: 'other-methods', allow: listAllowedMethods(template) };
    return { kind: 'found', route, rawParams: extractParams(route, segments) };
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
  /** One entry per segment; undefined for a parameter. */
  readonly pattern: readonly (string | undefined)[];
  readonly routes: Map<string, Route>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

function matchesTemplate(template: Template, segments: readonly string[]): boolean {
  return template.pattern.every((literal, at) =>
    literal === undefined ? segments[at] !== '' : literal === segments[at],
  );
}

/** Parameter names may differ between the routes of one template, so they are taken from the route. */
function extractParams(route: Route, segments: readonly string[]): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  route.path.split('/').forEach((segment, at) => {
    if (isParameter(segment)) params.set(segment.slice(1, -1), segments[at] ?? '');
  });
  return params;
}

/** Of two templates that match the same path, the one with a literal at the first difference comes first, as in OpenAPI. */
function compareLiteralness(a: Template, b: Template): number {
  const at = a.pattern.findIndex((segment, index) => (segment === undefined) !== (b.pattern[index] === undefined));
  if (at < 0) return 0;
  return a.pattern[at] === undefined ? 1 : -1;
}

function listAllowedMethods(template: Template): readonly string[] {
  const methods = new Set(template.routes.keys());
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function assertUniqueOperationIds(operationIds: readonly string[]): void {
  const repeated = operationIds.find((id, at) => operationIds.indexOf(id) !== at);
  if (repeated !== undefined) throw new Error(`Two routes have the operation id ${repeated}`);
}

/** Throws 404 for an unknown path, and 405 with `Allow` for a path that supports other methods only. */
export function findRoute(router: Router, method: string, path: string): RouteMatch {
  const match = router.match(method, path);
  switch (match.kind) {
    case 'found':
      return match;
    case 'unknown-path':
      throw new Problem('not-found', 'This path does not exist.');
    case 'other-methods': {
      const allow = match.allow.join(', ');
      throw new Problem('method-not-allowed', `This path supports only ${allow}.`, { headers: { Allow: allow } });
    }
  }
}
