import { merge, Subject } from 'rxjs';
import type { Health } from '../component.js';
import type { EventReader, Position, ReadAllOptions, RecordedEvent, Revision } from './event-store.js';
import type { ChangeHint, LiveFeed } from './live/live-feed.js';
import { hasPrefix } from './stream-names.js';

export interface LogTailOptions {
  /** Stream prefixes to buffer; reads of other streams go to the log. */
  readonly prefixes: readonly string[];
  /** Limit for the body bytes in the buffer. */
  readonly maxBytes?: number;
  readonly maxEvents?: number;
  /** Interval (ms) at which the log's head is compared with the end of the buffer. */
  readonly headCheckIntervalMs?: number;
  /** The subscription ends after this time (ms) without a `head` call; the next call starts it again. */
  readonly idleTimeoutMs?: number;
}

const SUBSCRIPTION_BATCH = { limit: 512, maxBytes: 4 * 1024 * 1024 };
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_EVENTS = 8_192;
const HEAD_CHECK_INTERVAL_MS = 1_000;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * In-memory buffer of the end of a remote log, kept current by one subscription. Readers close to the head read from
 * the buffer, readers further behind read from the log. Frequent polling therefore costs the servers nothing, and each
 * event crosses the network once.
 *
 * `head` returns the end of the buffer, which may lag behind the log; no matching event up to there is missing. Because
 * a subscription can stall silently, the log's head is checked once a second. If the buffer still lacks an event at the
 * next check, it restarts at the log's head, and readers before that position read from the log.
 */
export class LogTail implements EventReader {
  private events: RecordedEvent[] = [];
  private bytes = 0;
  /** The buffer holds every matching event after `start` up to `end`. Undefined: not subscribed yet. */
  private start: Position | undefined;
  private end = '' as Position;
  private subscription: AbortController | undefined;
  private starting: Promise<void> | undefined;
  private checkedAt = -Infinity;
  /** Position of an event that the log had and the buffer lacked at the last check. */
  private missingEvent: Position | undefined;
  private readonly arrivals = new Subject<ChangeHint>();
  private idleTimer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly log: EventReader,
    private readonly options: LogTailOptions,
  ) {}

  /**
   * Wraps a feed and also emits a hint when events arrive in this buffer. The hint of an append often precedes the
   * event itself: a reader that polls on that hint would find nothing and wait for the next one.
   */
  withArrivalHints(feed: LiveFeed): LiveFeed {
    const { arrivals } = this;
    return {
      announce: (hint) => feed.announce(hint),
      hints: merge(feed.hints, arrivals),
      check: () => feed.check(),
      close: () => feed.close(),
    };
  }

  async head(): Promise<Position> {
    this.idleTimer?.refresh();
    await this.ensureStarted();
    await this.checkForGap();
    return this.end;
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    if (this.start === undefined || after < this.start || !this.covers(options.prefixes))
      return this.log.readAll(after, options);
    return this.readBuffered(after, options);
  }

  readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return this.log.readStream(stream, from, limit);
  }

  readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    return this.log.readEvent(stream, revision);
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return this.log.subscribe(after, options, signal);
  }

  check(): Promise<Health> {
    return this.log.check();
  }

  /** Leaves the log open: its owner closes it. */
  close(): Promise<void> {
    this.closed = true;
    this.suspend();
    return Promise.resolve();
  }

  private covers(prefixes: readonly string[] = []): boolean {
    return prefixes.length > 0 && prefixes.every((prefix) => hasPrefix(prefix, this.options.prefixes));
  }

  private readBuffered(after: Position, { prefixes, limit, maxBytes = Infinity }: ReadAllOptions): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    let bytes = 0;
    for (
      let index = findFirstAfter(this.events, after);
      index < this.events.length && events.length < limit && bytes < maxBytes;
      index++
    ) {
      const event = this.events[index];
      if (!hasPrefix(event.stream, prefixes)) continue;
      events.push(event);
      bytes += event.body?.byteLength ?? 0;
    }
    return events;
  }

  private async ensureStarted(): Promise<void> {
    if (this.start !== undefined) return;
    this.starting ??= this.restart().finally(() => (this.starting = undefined));
    await this.starting;
  }

  private async restart(): Promise<void> {
    const head = await this.log.head();
    if (this.closed) return;
    this.subscription?.abort();
    this.clearBuffer();
    this.start = head;
    this.end = head;
    this.subscription = new AbortController();
    this.idleTimer ??= setTimeout(() => this.suspend(), this.options.idleTimeoutMs ?? IDLE_TIMEOUT_MS).unref();
    this.idleTimer.refresh();
    void this.follow(head, this.subscription.signal);
  }

  /**
   * Runs until the signal aborts. If the subscription fails, for example at a damaged event, the buffer is dropped and
   * restarts at the log's head.
   */
  private async follow(from: Position, signal: AbortSignal): Promise<void> {
    try {
      for await (const batch of this.log.subscribe(
        from,
        { prefixes: this.options.prefixes, ...SUBSCRIPTION_BATCH },
        signal,
      )) {
        if (signal.aborted) return;
        this.buffer(batch);
      }
    } catch {
      // Readers that reach this position in the log get the error and report it.
    }
    if (!signal.aborted) this.suspend();
  }

  private suspend(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
    this.subscription?.abort();
    this.clearBuffer();
    this.start = undefined;
  }

  private buffer(batch: readonly RecordedEvent[]): void {
    const { maxBytes = MAX_BYTES, maxEvents = MAX_EVENTS } = this.options;
    for (const event of batch) {
      this.events.push(event);
      this.bytes += event.body?.byteLength ?? 0;
      this.end = event.position;
    }
    let evicted = 0;
    while (this.bytes > maxBytes || this.events.length - evicted > maxEvents) {
      this.bytes -= this.events[evicted].body?.byteLength ?? 0;
      this.start = this.events[evicted].position;
      evicted++;
    }
    if (evicted > 0) this.events.splice(0, evicted);
    this.arrivals.next({ topic: 'appended', position: this.end });
  }

  private async checkForGap(): Promise<void> {
    const now = performance.now();
    if (now - this.checkedAt < (this.options.headCheckIntervalMs ?? HEAD_CHECK_INTERVAL_MS)) return;
    this.checkedAt = now;
    const { missingEvent, end } = this;
    const head = await this.log.head();
    if (head <= end) return;
    const [next] = await this.log.readAll(end, { prefixes: this.options.prefixes, limit: 1, bodies: false });
    this.missingEvent = next !== undefined && next.position > this.end ? next.position : undefined;
    if (next === undefined) this.advanceEnd(end, head);
    else if (missingEvent !== undefined && missingEvent > this.end) await this.restart();
  }

  /** The events between `end` and `head` belong to other streams. */
  private advanceEnd(end: Position, head: Position): void {
    if (this.end === end && head > end) this.end = head;
  }

  private clearBuffer(): void {
    this.events = [];
    this.bytes = 0;
  }
}

/** Index of the first event after `after`; positions ascend. */
function findFirstAfter(events: readonly RecordedEvent[], after: Position): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].position > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
