import type { FieldError } from '../../errors.js';
import { PROBLEM_TYPES, type ProblemSlug } from './catalogue.js';

export interface ProblemParts {
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
    { errors = [], headers = {}, cause }: ProblemParts = {},
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
export function problemDocument(problem: Problem, publicUrl: string, instance?: string): ProblemDocument {
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
