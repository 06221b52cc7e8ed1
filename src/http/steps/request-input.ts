import type { Request, Response } from 'express';
import type { FieldError } from '../../errors.js';
import { type IfMatchCondition, readIfMatch } from '../requests/conditional-request.js';
import { Problem } from '../problems/problem-details.js';
import { EMPTY_REQUEST, parseRequest } from '../requests/request-parser.js';
import type { Route } from '../route.js';
import { readFormFile, readJson } from './request-body.js';
import type { RouteMatch } from '../router.js';
import { parseUuid } from '../requests/parse-values.js';
import { headerValues } from '../requests/request-head.js';

export interface RequestInput {
  readonly query: object;
  readonly body: object;
  readonly file: Uint8Array;
  readonly condition?: IfMatchCondition | undefined;
}

const NO_FILE = { bytes: new Uint8Array(), errors: [] };

/** Query and body by the route's own classes, and what a change is bound to; one 400 that names every fault of all. */
export async function readInput(
  route: Route,
  request: Request,
  response: Response,
  parameters: URLSearchParams,
  nowMs: number,
): Promise<RequestInput> {
  const query = parseRequest(route.query ?? EMPTY_REQUEST, Object.fromEntries(parameters));
  const body = parseRequest(
    route.body ?? EMPTY_REQUEST,
    route.body === undefined ? {} : await readJson(request, response),
  );
  const file = route.file === undefined ? NO_FILE : await readFormFile(request, route.file);
  const bound = readIfMatch(route, request.rawHeaders);
  const ofFields = [
    ...findAmbiguousParameters(parameters),
    ...query.errors,
    ...body.errors,
    ...file.errors,
    ...bound.errors,
  ];
  const known = new Set(ofFields.map(({ field }) => field));
  const errors = [...ofFields, ...(route.faults?.(query.value, nowMs) ?? []).filter(({ field }) => !known.has(field))];
  if (errors.length > 0)
    throw new Problem('invalid-request', 'Some fields are not as the operation requires.', { errors });
  return { query: query.value, body: body.value, file: file.bytes, condition: bound.condition };
}

/** No parameter is a list or an object here: a repeated or bracketed name would mean one thing to us and another to a proxy. */
function findAmbiguousParameters(parameters: URLSearchParams): FieldError[] {
  const seen = new Set<string>();
  const faults = new Map<string, string>();
  for (const name of parameters.keys()) {
    if (seen.has(name)) faults.set(name, 'must be given once');
    else if (/[[\]]/.test(name)) faults.set(name, 'must be a plain name');
    seen.add(name);
  }
  return Array.from(faults, ([field, fault]) => ({ field, message: `${field} ${fault}` }));
}

/** The parameters of the path, decoded; 400 for bad percent-encoding and for a Grid id that is no UUID. */
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
    throw createInvalidPathProblem(name, `${name} is not validly percent-encoded UTF-8`, cause);
  }
}

function requireUuid(name: string, text: string): string {
  const uuid = parseUuid(text);
  if (uuid === undefined) throw createInvalidPathProblem(name, `${name} must be a UUID`);
  return uuid;
}

function createInvalidPathProblem(field: string, message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The path is not as the operation requires.', {
    errors: [{ field, message }],
    cause,
  });
}

const CURRENT_VERSION = '2.0';

/**
 * Every request names the version, in the query, in a header or in both; each time it is named it must be the current
 * one. So two that differ are refused as well, and so is one given twice in the same place.
 */
export function requireApiVersion(query: URLSearchParams, rawHeaders: readonly string[]): void {
  const inQuery = query.getAll('api-version');
  const inHeader = headerValues(rawHeaders, 'x-api-version');
  const named = [...inQuery, ...inHeader];
  if (named.length === 0)
    throw new Problem(
      'api-version',
      `Name the version: query parameter api-version=${CURRENT_VERSION} or header X-Api-Version: ${CURRENT_VERSION}.`,
    );
  if (inQuery.length > 1 || inHeader.length > 1)
    throw new Problem('api-version', 'The version is given more than once in the same place.');
  if (named.some((version) => version !== CURRENT_VERSION))
    throw new Problem('api-version', `The only version is ${CURRENT_VERSION}.`);
}
