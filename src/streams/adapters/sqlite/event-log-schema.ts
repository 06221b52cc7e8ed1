/** Format of the file, stored in `user_version`. */
export const SCHEMA_VERSION = 1;

/**
 * `body` is the last column, so that headers are read without following its overflow pages. `streams.next_revision` is
 * a lower bound; it matters only for streams whose newest events were truncated. A category is the stream name up to
 * its first `-` or `.`: the category index finds the few administrative events of a Grid among millions of telemetry
 * events.
 */
export const SCHEMA = `
  CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  );
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category INTEGER NOT NULL,
    next_revision INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    category INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    body BLOB
  );
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_category ON events (category, position, stream)
`;

/** Category of a stream, the key of the category index. */
export function parseCategory(stream: string): string {
  const end = stream.search(/[-.]/);
  return end < 0 ? stream : stream.slice(0, end);
}

/** Whether a stream of this category can have a name that starts with the prefix. */
export function canContainPrefix(category: string, prefix: string): boolean {
  return /[-.]/.test(prefix) ? parseCategory(prefix) === category : category.startsWith(prefix);
}
