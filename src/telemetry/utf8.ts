/** End of the first `characters` code points of the UTF-8 text `bytes[from, to)`; `to` if it has no more. */
export function findTruncationEnd(bytes: Uint8Array, from: number, to: number, characters: number): number {
  if (to - from <= characters) return to;
  let at = from;
  for (let left = characters; at < to; at++) if (isCharacterStart(bytes[at]) && left-- === 0) break;
  return at;
}

/**
 * End of the last complete character of `bytes[from, to)`, a text that may have been cut in the middle of a character.
 */
export function findLastCompleteCharacterEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && !isCharacterStart(bytes[at - 1])) at--;
  if (at === from) return from;
  return at - 1 + characterBytes(bytes[at - 1]) <= to ? to : at - 1;
}

/** Length in bytes of the character with this first byte. */
function characterBytes(lead: number): number {
  if (lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function isCharacterStart(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}

const HIGH_BITS = 0x80808080 | 0;

/** True if `bytes[from, to)` is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF). */
export function isUtf8(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
  let at = from;
  for (const last = to - 4; at <= last && (view.getInt32(at, true) & HIGH_BITS) === 0;) at += 4;
  while (at < to && bytes[at] < 128) at++;
  return at === to || isUtf8WithoutAsciiPrefix(bytes, at, to);
}

function isUtf8WithoutAsciiPrefix(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const lead = bytes[at];
    if (lead < 128) {
      at++;
      continue;
    }
    const size = sequenceSize(lead);
    if (size === 0 || at + size > to) return false;
    if (!isValidSecondByte(lead, bytes[at + 1])) return false;
    for (let i = at + 2; i < at + size; i++) if ((bytes[i] & 0xc0) !== 0x80) return false;
    at += size;
  }
  return true;
}

/** Length in bytes of the sequence with this first byte (128 or more); 0 if no sequence starts with it. */
function sequenceSize(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** The second byte also reveals overlong forms, surrogates and code points that are too large. */
function isValidSecondByte(lead: number, second: number): boolean {
  if ((second & 0xc0) !== 0x80) return false;
  switch (lead) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}
