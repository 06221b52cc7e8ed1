import type { Bson } from './wire.js';

export const CODES = {
  BadValue: 2,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  CursorNotFound: 43,
  NamespaceExists: 48,
  CommandNotFound: 59,
  InvalidOptions: 72,
  WriteConflict: 112,
  CommandNotSupported: 115,
  SnapshotUnavailable: 246,
  NoSuchTransaction: 251,
  Unauthorized: 13,
  IllegalOperation: 20,
  IndexKeySpecsConflict: 86,
  NotWritablePrimary: 10107,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  NotPrimaryNoSecondaryOk: 13435,
} as const;

export type CodeName = keyof typeof CODES;

/** An error response. */
export class ServerError extends Error {
  constructor(
    readonly codeName: CodeName,
    message: string,
    readonly labels: readonly string[] = [],
  ) {
    super(message);
  }

  get answer(): Bson {
    return {
      ok: 0,
      errmsg: this.message,
      code: CODES[this.codeName],
      codeName: this.codeName,
      ...(this.labels.length > 0 && { errorLabels: this.labels }),
    };
  }
}

export const TRANSIENT = 'TransientTransactionError';
export const RETRYABLE = 'RetryableWriteError';
