/** A pair as the address holds it: `key=value`. A key holds no "="; a value may. */
export function parseKeyValue(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

export const formatKeyValue = (key: string, value: string | number): string => `${key}=${value}`;

/** Pairs as searches take them; undefined where there is none. */
export function toAttributeRecord(pairs: readonly string[]): Record<string, string> | undefined {
  const known = pairs.map(parseKeyValue).filter((pair) => pair !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
