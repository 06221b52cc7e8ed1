/** Bytes of brackets, and of what stands between two elements or between a name and its value. */
const BRACKETS = 2;
const SEPARATOR = 1;

/** Bytes of its JSON in UTF-8, as a text within other JSON: that is how it travels, to agents and models alike. */
export function jsonSizeBytes(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.match(/["\\]/g)?.length ?? 0);
}

/** The same, or Infinity for more than `most`: found out without a look at the rest, which may be much. */
export function jsonSizeWithin(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return sizeOrInfinity(jsonSizeBytes(value), most);
  const parts = Array.isArray(value) ? value.values() : namesAndValues(value);
  let bytes = BRACKETS - SEPARATOR;
  for (const part of parts) {
    bytes += SEPARATOR + jsonSizeWithin(part, most - bytes - SEPARATOR);
    if (bytes > most) return Infinity;
  }
  return sizeOrInfinity(Math.max(bytes, BRACKETS), most);
}

/** Names and values by turns. */
function* namesAndValues(object: object): Generator<unknown> {
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield name;
    yield member;
  }
}

function sizeOrInfinity(bytes: number, most: number): number {
  return bytes > most ? Infinity : bytes;
}
