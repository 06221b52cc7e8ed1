/**
 * An attribute as the API shows it: a string or a number. Integers beyond 2^53 − 1 are decimal strings, booleans
 * `"true"`/`"false"`, NaN and infinities `"NaN"`, `"Infinity"`, `"-Infinity"`, bytes base64, arrays and maps JSON text,
 * an empty value `""`. `String(value)` is the form that tag filters compare.
 */
export type AttributeValue = string | number;

/** Attributes by key, on a null prototype: `__proto__` is data here. Of a repeated key the first value counts. */
export type Attributes = Record<string, AttributeValue>;

/** Name of the span event that records an exception. */
export const EXCEPTION_EVENT = 'exception';

export const EXCEPTION_TYPE = 'exception.type';
export const EXCEPTION_MESSAGE = 'exception.message';
export const EXCEPTION_STACKTRACE = 'exception.stacktrace';

/** Code points to which type and message are cut where exceptions are counted, so that one message cannot fill a rollup. */
export const MAX_EXCEPTION_CHARACTERS = 256;

/** What the `exception.*` attributes of a span event or a log record tell; what they leave out is "". */
export interface ExceptionDetails {
  readonly type: string;
  readonly message: string;
  readonly stackTrace: string;
}

/** Undefined unless the attributes name the type or the message of an exception. */
export function readException(attributes: Attributes): ExceptionDetails | undefined {
  if (attributes[EXCEPTION_TYPE] === undefined && attributes[EXCEPTION_MESSAGE] === undefined) return undefined;
  return {
    type: String(attributes[EXCEPTION_TYPE] ?? ''),
    message: String(attributes[EXCEPTION_MESSAGE] ?? ''),
    stackTrace: String(attributes[EXCEPTION_STACKTRACE] ?? ''),
  };
}
