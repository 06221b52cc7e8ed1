/** Every failure that a client can see, and whether the same request may succeed later. */
export const ERROR_CODES = {
  'invalid-request': { retryable: false },
  'not-found': { retryable: false },
  'forbidden': { retryable: false },
  'unauthenticated': { retryable: false },
  'role-required': { retryable: false },
  'subscription-inactive': { retryable: false },
  'last-owner': { retryable: false },
  'conflict': { retryable: true },
  'too-large': { retryable: false },
  'rate-limited': { retryable: true },
  'overloaded': { retryable: true },
  'unavailable': { retryable: true },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A fault in one field of a request: `field` is the name that the client sent. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/**
 * A failure with a code of the closed union. Guards look at `code`, never at `instanceof`:
 * the class does not survive a thread boundary, the code does.
 */
export class HindsightError extends Error {
  override readonly name = 'HindsightError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields: readonly FieldError[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** True for anything that carries one of our codes, also after it crossed a thread boundary. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
