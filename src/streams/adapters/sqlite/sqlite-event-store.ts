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
import { subscribeByPolling } from '../../polling-subscription.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { type DataFolderLock, lockDataFolder, toEventLogPath } from './data-folder.js';
import type { CheckpointCalls, ReadCalls, WriteCalls } from './worker-protocol.js';
import { toTransferableEvents, WorkerClient } from './worker-client.js';

const MAX_APPEND_BYTES = 16 * 1024 * 1024;

/** `check` promises an answer within 2 s. */
const CHECK_TIMEOUT_MS = 1_500;

/**
 * Opens the log in `dir` for writing and claims the folder. Throws `unavailable` when another process has it.
 * SQLite runs in workers (append, read, checkpoint), never in the thread that calls.
 * @param onLost told when one of the workers died: from then on the store only fails, and the process should start afresh
 */
export async function openEventStore(
  dir: string,
  feed: LiveFeed,
  onLost?: (error: Error) => void,
): Promise<EventStore> {
  const lock = lockDataFolder(dir);
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

class SqliteEventStore implements EventStore {
  readonly maxAppendBytes = MAX_APPEND_BYTES;
  #announced: Position | undefined;
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
    const moved = toTransferableEvents(encodeAppend(events, this.maxAppendBytes));
    const result = await this.workers.writes.call('append', { stream, expected, events: moved.events }, moved.buffers);
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

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return subscribeByPolling(this, this.feed.hints, after, options, signal);
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    this.#assertOpen();
    return this.workers.writes.call('truncate', { prefix, beforeTime });
  }

  async check(): Promise<Health> {
    if (this.#closed !== undefined) return { ok: false, reason: 'the event store is closed' };
    const asked = this.workers.writes
      .call('check', undefined)
      .catch((error: unknown): Health => ({ ok: false, reason: (error as Error).message }));
    return Promise.race([asked, reportUnhealthyAfterTimeout()]);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** The append worker closes last: then nothing keeps it from moving the whole WAL into the database. */
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

  /** One hint for all the appends whose answers came together. */
  #announce(position: Position): void {
    const waiting = this.#announced !== undefined;
    if (!waiting || position > this.#announced!) this.#announced = position;
    if (!waiting) setImmediate(() => this.#sendHint());
  }

  #sendHint(): void {
    const position = this.#announced!;
    this.#announced = undefined;
    this.feed.announce({ topic: 'appended', position });
  }
}

function startWorkers(file: string, onLost?: (error: Error) => void): Workers {
  const { port1, port2 } = new MessageChannel();
  const start = (entry: string, data: object = {}, transferList: TransferListItem[] = []): Worker =>
    new Worker(new URL(entry, import.meta.url), { name: entry, workerData: { file, ...data }, transferList });
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
    setTimeout(() => resolve({ ok: false, reason: 'the append worker does not answer' }), CHECK_TIMEOUT_MS).unref();
  });
}
