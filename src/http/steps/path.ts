import { Problem } from '../problems/problem.js';
import type { Found } from '../router.js';
import { uuidOf } from '../uuid.js';

/** The parameters of the path, decoded; 400 for bad percent-encoding and for a Grid id that is no UUID. */
export function readPath({ route, rawParams }: Found): Readonly<Record<string, string>> {
  const params = Object.create(null) as Record<string, string>;
  for (const [name, raw] of rawParams) params[name] = decode(name, raw);
  if (route.grid === 'path') params['gridSecondaryId'] = requireUuid('gridSecondaryId', params['gridSecondaryId'] ?? '');
  return params;
}

function decode(name: string, raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw malformed(name, `${name} is not validly percent-encoded UTF-8`, cause);
  }
}

function requireUuid(name: string, text: string): string {
  const uuid = uuidOf(text);
  if (uuid === undefined) throw malformed(name, `${name} must be a UUID`);
  return uuid;
}

function malformed(field: string, message: string, cause?: unknown): Problem {
  return new Problem('invalid-request', 'The path is not as the operation requires.', { errors: [{ field, message }], cause });
}
