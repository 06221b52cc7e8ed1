import type { Request, Response } from 'express';
import type { FieldError } from '../../errors.js';
import type { Condition } from '../entity-tag.js';
import { Problem } from '../problems/problem.js';
import { NOTHING, parse } from '../requests/parse.js';
import type { Route } from '../route.js';
import { readJson } from './body.js';
import { readCondition } from './condition.js';
import { readFile } from './form-file.js';

export interface Input {
  readonly query: object;
  readonly body: object;
  readonly file: Uint8Array;
  readonly condition?: Condition | undefined;
}

const NO_FILE = { bytes: new Uint8Array(), errors: [] };

/** Query and body by the route's own classes, and what a change is bound to; one 400 that names every fault of all. */
export async function readInput(route: Route, request: Request, response: Response, parameters: URLSearchParams, nowMs: number): Promise<Input> {
  const query = parse(route.query ?? NOTHING, Object.fromEntries(parameters));
  const body = parse(route.body ?? NOTHING, route.body === undefined ? {} : await readJson(request, response));
  const file = route.file === undefined ? NO_FILE : await readFile(request, route.file);
  const bound = readCondition(route, request.rawHeaders);
  const ofFields = [...ambiguous(parameters), ...query.errors, ...body.errors, ...file.errors, ...bound.errors];
  const known = new Set(ofFields.map(({ field }) => field));
  const errors = [...ofFields, ...(route.faults?.(query.value, nowMs) ?? []).filter(({ field }) => !known.has(field))];
  if (errors.length > 0) throw new Problem('invalid-request', 'Some fields are not as the operation requires.', { errors });
  return { query: query.value, body: body.value, file: file.bytes, condition: bound.condition };
}

/** No parameter is a list or an object here: a repeated or bracketed name would mean one thing to us and another to a proxy. */
function ambiguous(parameters: URLSearchParams): FieldError[] {
  const seen = new Set<string>();
  const faults = new Map<string, string>();
  for (const name of parameters.keys()) {
    if (seen.has(name)) faults.set(name, 'must be given once');
    else if (/[[\]]/.test(name)) faults.set(name, 'must be a plain name');
    seen.add(name);
  }
  return Array.from(faults, ([field, fault]) => ({ field, message: `${field} ${fault}` }));
}
