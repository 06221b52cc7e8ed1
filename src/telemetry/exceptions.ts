import type { Attributes } from './attributes.js';

/** Name of the span event that records an exception. */
export const EXCEPTION_EVENT = 'exception';
export const EXCEPTION_TYPE = 'exception.type';
export const EXCEPTION_MESSAGE = 'exception.message';
export const EXCEPTION_STACKTRACE = 'exception.stacktrace';

/** Code points to which type and message are cut where exceptions are counted, so that one message cannot fill a rollup. */
export const MAX_EXCEPTION_CHARACTERS = 256;

/** What the `exception.*` attributes of a span event or a log record tell; what they leave out is "". */
export interface ExceptionFacts {
  readonly type: string;
  readonly message: string;
  readonly stackTrace: string;
}

/** Undefined unless the attributes name the type or the message of an exception. */
export function exceptionOf(attributes: Attributes): ExceptionFacts | undefined {
  if (attributes[EXCEPTION_TYPE] === undefined && attributes[EXCEPTION_MESSAGE] === undefined) return undefined;
  return {
    type: String(attributes[EXCEPTION_TYPE] ?? ''),
    message: String(attributes[EXCEPTION_MESSAGE] ?? ''),
    stackTrace: String(attributes[EXCEPTION_STACKTRACE] ?? ''),
  };
}
