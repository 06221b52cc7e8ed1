import { MessageChannel, Worker } from 'node:worker_threads';
import type { TransferListItem } from 'node:worker_threads';
import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { encodeAppend } from '../../event-encoding.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  RecordedEvent,
  Revision,
} from '../../event-store.js';
import type { CheckedSlice, LogChecker } from '../../log-checker.js';
import { subscribeByPolling } from '../../polling-subscription.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { type DataFolderLock, lockDataFolder, toEventLogPath } from './data-folder.js';
import type { CheckpointCalls, ReadCalls, WriteCalls } from './worker-protocol.js';
import { assertWalUndamaged } from './wal-damage.js';
import { toTransferableEvents, WorkerClient } from './worker-client.js';

const MAX_APPEND_BYTES = 16 * 1024 * 1024;

/** `Component.check` must resolve within 2 s. */
const CHECK_TIMEOUT_MS = 1_500;

/**
 * Opens the log in `dir` for writing and locks the folder. Throws `unavailable` when another process holds it, and
 * `DamagedWalError` if the write-ahead log is so damaged that SQLite would drop commits. SQLite runs in worker threads (append,
 * read, checkpoint), never in the calling thread.
 * @param onLost called when a worker died: the store then rejects every call, and the process should restart
 */
export async function openEventStore(
  dir: string,
  feed: LiveFeed,
  onLost?: (error: Error) => void,
): Promise<EventStore & LogChecker> {
  const lock = lockDataFolder(dir);
  try {
    assertWalUndamaged(toEventLogPath(dir));
  } catch (error) {
    lock.release();
    throw error;
  }
  const store = new SqliteEventStore(startWorkers(toEventLogPath(dir), onLost), lock, feed);
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Workers {
  readonly writes: WorkerClient<WriteCalls>;
  readonly reads: WorkerClient<ReadCalls>;
  readonly checkpoints: WorkerClient<CheckpointCalls>;
}

class SqliteEventStore implements EventStore, LogChecker {
  readonly maxAppendBytes = MAX_APPEND_BYTES;
  #pendingHint: Position | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly workers: Workers,
    private readonly lock: DataFolderLock,
    private readonly feed: LiveFeed,
  ) {}

  async open(): Promise<void> {
    await this.workers.writes.call('open', undefined);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    this.#assertOpen();
    const transferable = toTransferableEvents(encodeAppend(events, this.maxAppendBytes));
    const result = await this.workers.writes.call(
      'append',
      { stream, expected, events: transferable.events },
      transferable.buffers,
    );
    if (result.ok && events.length > 0) this.#announce(result.position);
    return result;
  }

  async readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    this.#assertOpen();
    return this.workers.reads.call('readStream', { stream, from, limit });
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    this.#assertOpen();
    return this.workers.reads.call('readAll', { after, options });
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    this.#assertOpen();
    return this.workers.reads.call('readEvent', { stream, revision });
  }

  async head(): Promise<Position> {
    this.#assertOpen();
    return this.workers.reads.call('head', undefined);
  }

  async checkAfter(after: Position): Promise<CheckedSlice> {
    this.#assertOpen();
    return this.workers.reads.call('checkAfter', after);
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return subscribeByPolling(this, this.feed.hints, after, options, signal);
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    this.#assertOpen();
    return this.workers.writes.call('truncate', { prefix, beforeTime });
  }

  async check(): Promise<Health> {
    if (this.#closed !== undefined) return { ok: false, reason: 'the event store is closed' };
    const health = this.workers.writes
      .call('check', undefined)
      .catch((error: unknown): Health => ({ ok: false, reason: (error as Error).message }));
    return Promise.race([health, reportUnhealthyAfterTimeout()]);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** The append worker closes last: only then can it move the whole WAL into the database. */
  async #close(): Promise<void> {
    const { reads, checkpoints, writes } = this.workers;
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const worker of [reads, checkpoints, writes]) outcomes.push(...(await Promise.allSettled([worker.stop()])));
    this.lock.release();
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new HindsightError('unavailable', 'The event store is closed');
  }

  /** Emits one hint for all appends whose replies arrived together. */
  #announce(position: Position): void {
    const isScheduled = this.#pendingHint !== undefined;
    if (!isScheduled || position > this.#pendingHint!) this.#pendingHint = position;
    if (!isScheduled) setImmediate(() => this.#sendHint());
  }

  #sendHint(): void {
    const position = this.#pendingHint!;
    this.#pendingHint = undefined;
    this.feed.announce({ topic: 'appended', position });
  }
}

/**
 * Space for new objects: three semi-spaces of 4 MiB. Those of the default, 16 MiB each, fill in a thread that handles one
 * small object after another, and stay.
 */
const WORKER_LIMITS = { maxYoungGenerationSizeMb: 12 };

function startWorkers(file: string, onLost?: (error: Error) => void): Workers {
  const { port1, port2 } = new MessageChannel();
  const start = (entry: string, data: object = {}, transferList: TransferListItem[] = []): Worker =>
    new Worker(new URL(entry, import.meta.url), {
      name: entry,
      workerData: { file, ...data },
      transferList,
      resourceLimits: WORKER_LIMITS,
    });
  return {
    writes: new WorkerClient(start('./append-worker.js', { passes: port1 }, [port1]), 'The append worker', onLost),
    checkpoints: new WorkerClient(
      start('./checkpoint-worker.js', { passes: port2 }, [port2]),
      'The checkpoint worker',
      onLost,
    ),
    reads: new WorkerClient(start('./read-worker.js'), 'The read worker', onLost),
  };
}

function reportUnhealthyAfterTimeout(): Promise<Health> {
  return new Promise((resolve) => {
    setTimeout(
      () => resolve({ ok: false, reason: `the append worker did not respond within ${CHECK_TIMEOUT_MS / 1_000} s` }),
      CHECK_TIMEOUT_MS,
    ).unref();
  });
}
