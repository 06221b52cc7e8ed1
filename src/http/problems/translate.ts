import { ERROR_CODES, type ErrorCode, type FieldError } from '../../errors.js';
import { PROBLEM_TYPES, type ProblemSlug } from './catalogue.js';
import { Problem } from './problem.js';

/**
 * The problem that an error becomes on this wire. Messages of our own coded errors are meant for the caller,
 * except of those that speak of the service's own parts: they may name addresses. What nobody foresaw says only `correlationId`.
 */
export function toProblem(error: unknown, correlationId: string): Problem {
  if (error instanceof Problem) return error;
  if (isCoded(error)) return fromCode(error);
  const slug = bodyFault(error);
  if (slug !== undefined) return new Problem(slug, PROBLEM_TYPES[slug].explanation, { cause: error });
  return new Problem('internal-error', `The service failed. Correlation id: ${correlationId}`, { cause: error });
}

interface Coded {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly FieldError[];
}

/** By code, not by class: the class does not survive a thread boundary. */
function isCoded(error: unknown): error is Coded {
  return (
    typeof error === 'object' && error !== null &&
    'code' in error && typeof error.code === 'string' && Object.hasOwn(ERROR_CODES, error.code) &&
    'message' in error && typeof error.message === 'string'
  );
}

function fromCode(error: Coded): Problem {
  const { retryAfterSeconds, explanation } = PROBLEM_TYPES[error.code];
  if (retryAfterSeconds === undefined) return new Problem(error.code, error.message, { errors: sentences(error.fields ?? []), cause: error });
  return new Problem(error.code, explanation, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause: error });
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
