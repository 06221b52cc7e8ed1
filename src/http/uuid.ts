const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID that a text is, in lower case: RFC 9562 has UUIDs read without regard to case, and ours are kept so. Undefined where it is none. */
export function uuidOf(text: string): string | undefined {
  const lower = text.toLowerCase();
  return UUID.test(lower) ? lower : undefined;
}
