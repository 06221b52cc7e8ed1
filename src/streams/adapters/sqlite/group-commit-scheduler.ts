import { HindsightError } from '../../../errors.js';
import { hasPrefix, TELEMETRY_PREFIX } from '../../stream-names.js';
import { isDiskFull, isUnsyncedDatabase } from './disk-errors.js';
import type { DiskReserve } from './disk-reserve.js';
import type { EventLogWriter } from './event-log-writer.js';
import { toFault } from './worker-protocol.js';
import type { Call, Reply, WriteCalls } from './worker-protocol.js';
import { truncateInBatches } from './log-truncation.js';
import type { TruncationResult } from './log-truncation.js';
import { restartWal } from './wal-checkpointer.js';
import type { WalCheckpointer } from './wal-checkpointer.js';

/** Byte limit of one transaction: in a larger group the first append would wait for the last. */
const GROUP_BYTES = 8 * 1024 * 1024;

type WriteCall = Call<WriteCalls>;
type AppendCall = Extract<WriteCall, { kind: 'append' }>;
type TruncateCall = Extract<WriteCall, { kind: 'truncate' }>;

interface PendingTruncation {
  readonly id: number;
  readonly batches: Generator<void, TruncationResult, void>;
}

/**
 * Schedules the work of the append worker: all appends that queued during the last commit form the next group; batches
 * of a truncation run in between. Replies are sent before WAL maintenance.
 */
export class GroupCommitScheduler {
  #appends: AppendCall[] = [];
  readonly #truncations: PendingTruncation[] = [];
  #closing: number | undefined;

  constructor(
    private readonly writer: EventLogWriter,
    private readonly wal: WalCheckpointer,
    private readonly reserve: DiskReserve,
    private readonly reply: (replies: Reply[]) => void,
  ) {}

  get busy(): boolean {
    return this.#appends.length > 0 || this.#truncations.length > 0 || this.#closing !== undefined;
  }

  receive(calls: readonly WriteCall[]): void {
    for (const call of calls) this.#receive(call);
  }

  /** Commits one group and runs one truncation batch; the caller then receives new calls before the next step. */
  step(): void {
    if (this.#appends.length > 0) this.#commitGroup();
    if (this.#truncations.length > 0) this.#advanceTruncation();
    if (this.#closing !== undefined && this.#appends.length === 0) this.#close(this.#closing);
  }

  /** Called when the checkpointer has finished a pass. */
  afterCheckpointPass(): void {
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterPass(database)));
  }

  #receive(call: WriteCall): void {
    switch (call.kind) {
      case 'append':
        this.#appends.push(call);
        break;
      case 'truncate':
        this.#truncations.push({ id: call.id, batches: this.#startTruncation(call) });
        break;
      case 'open':
        this.#answer(call.id, () => this.writer.withConnection(() => undefined));
        break;
      case 'check':
        this.#answer(call.id, () => this.writer.check());
        break;
      case 'close':
        this.#closing = call.id;
        break;
      default:
        call satisfies never;
    }
  }

  #startTruncation({ request }: TruncateCall): Generator<void, TruncationResult, void> {
    return truncateInBatches(this.writer, request.prefix, request.beforeTime);
  }

  #commitGroup(): void {
    const group = this.#takeGroup();
    if (this.#acceptsTelemetry()) this.#commitWhole(group);
    else this.#commitCommands(group, new HindsightError('unavailable', 'The disk is full'));
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterCommit(database)));
  }

  #acceptsTelemetry(): boolean {
    try {
      return this.reserve.held;
    } catch (error) {
      this.writer.recordFault(error as Error);
      return false;
    }
  }

  #commitWhole(group: readonly AppendCall[]): void {
    const fault = this.#commit(group);
    if (fault === undefined) return;
    if (!isDiskFull(fault)) return this.#fail(group, fault);
    this.reserve.release();
    this.#commitCommands(group, fault);
  }

  /** On a full disk the remaining space is for commands: telemetry is rejected. */
  #commitCommands(group: readonly AppendCall[], reason: unknown): void {
    const isTelemetry = ({ request }: AppendCall): boolean => hasPrefix(request.stream, [TELEMETRY_PREFIX]);
    const commands = group.filter((call) => !isTelemetry(call));
    this.#fail(group.filter(isTelemetry), reason);
    const fault = commands.length === 0 ? undefined : this.#commit(commands);
    if (fault !== undefined) this.#fail(commands, fault);
  }

  /** Undefined: durable, and replies were sent. Otherwise the error, and no replies were sent. */
  #commit(group: readonly AppendCall[]): unknown {
    try {
      const results = this.writer.commit(group.map((call) => call.request));
      this.reply(group.map(({ id }, i) => ({ id, answer: results[i] })));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #fail(group: readonly AppendCall[], reason: unknown): void {
    const fault = toFault(reason);
    this.reply(group.map(({ id }) => ({ id, fault })));
  }

  #takeGroup(): AppendCall[] {
    let bytes = 0;
    const end = this.#appends.findIndex((call) => (bytes += countBytes(call)) >= GROUP_BYTES);
    const group = end < 0 ? this.#appends : this.#appends.slice(0, end + 1);
    this.#appends = end < 0 ? [] : this.#appends.slice(end + 1);
    return group;
  }

  #advanceTruncation(): void {
    const { id, batches } = this.#truncations[0];
    try {
      const { done, value } = batches.next();
      if (done === true) {
        this.#truncations.shift();
        this.reply([{ id, answer: value }]);
      }
    } catch (error) {
      this.#truncations.shift();
      this.reply([{ id, fault: toFault(error) }]);
    }
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterCommit(database)));
  }

  /**
   * A failure does not affect acknowledged appends: it shows in `check` and at the next append. A database that could
   * not be synced terminates the worker and with it the service.
   */
  #maintainWal(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isUnsyncedDatabase(error)) throw error;
      this.writer.recordFault(error as Error);
    }
  }

  #answer(id: number, work: () => unknown): void {
    try {
      this.reply([{ id, answer: work() }]);
    } catch (error) {
      this.reply([{ id, fault: toFault(error) }]);
    }
  }

  #close(id: number): void {
    const fault = toFault(new HindsightError('unavailable', 'The event store is closed'));
    this.reply(this.#truncations.splice(0).map((truncation) => ({ id: truncation.id, fault })));
    this.#closing = undefined;
    this.#maintainWal(() => this.writer.withConnection((database) => restartWal(database, 'TRUNCATE')));
    this.#answer(id, () => this.writer.close());
  }
}

function countBytes({ request }: AppendCall): number {
  return request.events.reduce((sum, { data, body }) => sum + data.length + (body?.byteLength ?? 0), 0);
}
