import { setImmediate } from 'node:timers/promises';
import type { Position } from '../../../event-store.js';
import { createPrivateFile } from '../data-folder.js';
import type { Connection } from '../event-log-connection.js';
import { openCopyTarget, syncFile } from '../event-log-copy.js';
import { parseCategory } from '../event-log-schema.js';
import { type EventRow, matchesBody, matchesHeader, toPosition } from '../event-row-format.js';
import type { ReadBytes } from './damaged-file.js';
import { DatabasePages, type PageSource } from './database-pages.js';
import { MissingEventFinder, type MissingEvents } from './missing-events.js';
import { type NumberedPage, type PageRecord, readChildren, readPageKind, readRecords } from './page-records.js';
import { StreamCatalog } from './stream-catalog.js';

/** Result of a salvage. Plain data. */
export interface LogSalvage extends MissingEvents {
  /** Events that were saved; each matches its checksum. */
  readonly events: number;
  /** Position of the last saved event; absent if none was. */
  readonly position?: Position;
  /** Time of the last saved event, ms since 1970. */
  readonly recordedAt?: number;
  /** Pages that the file lacks at its end: events that were only there may have left no trace. */
  readonly truncatedPages: number;
  /** Pages, in the file and in the write-ahead log, that the disk does not return completely; events that were only there may have left no trace. */
  readonly unreadablePages: number;
}

/** In pages; each is read twice, or four times if the write-ahead log is damaged. */
export type SalvageProgressListener = (progress: { readonly done: number; readonly total: number }) => void;

/** Pages in one transaction. */
const BATCH_PAGES = 256;

/**
 * Saves the events of a damaged log into the new file `to` (mode 0600), durable when this resolves. Reads every page of
 * the files without SQLite, so neither the header nor the structure of the log needs to be intact, and saves each event
 * that matches its checksum, with its position and revision. What retention had deleted stays deleted. Changes nothing in
 * the damaged log, which nothing may write meanwhile. What the disk does not return counts as damaged.
 * @param readBytes for tests
 */
export async function salvageEventLog(
  file: string,
  to: string,
  onProgress: SalvageProgressListener = () => undefined,
  readBytes?: ReadBytes,
): Promise<LogSalvage> {
  const pages = new DatabasePages(file, readBytes);
  try {
    createPrivateFile(to);
    const target = openCopyTarget(to);
    try {
      return await new LogSalvager(pages, target, onProgress).run();
    } finally {
      target.close();
      syncFile(to);
    }
  } finally {
    pages.close();
  }
}

/** Pages of one source. */
interface CollectedPages {
  readonly source: PageSource;
  /** 1 for each page that says it is a leaf of a table, by page number. */
  readonly leaves: Uint8Array;
}

class LogSalvager {
  private readonly streams = new StreamCatalog();
  private readonly missing: MissingEventFinder;
  private readonly categories = new Map<string, number>();
  private readonly insert;
  private done = 0;

