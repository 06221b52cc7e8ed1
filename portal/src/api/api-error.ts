import type { components } from './schema';

export type Problem = components['schemas']['Problem'];

/** A failed request: an error response of the service, or status 0 if it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
    /** Request ID, as in the service's log. */
    readonly requestId?: string | undefined,
  ) {
    super(
      problem.detail ??
        problem.title ??
        (status === 0 ? 'The service cannot be reached.' : `The service returned status ${status}.`),
    );
  }
}

/** Whether the error is a response with one of these statuses; 0 means that the service could not be reached. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}
