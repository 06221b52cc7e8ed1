/** Bytes of brackets, and of the separator between elements or between a name and its value. */
const BRACKETS = 2;
const SEPARATOR = 1;

/**
 * Size in bytes of the value's JSON in UTF-8, escaped as a string within other JSON: the form in which agents and
 * models receive it.
 */
export function jsonSizeBytes(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.match(/["\\]/g)?.length ?? 0);
}

/** The same, or Infinity if it exceeds `most`; stops early, since the value may be large. */
export function jsonSizeWithin(value: unknown, maxBytes: number): number {
  if (typeof value !== 'object' || value === null) return sizeOrInfinity(jsonSizeBytes(value), maxBytes);
  const parts = Array.isArray(value) ? value.values() : namesAndValues(value);
  let bytes = BRACKETS - SEPARATOR;
  for (const part of parts) {
    bytes += SEPARATOR + jsonSizeWithin(part, maxBytes - bytes - SEPARATOR);
    if (bytes > maxBytes) return Infinity;
  }
  return sizeOrInfinity(Math.max(bytes, BRACKETS), maxBytes);
}

/** Names and values alternately. */
function* namesAndValues(object: object): Generator<unknown> {
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield name;
    yield member;
  }
}

function sizeOrInfinity(bytes: number, maxBytes: number): number {
  return bytes > maxBytes ? Infinity : bytes;
}
