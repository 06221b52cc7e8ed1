/** Parses `key=value` from the URL; undefined without a key. Keys cannot contain "=", values can. */
export function parseKeyValue(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

export const formatKeyValue = (key: string, value: string | number): string => `${key}=${value}`;

/** Pairs as the attribute filter of a search request; undefined if there are none. */
export function toAttributeRecord(pairs: readonly string[]): Record<string, string> | undefined {
  const entries = pairs.map(parseKeyValue).filter((pair) => pair !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
