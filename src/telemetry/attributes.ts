/**
 * An attribute value as the API returns it: a string or a number. Integers beyond 2^53 − 1 are decimal strings,
 * booleans `"true"`/`"false"`, NaN and infinities `"NaN"`, `"Infinity"`, `"-Infinity"`, bytes base64, arrays and maps
 * JSON text, an empty value `""`. Tag filters compare `String(value)`.
 */
export type AttributeValue = string | number;

/**
 * Attributes by key, on a null prototype so that `__proto__` is an ordinary key. The first value of a repeated key
 * wins.
 */
export type Attributes = Record<string, AttributeValue>;

/** Name of the span event that records an exception. */
export const EXCEPTION_EVENT = 'exception';

export const EXCEPTION_TYPE = 'exception.type';
export const EXCEPTION_MESSAGE = 'exception.message';
export const EXCEPTION_STACKTRACE = 'exception.stacktrace';

/**
 * Exception types and messages are truncated to this many code points where exceptions are counted, so that one message
 * cannot fill a rollup.
 */
export const MAX_EXCEPTION_CHARACTERS = 256;

/** The `exception.*` attributes of a span event or a log record; missing ones are "". */
export interface ExceptionDetails {
  readonly type: string;
  readonly message: string;
  readonly stackTrace: string;
}

/** Exception recorded in the attributes; undefined if they contain neither its type nor its message. */
export function readException(attributes: Attributes): ExceptionDetails | undefined {
  if (attributes[EXCEPTION_TYPE] === undefined && attributes[EXCEPTION_MESSAGE] === undefined) return undefined;
  return {
    type: String(attributes[EXCEPTION_TYPE] ?? ''),
    message: String(attributes[EXCEPTION_MESSAGE] ?? ''),
    stackTrace: String(attributes[EXCEPTION_STACKTRACE] ?? ''),
  };
}
