import type { Position, Revision } from '../../../event-store.js';
import type { Connection } from '../event-log-connection.js';
import { toPosition } from '../event-row-format.js';
import type { PageRecord } from './page-records.js';
import type { StreamCatalog } from './stream-catalog.js';

/** Consecutive revisions of one stream that could not be saved. */
export interface MissingRange {
  /** Name of the stream, or `stream number 7` if its name is lost, too. */
  readonly stream: string;
  readonly fromRevision: Revision;
  readonly toRevision: Revision;
  readonly events: number;
  /** Positions of the saved events of this stream before and after; absent at either end of the stream. */
  readonly after?: Position;
  readonly before?: Position;
  /** Positions of these events as far as the indexes still name them, at most 100. */
  readonly positions: readonly Position[];
}

/** What the log had and the salvage does not. */
export interface MissingEvents {
  /** Exact for every stream of which any later trace was found: revisions of a stream have no gaps. */
  readonly missing: number;
  /** The first ranges, at most 1,000. */
  readonly ranges: readonly MissingRange[];
}

const MAX_RANGES = 1_000;
const MAX_POSITIONS = 100;

const TABLES = `
  CREATE TEMP TABLE by_stream (position INTEGER PRIMARY KEY, stream INTEGER, revision INTEGER);
  CREATE TEMP TABLE by_category (position INTEGER PRIMARY KEY, stream INTEGER);
  CREATE TEMP TABLE unsaved (position INTEGER PRIMARY KEY, stream INTEGER, revision INTEGER);
  CREATE INDEX temp.by_stream_number ON by_stream (stream, revision);
  CREATE TEMP TABLE floors (stream INTEGER PRIMARY KEY, floor INTEGER);
  CREATE TEMP VIEW known AS
    SELECT position, stream, revision FROM by_stream JOIN by_category USING (position, stream)
    UNION SELECT position, stream, revision FROM unsaved
`;

/** A stream whose row is lost begins with the first event that is known of it. */
const ADD_UNKNOWN_FLOORS = `
  INSERT OR IGNORE INTO floors
  SELECT stream, min(revision) FROM (SELECT stream, revision FROM events UNION ALL SELECT stream, revision FROM known)
  GROUP BY stream
`;

/** A row after the last known revision of each stream closes the gap at its end. */
const RANGES = `
  WITH ends AS (
    SELECT stream, NULL AS position, max(revision) + 1 AS revision
    FROM (SELECT stream, revision FROM events UNION ALL SELECT stream, revision FROM known) GROUP BY stream
  ), saved AS (
    SELECT stream, revision, position,
      lag(revision) OVER stream_order AS before, lag(position) OVER stream_order AS after
    FROM (SELECT stream, revision, position FROM events UNION ALL SELECT stream, revision, position FROM ends)
    WINDOW stream_order AS (PARTITION BY stream ORDER BY revision)
  )
  SELECT stream, coalesce(before + 1, floor) AS first, revision - 1 AS last, after, position AS until
  FROM saved JOIN floors USING (stream)
  WHERE revision > coalesce(before + 1, floor)
`;

interface RangeRow {
  readonly stream: number;
  readonly first: number;
  readonly last: number;
  readonly after: number | null;
  readonly until: number | null;
}

/**
 * Finds the events that the saved log lacks, from the gaps between the revisions of each stream. What the indexes of the
 * damaged log still name shows where a stream ended; an entry counts if both indexes have it, since neither has checksums.
 */
export class MissingEventFinder {
  private readonly addByStream;
  private readonly addByCategory;
  private readonly addUnsaved;

  /** `saved`: the new log, to which events are being added. */
  constructor(private readonly saved: Connection) {
    saved.exec(TABLES);
    this.addByStream = saved.prepare('INSERT OR IGNORE INTO by_stream VALUES (?, ?, ?)');
    this.addByCategory = saved.prepare('INSERT OR IGNORE INTO by_category VALUES (?, ?)');
    this.addUnsaved = saved.prepare('INSERT OR IGNORE INTO unsaved VALUES (?, ?, ?)');
  }

  /** Takes an entry of an index over events; ignores anything else. */
  addIndexEntry({ values }: PageRecord): void {
    if (!values.every((value) => typeof value === 'number' && Number.isSafeInteger(value))) return;
    const [first, second, third, fourth] = values as number[];
    if (values.length === 3) this.addByStream.run(third, first, second);
    if (values.length === 4 && second === fourth) this.addByCategory.run(second, third);
  }

  /** Adds an event whose header is intact and whose body is not. */
  addUnsavedEvent(position: number, stream: number, revision: Revision): void {
    this.addUnsaved.run(position, stream, revision);
  }

  /** Call when all events are saved. */
  find(streams: StreamCatalog): MissingEvents {
    this.addFloors(streams);
    const total = this.saved.prepare(`SELECT sum(last - first + 1) AS missing FROM (${RANGES})`).get();
    const rows = this.saved.prepare(`${RANGES} ORDER BY stream, first LIMIT ${MAX_RANGES}`).all() as RangeRow[];
    return { missing: (total?.missing as number | null) ?? 0, ranges: rows.map((row) => this.describe(row, streams)) };
  }

  private addFloors(streams: StreamCatalog): void {
    const add = this.saved.prepare('INSERT INTO floors VALUES (?, ?)');
    for (const stream of streams.streams()) {
      const floor = streams.findFloor(stream);
      if (floor !== undefined) add.run(stream, floor);
    }
    this.saved.exec(ADD_UNKNOWN_FLOORS);
  }

  private describe({ stream, first, last, after, until }: RangeRow, streams: StreamCatalog): MissingRange {
    const positions = this.saved
      .prepare('SELECT position FROM known WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY position LIMIT ?')
      .all(stream, first, last, MAX_POSITIONS) as { position: number }[];
    return {
      stream: streams.findName(stream) ?? `stream number ${stream}`,
      fromRevision: first,
      toRevision: last,
      events: last - first + 1,
      ...(after !== null && { after: toPosition(after) }),
      ...(until !== null && { before: toPosition(until) }),
      positions: positions.map(({ position }) => toPosition(position)),
    };
  }
}
