import type { Route } from '../route.js';

const PARAMETER = /\{\w+\}/g;

/**
 * The path of each route as the document has it. OpenAPI takes `/a/{x}` and `/a/{y}` for the same path and wants one name:
 * where the names of two routes differ, it is `id`, and the operations say of what.
 */
export function templatesOf(routes: readonly Route[]): ReadonlyMap<Route, string> {
  const byShape = new Map<string, Set<string>>();
  for (const { path } of routes) {
    const shape = path.replace(PARAMETER, '{}');
    byShape.set(shape, (byShape.get(shape) ?? new Set()).add(path));
  }
  return new Map(routes.map((route) => [route, common([...(byShape.get(route.path.replace(PARAMETER, '{}')) ?? [])])]));
}

function common(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => path.split('/'));
  return Array.from(first, (segment, at) => (others.every((other) => other[at] === segment) ? segment : '{id}')).join('/');
}

/** Names of the parameters of a template, in order. */
export function parameterNames(template: string): readonly string[] {
  return Array.from(template.match(PARAMETER) ?? [], (parameter) => parameter.slice(1, -1));
}