  constructor(
    private readonly pages: DatabasePages,
    private readonly target: Connection,
    private readonly onProgress: SalvageProgressListener,
  ) {
    this.missing = new MissingEventFinder(target);
    this.insert = target.prepare(
      'INSERT OR IGNORE INTO events (position, stream, revision, category, id, type, data, recorded_at, checksum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
  }

  async run(): Promise<LogSalvage> {
    const { pages, missing, streams } = this;
    const faults = pages.faults;
    const latest = await this.collectFrom(pages);
    const unreadablePages = pages.faults - faults + pages.unreadableFrames;
    // What a damaged frame of the write-ahead log had may stand, intact, in an older one or in the file.
    const copies = pages.hasDamagedCopies ? [latest, await this.collectFrom(pages.intactCopies)] : [latest];
    for (const each of copies) await this.saveEventsFrom(each);
    this.saveStreams();
    return { ...this.describeSaved(), ...missing.find(streams), truncatedPages: pages.truncated, unreadablePages };
  }

  private describeSaved(): Pick<LogSalvage, 'events' | 'position' | 'recordedAt'> {
    const last = this.target
      .prepare(
        'SELECT position, recorded_at, (SELECT count(*) FROM events) AS events FROM events ORDER BY position DESC LIMIT 1',
      )
      .get() as { position: number; recorded_at: number; events: number } | undefined;
    return {
      events: last?.events ?? 0,
      ...(last !== undefined && { position: toPosition(last.position), recordedAt: last.recorded_at }),
    };
  }

  /** First pass. */
  private async collectFrom(source: PageSource): Promise<CollectedPages> {
    const leaves = new Uint8Array(this.pages.count + 1);
    await this.forEachPage(source, (page) => this.collect(page, leaves));
    return { source, leaves };
  }

  /** Second pass. */
  private async saveEventsFrom({ source, leaves }: CollectedPages): Promise<void> {
    const unmarked = findUnmarkedLeaves(source, leaves);
    await this.forEachPage(source, (page) => {
      if (leaves[page.number] === 1 || unmarked.has(page.number)) this.saveEvents(page, source);
    });
  }

  private async forEachPage(source: PageSource, handle: (page: NumberedPage) => void): Promise<void> {
    const { count, hasDamagedCopies } = this.pages;
    for (let first = 1; first <= count; first += BATCH_PAGES) {
      this.target.exec('BEGIN');
      for (let number = first; number < first + BATCH_PAGES && number <= count; number++) {
        const bytes = source.read(number);
        if (bytes !== undefined) handle({ number, bytes });
        this.done++;
      }
      this.target.exec('COMMIT');
      this.onProgress({ done: this.done, total: count * (hasDamagedCopies ? 4 : 2) });
      await setImmediate();
    }
  }

  /** Kinds of pages, names of streams, and which events the indexes name. */
  private collect(page: NumberedPage, leaves: Uint8Array): void {
    const kind = readPageKind(page);
    if (kind === 'leafTable') {
      leaves[page.number] = 1;
      for (const record of readRecords(page, kind)) this.streams.add(record);
    } else if (kind === 'leafIndex' || kind === 'interiorIndex') {
      for (const record of readRecords(page, kind)) {
        this.streams.add(record);
        this.missing.addIndexEntry(record);
      }
    }
  }

  /**
   * Saves the events of a leaf, with overflow pages from `source`. An event that retention deleted stands only in free pages
   * and in older copies.
   */
  private saveEvents(page: NumberedPage, source: PageSource): void {
    const isCurrent = source === this.pages && this.pages.isInUse(page.number);
    for (const { rowid, values } of readRecords(page, 'leafTable', source)) {
      const row = rowid === undefined ? undefined : toEventRow(rowid, values);
      const name = row && this.identifyStream(row);
      if (row === undefined || name === undefined) continue;
      if (row.revision < (this.streams.findFloor(row.stream) ?? 0) && !isCurrent) continue;
      if (row.body !== undefined && matchesBody(row.body, row.checksum)) this.saveEvent(row, name);
      else this.missing.addUnsavedEvent(row.position, row.stream, row.revision);
    }
  }

  /** Name under which the header of the event matches its checksum. */
  private identifyStream(row: EventRow): string | undefined {
    const { position: rowid, revision, id, type, data, recorded_at: recordedAt, checksum } = row;
    for (const stream of this.streams.candidates(row.stream)) {
      if (!matchesHeader({ rowid, stream, revision, id, type, data, recordedAt }, checksum)) continue;
      this.streams.confirm(row.stream, stream);
      return stream;
    }
    return undefined;
  }

  private saveEvent(row: EventRow, name: string): void {
    const { position, stream, revision, id, type, data, recorded_at: recordedAt, checksum, body = null } = row;
    this.insert.run(position, stream, revision, this.findCategory(name), id, type, data, recordedAt, checksum, body);
  }

  private findCategory(stream: string): number {
    const name = parseCategory(stream);
    const number = this.categories.get(name) ?? this.categories.size + 1;
    this.categories.set(name, number);
    return number;
  }

  /** A stream whose events have all expired is kept as well, so that it continues with its next revision. */
  private saveStreams(): void {
    this.target.exec('BEGIN');
    const addStream = this.target.prepare(
      'INSERT OR IGNORE INTO streams (id, name, category, next_revision) VALUES (?, ?, ?, ?)',
    );
    const hasEvents = this.target.prepare('SELECT 1 FROM events WHERE stream = ? LIMIT 1');
    for (const stream of this.streams.streams()) {
      const name = this.streams.findName(stream);
      const floor = this.streams.findFloor(stream) ?? 0;
      if (name !== undefined && (floor > 0 || hasEvents.get(stream) !== undefined))
        addStream.run(stream, name, this.findCategory(name), floor);
    }
    const addCategory = this.target.prepare('INSERT INTO categories (id, name) VALUES (?, ?)');
    for (const [name, number] of this.categories) addCategory.run(number, name);
    this.target.exec('COMMIT');
  }
}

/**
 * Leaves of the table of events whose first byte is damaged: only the tree shows what they are. Any other page may hold
 * bytes that a client sent, and is not searched for events.
 */
function findUnmarkedLeaves(source: PageSource, leaves: Uint8Array): ReadonlySet<number> {
  const unmarked = new Set<number>();
  const seen = new Set<number>();
  const pending = findRootOfEvents(source);
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (leaves[number] === 1 || seen.has(number)) continue;
    seen.add(number);
    const bytes = source.read(number);
    if (bytes === undefined) continue;
    if (readPageKind({ number, bytes }) === 'interiorTable') pending.push(...readChildren({ number, bytes }));
    else unmarked.add(number);
  }
  return unmarked;
}

function findRootOfEvents(source: PageSource): number[] {
  const bytes = source.read(1);
  if (bytes === undefined) return [];
  const tables = [...readRecords({ number: 1, bytes }, 'leafTable')].map(({ values }) => values);
  const root = tables.find(([type, name]) => type === 'table' && name === 'events')?.[3];
  return typeof root === 'number' ? [root] : [];
}

/** Undefined if the record is no row of the table of events. A body that cannot be read is undefined. */
function toEventRow(position: number, values: PageRecord['values']): EventRow | undefined {
  const [rowid, stream, revision, category, id, type, data, recordedAt, checksum, body] = values;
  const isRow =
    values.length === 10 &&
    rowid === null &&
    [stream, revision, category, recordedAt].every(Number.isSafeInteger) &&
    [id, type, data].every((value) => typeof value === 'string') &&
    checksum instanceof Uint8Array;
  if (!isRow) return undefined;
  return {
    position,
    stream: stream as number,
    revision: revision as number,
    id: id as string,
    type: type as string,
    data: data as string,
    recorded_at: recordedAt as number,
    checksum,
    ...((body === null || body instanceof Uint8Array) && { body }),
  };
}
