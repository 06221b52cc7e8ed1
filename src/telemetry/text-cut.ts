/** Where the first `characters` code points of the UTF-8 text `bytes[from, to)` end; `to` where it has no more than that. */
export function endOfCharacters(bytes: Uint8Array, from: number, to: number, characters: number): number {
  if (to - from <= characters) return to;
  let at = from;
  for (let left = characters; at < to; at++) if (isBoundary(bytes[at]) && left-- === 0) break;
  return at;
}

/** Where the last whole character of `bytes[from, to)` ends, whose text goes on beyond `to` or was cut there. */
export function endOfWhole(bytes: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && !isBoundary(bytes[at - 1])) at--;
  if (at === from) return from;
  return at - 1 + sizeOf(bytes[at - 1]) <= to ? to : at - 1;
}

/** Bytes of the character that begins with this byte. */
function sizeOf(lead: number): number {
  if (lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Does a character begin with this byte? */
function isBoundary(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
