/** First string that no longer starts with the prefix, in code point order; undefined when there is none. */
export function prefixEnd(value: string): string | undefined {
  const points = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0 && points[points.length - 1] === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === 0xd800 ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
