import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { HindsightError } from '../../../errors.js';

/** Server codes for data that can never be stored: InvalidBSON and BSONObjectTooLarge. */
const INVALID_DATA_CODES: readonly unknown[] = [22, 10334];
/**
 * Further codes with that meaning in the error of one document: BadValue, FailedToParse, Overflow, CannotIndexParallelArrays,
 * and documents that became too large. As the error of a whole command, BadValue and FailedToParse are about an option
 * that the server does not know, which is no fault of the data.
 */
const INVALID_DOCUMENT_CODES: readonly unknown[] = [2, 9, 15, 171, 17419, 17420];

export const DUPLICATE_KEY = 11000;
export const NAMESPACE_EXISTS = 48;
export const WRITE_CONFLICT = 112;
/** LockTimeout, WriteConflict and NoSuchTransaction: some servers of the protocol send them without the label. */
const TRANSACTION_CONFLICT_CODES: readonly number[] = [24, WRITE_CONFLICT, 251];
/** BadValue, FailedToParse, InvalidOptions, CommandNotSupported, NotImplemented and unknown fields. */
const UNKNOWN_OPTION_CODES: readonly number[] = [2, 9, 72, 115, 238, 40415];
/** Unauthorized, CommandNotFound and CommandNotSupported. */
const UNAVAILABLE_COMMAND_CODES: readonly number[] = [13, 59, 115];
/** SnapshotTooOld and SnapshotUnavailable. */
export const SNAPSHOT_CODES: readonly number[] = [239, 246];

export function hasServerCode(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code;
}

/** Whether the server does not have a command, or does not permit it to this user. */
export function isUnavailableCommand(error: unknown): boolean {
  return UNAVAILABLE_COMMAND_CODES.some((code) => hasServerCode(error, code));
}

/** Whether the server rejects a command because of an option that it does not know. */
export function isUnknownOption(error: unknown): boolean {
  return UNKNOWN_OPTION_CODES.some((code) => hasServerCode(error, code));
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
  return isLabelled || [DUPLICATE_KEY, ...TRANSACTION_CONFLICT_CODES].some((code) => hasServerCode(error, code));
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
  if (error instanceof MongoServerError && isInvalidData(error)) return error;
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

function isInvalidData(error: MongoServerError): boolean {
  if (INVALID_DATA_CODES.includes(error.code)) return true;
  const [first] = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return first !== undefined && INVALID_DOCUMENT_CODES.includes(first.code);
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
