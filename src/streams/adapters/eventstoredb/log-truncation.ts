import type { Revision } from '../../event-store.js';
import { START } from '../../event-store.js';
import { toHindsightError } from './eventstoredb-errors.js';
import type { EventLogReader } from './event-log-reader.js';
import { eventRecordedAt, eventRevision, eventStream, type WireEvent } from './event-wire-format.js';
import { NO_LIMIT, buildAllRead, buildStreamRead } from './eventstoredb-requests.js';
import type { StreamMetadata } from './stream-metadata.js';

/**
 * Truncates streams with `$tb`, so that they start exactly where the caller says. (`$maxAge` would expire events by
 * itself, even those that a projector has not read yet.) Disk space is freed by the server's next scavenge.
 */
export class LogTruncation {
  constructor(
    private readonly reader: EventLogReader,
    private readonly metadata: StreamMetadata,
  ) {}

  /** Resolves to the number of truncated events. */
  async truncate(prefix: string, beforeTime: number): Promise<number> {
    let truncated = 0;
    try {
      for (const stream of await this.#findStreams(prefix, beforeTime))
        truncated += await this.#truncateStream(stream, beforeTime);
    } catch (error) {
      throw toHindsightError(error, 'truncating');
    }
    return truncated;
  }

  /** A prefix that is itself a stream name selects only that stream, which avoids scanning the whole log. */
  async #findStreams(prefix: string, beforeTime: number): Promise<Iterable<string>> {
    if (prefix !== '' && (await this.#exists(prefix))) return [prefix];
    const streams = new Set<string>();
    for await (const event of this.reader.streamEvents(buildAllRead(START, [prefix], NO_LIMIT))) {
      if (eventRecordedAt(event) >= beforeTime) break;
      streams.add(eventStream(event));
    }
    return streams;
  }

  async #exists(stream: string): Promise<boolean> {
    return (await this.reader.readLast(stream)) !== undefined || (await this.metadata.readFirstRevision(stream)) > 0;
  }

  async #truncateStream(stream: string, beforeTime: number): Promise<number> {
    const first = await this.#readAt(stream, 0);
    const last = await this.reader.readLast(stream);
    if (first === undefined || last === undefined || eventRecordedAt(first) >= beforeTime) return 0;
    const kept =
      eventRecordedAt(last) < beforeTime
        ? eventRevision(last) + 1
        : await this.#findFirstKept(stream, eventRevision(first), eventRevision(last), beforeTime);
    await this.metadata.truncateBefore(stream, kept);
    return kept - eventRevision(first);
  }

  /**
   * Bisects between an event that is old and a later one that is not, since events are in the order of their times: a
   * stream of a million events is read twenty times, one event each. Where the clock of a new leader went back, the cut
   * is at one of the places where it passed `beforeTime`.
   */
  async #findFirstKept(stream: string, old: Revision, kept: Revision, beforeTime: number): Promise<Revision> {
    while (kept - old > 1) {
      const middle = old + Math.floor((kept - old) / 2);
      const event = await this.#readAt(stream, middle);
      if (event !== undefined && eventRecordedAt(event) < beforeTime) old = Math.max(middle, eventRevision(event));
      else kept = middle;
    }
    return kept;
  }

  /** The event of a revision, or the next one that the stream still has. */
  async #readAt(stream: string, revision: Revision): Promise<WireEvent | undefined> {
    for await (const event of this.reader.streamEvents(buildStreamRead(stream, revision, 1))) return event;
    return undefined;
  }
}
