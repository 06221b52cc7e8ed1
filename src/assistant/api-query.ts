import type { ApiOperation, Tool } from './tool.js';

/** Parameters in the path of an operation, in braces. */
const PATH_PARAMETER = /\{(\w+)\}/g;
/** The version that every operation takes. */
const API_VERSION = '2.0';
const FENCE = '\n```';
const BLOCK_START = `\n\nAsked:${FENCE}\n`;

/**
 * The query that a tool call makes, as one would send it to the API: method, path and body. Tools that combine several
 * operations are written as calls of the tool.
 */
export function formatApiQuery({ name, api }: Pick<Tool, 'name' | 'api'>, args: object, gridId: string): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  if (api === undefined) return `tool ${name} ${JSON.stringify(Object.fromEntries(given))}`;
  const inPath = new Map<string, unknown>([['gridSecondaryId', gridId], ...given]);
  const used = new Set<string>();
  const path = api.path.replace(PATH_PARAMETER, (_, parameter: string) => {
    used.add(parameter);
    return encodeURIComponent(String(inPath.get(parameter)));
  });
  return formatRequest(
    api,
    path,
    given.filter(([parameter]) => !used.has(parameter)),
  );
}

function formatRequest(
  { method }: ApiOperation,
  path: string,
  parameters: readonly (readonly [string, unknown])[],
): string {
  const version = `${path}?api-version=${API_VERSION}`;
  if (method === 'POST') return `POST ${version}\n${JSON.stringify(Object.fromEntries(parameters))}`;
  const query = parameters.map(
    ([name, value]) => `&${name}=${encodeURIComponent(String(value)).replaceAll('%3A', ':')}`,
  );
  return `${method} ${version}${query.join('')}`;
}

/** The answer with the queries that it is based on below it, each once. */
export function appendQueries(response: string, queries: readonly string[]): string {
  const listed = [...new Set(queries)];
  return listed.length === 0 ? response : `${response}${BLOCK_START}${listed.join('\n')}${FENCE}`;
}

/** The answer without its queries, which are not to be read aloud. */
export function removeQueries(text: string): string {
  const at = text.lastIndexOf(BLOCK_START);
  return at >= 0 && text.trimEnd().endsWith(FENCE) ? text.slice(0, at) : text;
}
