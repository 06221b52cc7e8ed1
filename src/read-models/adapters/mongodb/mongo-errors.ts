import { MongoAPIError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { HindsightError } from '../../../errors.js';

/**
 * Server codes for data that can never be stored: BadValue, FailedToParse, Overflow, InvalidBSON, parallel arrays, and
 * too large.
 */
const INVALID_DATA_CODES: readonly unknown[] = [2, 9, 15, 22, 171, 10334, 17419, 17420];

export const DUPLICATE_KEY = 11000;
export const NAMESPACE_EXISTS = 48;
export const WRITE_CONFLICT = 112;
/** SnapshotTooOld and SnapshotUnavailable. */
export const SNAPSHOT_CODES: readonly number[] = [239, 246];

export function hasServerCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Whether the same transaction may succeed when it is restarted, because nothing of it was applied. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof MongoError) || isUnknownCommit(error)) return false;
  // If the primary is missing from the first command on, the driver sets no label, unlike for one that fails in
  // between.
  const isLabelled =
    error.hasErrorLabel('TransientTransactionError') ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError;
  // Two first commits may both insert the checkpoint: after a restart, the second one sees the first.
  return isLabelled || hasServerCode(error, DUPLICATE_KEY);
}

/** Whether a commit was sent and its result is unknown. */
export function isUnknownCommit(error: unknown): boolean {
  return error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
}

/**
 * Maps an error of the driver for callers. Driver errors count as `unavailable` and may pass (including rejected
 * credentials, which an operator can fix), except those about data that can never be stored and about wrong use of the
 * driver.
 */
export function toHindsightError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  if (error instanceof MongoServerError && INVALID_DATA_CODES.includes(error.code)) return error;
  // API errors of the driver indicate wrong use, except that the connection was closed or lost.
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
    `The read model store is unavailable: ${withoutCredentials(error.message)}`,
    [],
    { cause: error },
  );
}

function withoutCredentials(message: string): string {
  return message.replace(/\/\/[^/\s]*@/g, '//');
}
