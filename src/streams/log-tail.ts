import { merge, Subject } from 'rxjs';
import type { Health } from '../component.js';
import type { EventReader, Position, ReadAllOptions, RecordedEvent, Revision } from './event-store.js';
import type { ChangeHint, LiveFeed } from './live/live-feed.js';
import { hasPrefix } from './stream-names.js';

export interface LogTailOptions {
  /** Streams that readers ask for; what they ask of others goes to the log. */
  readonly prefixes: readonly string[];
  /** Bytes of bodies that are kept. */
  readonly maxBytes?: number;
  readonly maxEvents?: number;
  /** How often the log is asked whether the tail still has its end (ms). */
  readonly lookMs?: number;
  /** A tail whose head nobody asked for so long (ms) lets go of the log until the next one asks. */
  readonly restMs?: number;
}

const SUBSCRIPTION_BATCH = { limit: 512, maxBytes: 4 * 1024 * 1024 };
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_EVENTS = 8_192;
const HEAD_CHECK_INTERVAL_MS = 1_000;
const IDLE_TIMEOUT_MS = 30_000;

/**
 * The end of a remote log in memory, kept current by one subscription: whoever follows the log closely reads here, as often as he likes, and
 * whoever is behind reads the log. So a poll costs the servers nothing, and an event crosses the network once.
 *
 * `head` is how far the tail has come, which may be less than the log; nothing that matches and stands up to there is missing. A subscription
 * may hang without a word: so the log itself is asked once a second what stands behind the tail. A tail that still lacks it a second
 * later begins anew at the log's head, and all who stand before that read the log.
 */
export class LogTail implements EventReader {
  private events: RecordedEvent[] = [];
  private bytes = 0;
  /** Every matching event behind `start`, up to `end`, is here. Undefined: nothing is followed yet. */
  private start: Position | undefined;
  private end = '' as Position;
  private following: AbortController | undefined;
  private beginning: Promise<void> | undefined;
  private lookedAt = -Infinity;
  /** An event that the log had and the tail had not, when it was last looked. */
  private lacking: Position | undefined;
  private readonly arrivals = new Subject<ChangeHint>();
  private resting: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly log: EventReader,
    private readonly options: LogTailOptions,
  ) {}

  /**
   * A feed that tells also of what has come here. That an event was appended is often heard before it comes: who looks then finds
   * nothing, and would wait for the next one.
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
    this.resting?.refresh();
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

  /** Leaves the log open: it belongs to whoever opened it. */
  close(): Promise<void> {
    this.closed = true;
    this.suspend();
    return Promise.resolve();
  }

  private covers(prefixes: readonly string[] = []): boolean {
    return prefixes.length > 0 && prefixes.every((wanted) => hasPrefix(wanted, this.options.prefixes));
  }

  private readBuffered(after: Position, { prefixes, limit, maxBytes = Infinity }: ReadAllOptions): RecordedEvent[] {
    const found: RecordedEvent[] = [];
    let bytes = 0;
    for (
      let at = findFirstAfter(this.events, after);
      at < this.events.length && found.length < limit && bytes < maxBytes;
      at++
    ) {
      const event = this.events[at];
      if (!hasPrefix(event.stream, prefixes)) continue;
      found.push(event);
      bytes += event.body?.byteLength ?? 0;
    }
    return found;
  }

  private async ensureStarted(): Promise<void> {
    if (this.start !== undefined) return;
    this.beginning ??= this.restart().finally(() => (this.beginning = undefined));
    await this.beginning;
  }

  private async restart(): Promise<void> {
    const head = await this.log.head();
    if (this.closed) return;
    this.following?.abort();
    this.clearBuffer();
    this.start = head;
    this.end = head;
    this.following = new AbortController();
    this.resting ??= setTimeout(() => this.suspend(), this.options.restMs ?? IDLE_TIMEOUT_MS).unref();
    this.resting.refresh();
    void this.follow(head, this.following.signal);
  }

  /** Ends with the signal. Where the log cannot be followed any further, because of damage for one, the tail begins anew behind it. */
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
      // Whoever reads the log past this place is told what is wrong with it, and tells it.
    }
    if (!signal.aborted) this.suspend();
  }

  private suspend(): void {
    clearTimeout(this.resting);
    this.resting = undefined;
    this.following?.abort();
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
    let gone = 0;
    while (this.bytes > maxBytes || this.events.length - gone > maxEvents) {
      this.bytes -= this.events[gone].body?.byteLength ?? 0;
      this.start = this.events[gone].position;
      gone++;
    }
    if (gone > 0) this.events.splice(0, gone);
    this.arrivals.next({ topic: 'appended', position: this.end });
  }

  private async checkForGap(): Promise<void> {
    const now = performance.now();
    if (now - this.lookedAt < (this.options.lookMs ?? HEAD_CHECK_INTERVAL_MS)) return;
    this.lookedAt = now;
    const { lacking, end } = this;
    const head = await this.log.head();
    if (head <= end) return;
    const [next] = await this.log.readAll(end, { prefixes: this.options.prefixes, limit: 1, bodies: false });
    this.lacking = next !== undefined && next.position > this.end ? next.position : undefined;
    if (next === undefined) this.advanceEnd(end, head);
    else if (lacking !== undefined && lacking > this.end) await this.restart();
  }

  /** What stands between is of other streams. */
  private advanceEnd(end: Position, head: Position): void {
    if (this.end === end && head > end) this.end = head;
  }

  private clearBuffer(): void {
    this.events = [];
    this.bytes = 0;
  }
}

/** Index of the first event behind `after`; positions ascend. */
function findFirstAfter(events: readonly RecordedEvent[], after: Position): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].position > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
