/** Where the first `characters` code points of the UTF-8 text `bytes[from, to)` end; `to` where it has no more than that. */
export function endOfCharacters(bytes: Uint8Array, from: number, to: number, characters: number): number {
  if (to - from <= characters) return to;
  let at = from;
  for (let left = characters; at < to; at++) if (isBoundary(bytes[at]) && left-- === 0) break;
  return at;
}

/** The last boundary of characters in `bytes[from, limit]` of a UTF-8 text that goes on beyond `limit`. */
export function boundaryAt(bytes: Uint8Array, from: number, limit: number): number {
  let at = limit;
  while (at > from && !isBoundary(bytes[at])) at--;
  return at;
}

/** Does a character begin with this byte? */
function isBoundary(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
