import type { Revision } from '../../event-store.js';
import { START } from '../../event-store.js';
import { toHindsightError } from './eventstoredb-errors.js';
import type { EventLogReader } from './event-log-reader.js';
import { countBodyBytes, eventRecordedAt, eventRevision, eventStream } from './event-wire-format.js';
import { NO_LIMIT, buildAllRead, buildStreamRead } from './eventstoredb-requests.js';
import type { StreamMetadata } from './stream-metadata.js';

/** Batch size (events); completed batches remain when the truncation is interrupted. */
const BATCH_EVENTS = 200;

export interface TruncationResult {
  readonly events: number;
  readonly bytes: number;
}

/**
 * Truncates streams with `$tb`, so that they start exactly where the caller says. (`$maxAge` would expire events by
 * itself, even those that a projector has not read yet.) Disk space is freed by the server's next scavenge.
 */
export class LogTruncation {
  constructor(
    private readonly reader: EventLogReader,
    private readonly metadata: StreamMetadata,
    private readonly isClosing: () => boolean,
  ) {}

  async truncate(prefix: string, beforeTime: number): Promise<TruncationResult> {
    let freed: TruncationResult = { events: 0, bytes: 0 };
    try {
      for (const stream of await this.#findStreams(prefix, beforeTime))
        freed = addResults(freed, await this.#truncateStream(stream, beforeTime));
    } catch (error) {
      throw toHindsightError(error, 'truncating');
    }
    return freed;
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

  async #truncateStream(stream: string, beforeTime: number): Promise<TruncationResult> {
    let freed: TruncationResult = { events: 0, bytes: 0 };
    for (let from: Revision = 0; !this.isClosing();) {
      const batch = await this.#readOlderBatch(stream, from, beforeTime);
      if (batch.events === 0) break;
      await this.metadata.truncateBefore(stream, batch.next);
      freed = addResults(freed, batch);
      from = batch.next;
    }
    return freed;
  }

  /** Counts the next events before `beforeTime`. `next` is the revision after them. */
  async #readOlderBatch(
    stream: string,
    from: Revision,
    beforeTime: number,
  ): Promise<TruncationResult & { readonly next: Revision }> {
    let [events, bytes, next] = [0, 0, from];
    for await (const event of this.reader.streamEvents(buildStreamRead(stream, from, BATCH_EVENTS))) {
      if (eventRecordedAt(event) >= beforeTime) break;
      events += 1;
      bytes += countBodyBytes(event);
      next = eventRevision(event) + 1;
    }
    return { events, bytes, next };
  }
}

function addResults(one: TruncationResult, other: TruncationResult): TruncationResult {
  return { events: one.events + other.events, bytes: one.bytes + other.bytes };
}
