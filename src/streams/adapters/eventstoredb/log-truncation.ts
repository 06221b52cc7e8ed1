import type { Revision } from '../../event-store.js';
import { START } from '../../event-store.js';
import { toHindsightError } from './eventstoredb-errors.js';
import type { EventLogReader } from './event-log-reader.js';
import { countBodyBytes, eventRecordedAt, eventRevision, eventStream } from './event-wire-format.js';
import { NO_LIMIT, buildAllRead, buildStreamRead } from './eventstoredb-requests.js';
import type { StreamMetadata } from './stream-metadata.js';

/** So many events leave at once: what was cut stays cut when the work ends in between. */
const BATCH_EVENTS = 200;

export interface TruncationResult {
  readonly events: number;
  readonly bytes: number;
}

/**
 * Cuts streams by `$tb`: they begin where the caller says, and not before. (`$maxAge` would go on by itself, also past events
 * that a projector has not seen yet.) Disk space comes back with the next scavenge of the server.
 */
export class LogTruncation {
  constructor(
    private readonly reading: EventLogReader,
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

  /** A prefix that is the name of a stream stands for this stream alone: nobody needs to read the whole log for it. */
  async #findStreams(prefix: string, beforeTime: number): Promise<Iterable<string>> {
    if (prefix !== '' && (await this.#exists(prefix))) return [prefix];
    const streams = new Set<string>();
    for await (const event of this.reading.streamEvents(buildAllRead(START, [prefix], NO_LIMIT))) {
      if (eventRecordedAt(event) >= beforeTime) break;
      streams.add(eventStream(event));
    }
    return streams;
  }

  async #exists(stream: string): Promise<boolean> {
    return (await this.reading.readLast(stream)) !== undefined || (await this.metadata.readFirstRevision(stream)) > 0;
  }

  async #truncateStream(stream: string, beforeTime: number): Promise<TruncationResult> {
    let freed: TruncationResult = { events: 0, bytes: 0 };
    for (let from: Revision = 0; !this.isClosing();) {
      const slice = await this.#readOlderBatch(stream, from, beforeTime);
      if (slice.events === 0) break;
      await this.metadata.truncateBefore(stream, slice.next);
      freed = addResults(freed, slice);
      from = slice.next;
    }
    return freed;
  }

  /** The next events that are older. `next` is the revision behind them. */
  async #readOlderBatch(
    stream: string,
    from: Revision,
    beforeTime: number,
  ): Promise<TruncationResult & { readonly next: Revision }> {
    let [events, bytes, next] = [0, 0, from];
    for await (const event of this.reading.streamEvents(buildStreamRead(stream, from, BATCH_EVENTS))) {
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
