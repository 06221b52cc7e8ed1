const RADIX = 36;
const FORM = /^([0-9a-z]{1,11})-([0-9a-z]{1,7})$/;

/** Public id of a log record: the event that brought it and its place in there. Opaque to callers. */
export function logId(revision: number, ordinal: number): string {
  return `${revision.toString(RADIX)}-${ordinal.toString(RADIX)}`;
}

/** What the id names; undefined for anything that `logId` never gave. */
export function parseLogId(id: string): { revision: number; ordinal: number } | undefined {
  const match = FORM.exec(id);
  if (match === null) return undefined;
  const revision = parseInt(match[1], RADIX);
  const ordinal = parseInt(match[2], RADIX);
  return logId(revision, ordinal) === id ? { revision, ordinal } : undefined;
}
