import type { Revision } from '../../event-store.js';
import { START } from '../../event-store.js';
import { failureOf } from './failures.js';
import type { LogReading } from './log-reading.js';
import { bodyBytesIn, recordedAtIn, revisionIn, streamIn } from './recorded-events.js';
import { ALL, allRead, streamRead } from './requests.js';
import type { StreamMetadata } from './stream-metadata.js';

/** So many events leave at once: what was cut stays cut when the work ends in between. */
const SLICE = 200;

export interface Freed {
  readonly events: number;
  readonly bytes: number;
}

/**
 * Cuts streams by `$tb`: they begin where the caller says, and not before. (`$maxAge` would go on by itself, also past events
 * that a projector has not seen yet.) Disk space comes back with the next scavenge of the server.
 */
export class LogTruncation {
  constructor(private readonly reading: LogReading, private readonly metadata: StreamMetadata, private readonly isClosing: () => boolean) {}

  async truncate(prefix: string, beforeTime: number): Promise<Freed> {
    let freed: Freed = { events: 0, bytes: 0 };
    try {
      for (const stream of await this.#streams(prefix, beforeTime)) freed = sum(freed, await this.#truncateStream(stream, beforeTime));
    } catch (error) {
      throw failureOf(error, 'truncating');
    }
    return freed;
  }

  /** A prefix that is the name of a stream stands for this stream alone: nobody needs to read the whole log for it. */
  async #streams(prefix: string, beforeTime: number): Promise<Iterable<string>> {
    if (prefix !== '' && await this.#exists(prefix)) return [prefix];
    const streams = new Set<string>();
    for await (const event of this.reading.events(allRead(START, [prefix], ALL))) {
      if (recordedAtIn(event) >= beforeTime) break;
      streams.add(streamIn(event));
    }
    return streams;
  }

  async #exists(stream: string): Promise<boolean> {
    return (await this.reading.lastOf(stream)) !== undefined || (await this.metadata.firstRevision(stream)) > 0;
  }

  async #truncateStream(stream: string, beforeTime: number): Promise<Freed> {
    let freed: Freed = { events: 0, bytes: 0 };
    for (let from: Revision = 0; !this.isClosing();) {
      const slice = await this.#older(stream, from, beforeTime);
      if (slice.events === 0) break;
      await this.metadata.beginAt(stream, slice.next);
      freed = sum(freed, slice);
      from = slice.next;
    }
    return freed;
  }

  /** The next events that are older. `next` is the revision behind them. */
  async #older(stream: string, from: Revision, beforeTime: number): Promise<Freed & { readonly next: Revision }> {
    let [events, bytes, next] = [0, 0, from];
    for await (const event of this.reading.events(streamRead(stream, from, SLICE))) {
      if (recordedAtIn(event) >= beforeTime) break;
      events += 1;
      bytes += bodyBytesIn(event);
      next = revisionIn(event) + 1;
    }
    return { events, bytes, next };
  }
}

function sum(one: Freed, other: Freed): Freed {
  return { events: one.events + other.events, bytes: one.bytes + other.bytes };
}
