import { ERROR_CODES, type ErrorCode, type FieldError } from '../../errors.js';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-catalogue.js';

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Headers that the answer must carry: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal as this wire knows it: thrown by the steps, answered in one place. `detail` is meant for the caller. */
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

/** RFC 7807 document. `errors` is there only where single fields are at fault. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly errors?: readonly FieldError[];
}

/** `instance` is the path of the request, without its query; absent where no request could be read. */
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
 * The problem that an error becomes on this wire. Messages of our own coded errors are meant for the caller,
 * except of those that speak of the service's own parts: they may name addresses. What nobody foresaw says only `correlationId`.
 * @param nowMs ms since 1970: what can be repeated at some moment says in how many seconds that is
 */
export function toProblem(error: unknown, correlationId: string, nowMs: number): Problem {
  if (error instanceof Problem) return error;
  if (isCodedError(error)) return toCodedProblem(error, nowMs);
  const slug = parserFaultSlug(error);
  if (slug !== undefined) return new Problem(slug, PROBLEM_TYPES[slug].explanation, { cause: error });
  return new Problem('internal-error', `The service failed. Correlation id: ${correlationId}`, { cause: error });
}

interface CodedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: readonly FieldError[];
  readonly retryAtMs?: number;
}

/** By code, not by class: the class does not survive a thread boundary. */
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

/** Whole seconds, after which the moment has come for sure; 0 would invite at once. */
function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000));
}

/** What commands say of a field goes on from its name; a client may have nothing but the message to show. */
function prefixFieldNames(fields: readonly FieldError[]): FieldError[] {
  return fields.map(({ field, message }) => ({ field, message: `${field} ${message}` }));
}

/** Faults that Express and its body parser report by `type` or by a status of the request's own fault. */
function parserFaultSlug(error: unknown): ProblemSlug | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('type' in error && error.type === 'entity.too.large') return 'too-large';
  if ('type' in error && error.type === 'encoding.unsupported') return 'unsupported-media-type';
  if ('status' in error && error.status === 400) return 'invalid-request';
  return undefined;
}
