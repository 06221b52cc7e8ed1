import type { Request, Response } from 'express';
import type { FieldError } from '../../errors.js';
import { hasBody, headerValues, type IfMatchCondition, readIfMatch } from '../requests/request-headers.js';
import { Problem } from '../problems/problem-details.js';
import { EMPTY_REQUEST, parseRequest, parseUuid, findUnknownNames } from '../requests/request-parser.js';
import type { Route } from '../route.js';
import { findUnexpectedBody, readFormFile, readJson } from './request-body.js';
import type { RouteMatch } from '../router.js';

export interface RequestInput {
  readonly query: object;
  readonly body: object;
  readonly file: Uint8Array;
  readonly condition?: IfMatchCondition | undefined;
}

const NO_FILE = { bytes: new Uint8Array(), errors: [] };

/** Parses query, body, file and If-Match as the route defines them. Throws one 400 that lists every invalid field. */
export async function readInput(
  route: Route,
  request: Request,
  response: Response,
  parameters: URLSearchParams,
  nowMs: number,
): Promise<RequestInput> {
  const query = parseRequest(route.query ?? EMPTY_REQUEST, Object.fromEntries(withoutVersion(parameters)));
  const body = parseRequest(
    route.body ?? EMPTY_REQUEST,
    route.body === undefined ? {} : await readJson(request, response),
  );
  const isUnexpected = route.body === undefined && route.file === undefined && hasBody(request);
  const unexpectedBody = isUnexpected ? await findUnexpectedBody(request, response) : [];
  const file = route.file === undefined ? NO_FILE : await readFormFile(request, route.file);
  const ifMatch = readIfMatch(route, request.rawHeaders);
  const ambiguous = findAmbiguousParameters(parameters);
  const fieldErrors = [
    ...ambiguous,
    ...query.errors.filter(({ field }) => ambiguous.every((error) => error.field !== field)),
    ...body.errors,
    ...unexpectedBody,
    ...file.errors,
    ...ifMatch.errors,
  ];
  const reported = new Set(fieldErrors.map(({ field }) => field));
  const combinedErrors = route.validate?.(query.value, nowMs) ?? [];
  const errors = [...fieldErrors, ...combinedErrors.filter(({ field }) => !reported.has(field))];
  if (errors.length > 0) throw new Problem('invalid-request', 'One or more fields are invalid.', { errors });
  return { query: query.value, body: body.value, file: file.bytes, condition: ifMatch.condition };
}

/** No query parameter is repeated or bracketed: proxies and servers interpret such names differently. */
function findAmbiguousParameters(parameters: URLSearchParams): FieldError[] {
  const seen = new Set<string>();
  const messages = new Map<string, string>();
  for (const name of parameters.keys()) {
    if (seen.has(name)) messages.set(name, 'must be given only once');
    else if (/[[\]]/.test(name)) messages.set(name, 'must be a name without brackets');
    seen.add(name);
  }
  return Array.from(messages, ([field, message]) => ({ field, message: `${field} ${message}` }));
}

/** The decoded path parameters. Throws 400 for invalid percent-encoding and for a Grid id that is not a UUID. */
export function readPathParams({ route, rawParams }: RouteMatch): Readonly<Record<string, string>> {
  const params = Object.create(null) as Record<string, string>;
  for (const [name, raw] of rawParams) params[name] = decodeParam(name, raw);
  if (route.grid === 'path')
    params['gridSecondaryId'] = requireUuid('gridSecondaryId', params['gridSecondaryId'] ?? '');
  return params;
}

function decodeParam(name: string, raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw createInvalidPathProblem(name, `${name} is not valid percent-encoded UTF-8`, cause);
  }
}

function requireUuid(name: string, text: string): string {
  const uuid = parseUuid(text);
  if (uuid === undefined) throw createInvalidPathProblem(name, `${name} must be a UUID`);
  return uuid;
}

function createInvalidPathProblem(field: string, message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The path is invalid.', {
    errors: [{ field, message }],
    cause,
  });
}

const VERSION_PARAMETER = 'api-version';
const CURRENT_VERSION = '2.0';

/** Parameters of the operation itself: the version belongs to every operation. */
function withoutVersion(parameters: URLSearchParams): [string, string][] {
  return [...parameters].filter(([name]) => name !== VERSION_PARAMETER);
}

/** Throws 400 if the query has any parameter but the version, for paths that take none. */
export function requireNoParameters(parameters: URLSearchParams): void {
  requireKnownNames(
    withoutVersion(parameters).map(([name]) => name),
    [],
  );
}

/** Throws one 400 that lists every name that is not known. */
export function requireKnownNames(names: readonly string[], known: readonly string[]): void {
  const errors = findUnknownNames(names, known);
  if (errors.length > 0) throw new Problem('invalid-request', 'One or more fields are invalid.', { errors });
}

/**
 * Throws 400 unless the request specifies the API version, in the query, in a header or in both with the same value, and at
 * most once in each of them.
 */
export function requireApiVersion(query: URLSearchParams, rawHeaders: readonly string[]): void {
  const inQuery = query.getAll(VERSION_PARAMETER);
  const inHeader = headerValues(rawHeaders, 'x-api-version');
  const named = [...inQuery, ...inHeader];
  if (named.length === 0)
    throw new Problem(
      'api-version',
      `Specify the API version: query parameter api-version=${CURRENT_VERSION} or header X-Api-Version: ${CURRENT_VERSION}.`,
    );
  if (inQuery.length > 1 || inHeader.length > 1)
    throw new Problem('api-version', 'The API version is specified more than once in the query or in the headers.');
  if (named.some((version) => version !== CURRENT_VERSION))
    throw new Problem('api-version', `The only supported API version is ${CURRENT_VERSION}.`);
}
