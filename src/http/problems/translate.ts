import { ERROR_CODES, type ErrorCode, type FieldError } from '../../errors.js';
import { PROBLEM_TYPES, type ProblemSlug } from './catalogue.js';
import { Problem } from './problem.js';

/**
 * The problem that an error becomes on this wire. Messages of our own coded errors are meant for the caller,
 * except of those that speak of the service's own parts: they may name addresses. What nobody foresaw says only `correlationId`.
 * @param nowMs ms since 1970: what can be repeated at some moment says in how many seconds that is
 */
export function toProblem(error: unknown, correlationId: string, nowMs: number): Problem {
  if (error instanceof Problem) return error;
  if (isCoded(error)) return fromCode(error, nowMs);
  const slug = bodyFault(error);
  if (slug !== undefined) return new Problem(slug, PROBLEM_TYPES[slug].explanation, { cause: error });
  return new Problem('internal-error', `The service failed. Correlation id: ${correlationId}`, { cause: error });
}

interface Coded {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly FieldError[];
  readonly retryAtMs?: number;
}

/** By code, not by class: the class does not survive a thread boundary. */
function isCoded(error: unknown): error is Coded {
  return (
    typeof error === 'object' && error !== null &&
    'code' in error && typeof error.code === 'string' && Object.hasOwn(ERROR_CODES, error.code) &&
    'message' in error && typeof error.message === 'string'
  );
}

function fromCode(error: Coded, nowMs: number): Problem {
  const { retryAfterSeconds, explanation } = PROBLEM_TYPES[error.code];
  if (retryAfterSeconds !== undefined) return new Problem(error.code, explanation, { headers: retryAfter(retryAfterSeconds), cause: error });
  const headers = error.retryAtMs === undefined ? {} : retryAfter(secondsUntil(error.retryAtMs, nowMs));
  return new Problem(error.code, error.message, { errors: sentences(error.fields ?? []), headers, cause: error });
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}

/** Whole seconds, after which the moment has come for sure; 0 would invite at once. */
function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000));
}

/** What commands say of a field goes on from its name; a client may have nothing but the message to show. */
function sentences(fields: readonly FieldError[]): FieldError[] {
  return fields.map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

/** Faults that Express and its body parser report by `type` or by a status of the request's own fault. */
function bodyFault(error: unknown): ProblemSlug | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('type' in error && error.type === 'entity.too.large') return 'too-large';
  if ('type' in error && error.type === 'encoding.unsupported') return 'unsupported-media-type';
  if ('status' in error && error.status === 400) return 'invalid-request';
  return undefined;
}
