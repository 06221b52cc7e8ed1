/**
 * An attribute as the API shows it: a string or a number. Integers beyond 2^53 − 1 are decimal strings, booleans
 * `"true"`/`"false"`, NaN and infinities `"NaN"`, `"Infinity"`, `"-Infinity"`, bytes base64, arrays and maps JSON text,
 * an empty value `""`. `String(value)` is the form that tag filters compare.
 */
export type AttributeValue = string | number;

/** Attributes by key, on a null prototype: `__proto__` is data here. Of a repeated key the first value counts. */
export type Attributes = Record<string, AttributeValue>;
