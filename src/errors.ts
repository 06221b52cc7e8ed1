/** Every failure that a client can see, and whether the same request may succeed later. */
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

/** A fault in one field of a request: `field` is the name that the client sent. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface HindsightErrorOptions extends ErrorOptions {
  /** From when on the same request may succeed, ms since 1970; absent where nobody knows. */
  readonly retryAtMs?: number;
}

/**
 * A failure with a code of the closed union. Guards look at `code`, never at `instanceof`:
 * the class does not survive a thread boundary, the code does.
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

/** True for anything that carries one of our codes, also after it crossed a thread boundary. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
