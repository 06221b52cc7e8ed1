import { MongoAPIError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { HindsightError } from '../../../errors.js';

/** What the server says of data that it will never take: BadValue, FailedToParse, Overflow, InvalidBSON, arrays in parallel, and too large. */
const INVALID_DATA_CODES: readonly unknown[] = [2, 9, 15, 22, 171, 10334, 17419, 17420];

export const DUPLICATE_KEY = 11000;
export const NAMESPACE_EXISTS = 48;
export const WRITE_CONFLICT = 112;
/** SnapshotTooOld and SnapshotUnavailable. */
export const SNAPSHOT_CODES: readonly number[] = [239, 246];

export function hasServerCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Whether the same transaction may succeed when it is begun anew, and nothing of it was applied. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof MongoError) || isUnknownCommit(error)) return false;
  // Of a primary that was not there for its first command the driver says less than of one that went in its midst.
  const isLabelled =
    error.hasErrorLabel('TransientTransactionError') ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError;
  // Two first commits may both insert the checkpoint: begun anew, the second one sees the first.
  return isLabelled || hasServerCode(error, DUPLICATE_KEY);
}

/** Whether a commit was sent and nobody knows what became of it. */
export function isUnknownCommit(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

/**
 * What callers are told of an error. All that the driver reports is trouble of the store, which may pass (also a refused
 * password: an operator will mend it), except what says that this data can never be stored, or that we call it wrongly.
 */
export function toHindsightError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  if (error instanceof MongoServerError && INVALID_DATA_CODES.includes(error.code)) return error;
  // The driver's errors of use; of these, being closed or not connected is the one that the world can cause.
  if (
    error instanceof MongoAPIError &&
    !/^Mongo(NotConnected|ClientClosed|ServerClosed|TopologyClosed|ExpiredSession|CursorExhausted|TransactionError)/.test(
      error.name,
    )
  )
    return error;
  return toUnavailableError(error);
}

export function toUnavailableError(error: MongoError): HindsightError {
  return new HindsightError(
    'unavailable',
    `The store of read models is away: ${withoutCredentials(error.message)}`,
    [],
    { cause: error },
  );
}

function withoutCredentials(message: string): string {
  return message.replace(/\/\/[^/\s]*@/g, '//');
}
