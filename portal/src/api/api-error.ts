import type { components } from './schema';

export type Problem = components['schemas']['Problem'];

/** What the service, or the way to it, answered instead of an answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    /** By which the log of the service knows the request. */
    readonly requestId?: string | undefined,
  ) {
    super(
      problem.detail ??
        problem.title ??
        (status === 0 ? 'The service cannot be reached.' : `The service answered ${status}.`),
    );
  }
}

/** Whether the error is an answer of the service with one of these statuses; 0: it could not be reached. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}
