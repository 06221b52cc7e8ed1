import { isDamagedEvent } from './damaged-event.js';
import type { EventReader, Position, ReadAllOptions, RecordedEvent, Revision } from './event-store.js';

type ReadableLog = Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'>;

/** Reads a log past its damaged events and remembers their positions, for whoever can do with the rest of the log. */
export class DamageSkippingReader implements ReadableLog {
  private readonly skipped = new Set<Position>();

  constructor(private readonly log: ReadableLog) {}

  /** Positions of the damaged events that reads have met so far, in log order. */
  get damaged(): readonly Position[] {
    return [...this.skipped].sort();
  }

  async readStream(stream: string, from: Revision = 0, limit = Infinity): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    // Reading one by one reaches a damaged event, and skips only that.
    for (let next = from, oneByOne = false; events.length < limit;) {
      const wanted = oneByOne ? 1 : limit - events.length;
      try {
        const batch = await this.log.readStream(stream, next, wanted);
        for (const event of batch) events.push(event);
        if (batch.length < wanted) break;
        next = batch[batch.length - 1].revision + 1;
      } catch (error) {
        if (!isDamagedEvent(error) || error.revision === undefined) throw error;
        if (oneByOne) next = this.skip(error.position, error.revision) + 1;
        oneByOne = !oneByOne;
      }
    }
    return events;
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    for (let from = after; ;) {
      try {
        return await this.log.readAll(from, options);
      } catch (error) {
        if (!isDamagedEvent(error)) throw error;
        from = this.skip(error.position, error.position);
      }
    }
  }

  /** Undefined also if the event is damaged. */
  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    try {
      return await this.log.readEvent(stream, revision);
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      return this.skip(error.position, undefined);
    }
  }

  private skip<Result>(position: Position, result: Result): Result {
    this.skipped.add(position);
    return result;
  }
}
