/** Error codes that clients can receive. `retryable`: the same request may succeed later. */
export const ERROR_CODES = {
  'invalid-request': { retryable: false },
  'not-found': { retryable: false },
  forbidden: { retryable: false },
  unauthenticated: { retryable: false },
  'role-required': { retryable: false },
  'subscription-inactive': { retryable: false },
  'last-owner': { retryable: false },
  conflict: { retryable: true },
  'precondition-failed': { retryable: false },
  'too-large': { retryable: false },
  'rate-limited': { retryable: true },
  overloaded: { retryable: true },
  unavailable: { retryable: true },
  'assistant-disabled': { retryable: false },
  'daily-prompt-limit': { retryable: true },
  'energy-exhausted': { retryable: true },
  'speech-minutes-exceeded': { retryable: true },
  'session-limit-reached': { retryable: true },
  'session-not-found': { retryable: false },
  'speech-unavailable': { retryable: false },
  'audio-unsupported': { retryable: false },
  'audio-too-large': { retryable: false },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Validation error of one request field. `field` is the name as the client sent it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface HindsightErrorOptions extends ErrorOptions {
  /** Earliest time at which the same request may succeed, ms since 1970; absent if unknown. */
  readonly retryAtMs?: number;
}

/**
 * Error with a code from the closed union `ErrorCode`. Check errors by `code`, never by `instanceof`: errors that cross
 * a thread boundary keep their code but lose their class.
 */
export class HindsightError extends Error {
  override readonly name = 'HindsightError';
  readonly retryAtMs: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields: readonly FieldError[] = [],
    { retryAtMs, ...options }: HindsightErrorOptions = {},
  ) {
    super(message, options);
    this.retryAtMs = retryAtMs;
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** Whether the error carries this code; also works for errors that crossed a thread boundary. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
