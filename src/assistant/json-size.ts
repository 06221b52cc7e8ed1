/** Bytes of brackets, and of what stands between two elements or between a name and its value. */
const BRACKETS = 2;
const MARK = 1;

/** Bytes of its JSON in UTF-8, as a text within other JSON: that is how it travels, to agents and models alike. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (json.match(/["\\]/g)?.length ?? 0);
}

/** The same, or Infinity for more than `most`: found out without a look at the rest, which may be much. */
export function bytesWithin(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return within(bytesOf(value), most);
  const parts = Array.isArray(value) ? value.values() : partsOf(value);
  let bytes = BRACKETS - MARK;
  for (const part of parts) {
    bytes += MARK + bytesWithin(part, most - bytes - MARK);
    if (bytes > most) return Infinity;
  }
  return within(Math.max(bytes, BRACKETS), most);
}

/** Names and values by turns. */
function* partsOf(object: object): Generator<unknown> {
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield name;
    yield member;
  }
}

function within(bytes: number, most: number): number {
  return bytes > most ? Infinity : bytes;
}
