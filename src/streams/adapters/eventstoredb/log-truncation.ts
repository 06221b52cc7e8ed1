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
      (await this.#search(stream, first, eventRevision(last), beforeTime)) ?? (await this.#scan(stream, beforeTime));
    await this.metadata.truncateBefore(stream, kept);
    return kept - eventRevision(first);
  }

  /**
   * Revision of the first event recorded at `beforeTime` or later, or the one after the last event. Reads single events:
   * at growing distances from the first one, then between the last two, so that few are read where few are old. Undefined
   * if their times are not in order, because the clock of a leader was wrong: then only a scan finds it.
   */
  async #search(stream: string, first: WireEvent, last: Revision, beforeTime: number): Promise<Revision | undefined> {
    let [old, kept] = [first, last + 1];
    for (let step = 1, isBounded = false; kept - eventRevision(old) > 1; step *= 2) {
      const left = kept - eventRevision(old);
      const revision: Revision = eventRevision(old) + (isBounded ? Math.floor(left / 2) : Math.min(step, left - 1));
      const event = await this.#readAt(stream, revision);
      if (event === undefined || eventRecordedAt(event) < eventRecordedAt(old)) return undefined;
      if (eventRecordedAt(event) < beforeTime) old = event;
      else [kept, isBounded] = [revision, true];
    }
    return kept;
  }

  async #scan(stream: string, beforeTime: number): Promise<Revision> {
    let kept: Revision = 0;
    for await (const event of this.reader.streamEvents(buildStreamRead(stream, 0, NO_LIMIT))) {
      if (eventRecordedAt(event) >= beforeTime) break;
      kept = eventRevision(event) + 1;
    }
    return kept;
  }

  /** The event of a revision, or the next one that the stream still has. */
  async #readAt(stream: string, revision: Revision): Promise<WireEvent | undefined> {
    for await (const event of this.reader.streamEvents(buildStreamRead(stream, revision, 1))) return event;
    return undefined;
  }
}
