import { ERROR_CODES, type ErrorCode, type FieldError } from '../../errors.js';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-catalogue.js';

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Response headers of the problem, such as Allow, Retry-After, WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error response. Thrown by request steps and handlers, sent by the error handler. `detail` is shown to the caller. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    { errors = [], headers = {}, cause }: ProblemOptions = {},
  ) {
    super(`${slug}: ${detail}`, { cause });
    this.errors = errors;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEM_TYPES[this.slug].status;
  }
}

/** An RFC 7807 document. `errors` is present only if individual fields are invalid. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly errors?: readonly FieldError[];
}

/** @param instance path of the request without its query; undefined if the request could not be parsed */
export function toProblemDocument(problem: Problem, publicUrl: string, instance?: string): ProblemDocument {
  const { title, status } = PROBLEM_TYPES[problem.slug];
  return {
    type: `${publicUrl.replace(/\/+$/, '')}/problems/${problem.slug}`,
    title,
    status,
    detail: problem.detail,
    ...(instance !== undefined && { instance }),
    ...(problem.errors.length > 0 && { errors: problem.errors }),
  };
}

/**
 * Converts an error to a problem. Messages of coded errors are sent to the caller, except for `unavailable` and `overloaded`:
 * they may contain internal addresses and are replaced by the explanation of the type. Unexpected errors reveal only the
 * correlation id.
 * @param nowMs ms since 1970, for computing Retry-After
 */
export function toProblem(error: unknown, correlationId: string, nowMs: number): Problem {
  if (error instanceof Problem) return error;
  if (isCodedError(error)) return toCodedProblem(error, nowMs);
  const slug = parserFaultSlug(error);
  if (slug !== undefined) return new Problem(slug, PROBLEM_TYPES[slug].explanation, { cause: error });
  return new Problem('internal-error', `An internal error occurred. Correlation id: ${correlationId}`, {
    cause: error,
  });
}

interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly FieldError[];
  readonly retryAtMs?: number;
}

/** Checks the code, not the class, because the class does not survive a thread boundary. */
function isCodedError(error: unknown): error is CodedError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    Object.hasOwn(ERROR_CODES, error.code) &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

function toCodedProblem(error: CodedError, nowMs: number): Problem {
  const { retryAfterSeconds, explanation } = PROBLEM_TYPES[error.code];
  if (retryAfterSeconds !== undefined)
    return new Problem(error.code, explanation, { headers: retryAfterHeader(retryAfterSeconds), cause: error });
  const headers = error.retryAtMs === undefined ? {} : retryAfterHeader(secondsUntil(error.retryAtMs, nowMs));
  return new Problem(error.code, error.message, {
    errors: prefixFieldNames(error.fields ?? []),
    headers,
    cause: error,
  });
}

function retryAfterHeader(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}

/** Whole seconds until `atMs`, rounded up; at least 1. */
function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000));
}

/** Messages of commands continue after the field name, so prepend it: clients may show only the message. */
function prefixFieldNames(fields: readonly FieldError[]): FieldError[] {
  return fields.map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

/** Recognizes errors of Express and its body parser, by their `type` or status. */
function parserFaultSlug(error: unknown): ProblemSlug | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('type' in error && error.type === 'entity.too.large') return 'too-large';
  if ('type' in error && error.type === 'encoding.unsupported') return 'unsupported-media-type';
  if ('status' in error && error.status === 400) return 'invalid-request';
  return undefined;
}
