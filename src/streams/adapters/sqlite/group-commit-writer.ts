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

/** What one transaction takes at most: a larger group would make its first append wait for its last. */
const GROUP_BYTES = 8 * 1024 * 1024;

type WriteCall = Call<WriteCalls>;
type AppendCall = Extract<WriteCall, { kind: 'append' }>;
type TruncateCall = Extract<WriteCall, { kind: 'truncate' }>;

interface PendingTruncation {
  readonly id: number;
  readonly slices: Generator<void, TruncationResult, void>;
}

/**
 * The append worker's order of work: everything that queued while the last commit ran is the next group; a slice of
 * truncation goes in between. Replies go out before the WAL is looked after.
 */
export class GroupCommitWriter {
  #appends: AppendCall[] = [];
  readonly #chores: PendingTruncation[] = [];
  #closing: number | undefined;

  constructor(
    private readonly writer: EventLogWriter,
    private readonly wal: WalCheckpointer,
    private readonly reserve: DiskReserve,
    private readonly reply: (replies: Reply[]) => void,
  ) {}

  get busy(): boolean {
    return this.#appends.length > 0 || this.#chores.length > 0 || this.#closing !== undefined;
  }

  receive(calls: readonly WriteCall[]): void {
    for (const call of calls) this.#receive(call);
  }

  /** One group, one slice; the caller receives what came in meanwhile before the next. */
  step(): void {
    if (this.#appends.length > 0) this.#commitGroup();
    if (this.#chores.length > 0) this.#advanceTruncation();
    if (this.#closing !== undefined && this.#appends.length === 0) this.#close(this.#closing);
  }

  /** The checkpointer has ended a pass. */
  afterCheckpointPass(): void {
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterPass(database)));
  }

  #receive(call: WriteCall): void {
    switch (call.kind) {
      case 'append':
        this.#appends.push(call);
        break;
      case 'truncate':
        this.#chores.push({ id: call.id, slices: this.#startTruncation(call) });
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
    if (this.#canAcceptTelemetry()) this.#commitWhole(group);
    else this.#commitCommands(group, new HindsightError('unavailable', 'The disk is full'));
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterCommit(database)));
  }

  #canAcceptTelemetry(): boolean {
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
    if (!isDiskFull(fault)) return this.#refuse(group, fault);
    this.reserve.release();
    this.#commitCommands(group, fault);
  }

  /** On a full disk what is left is for commands: telemetry is refused. */
  #commitCommands(group: readonly AppendCall[], reason: unknown): void {
    const isTelemetry = ({ request }: AppendCall): boolean => hasPrefix(request.stream, [TELEMETRY_PREFIX]);
    const commands = group.filter((call) => !isTelemetry(call));
    this.#refuse(group.filter(isTelemetry), reason);
    const fault = commands.length === 0 ? undefined : this.#commit(commands);
    if (fault !== undefined) this.#refuse(commands, fault);
  }

  /** Undefined: durable, and answered. Else why not, and nobody was answered. */
  #commit(group: readonly AppendCall[]): unknown {
    try {
      const results = this.writer.commit(group.map((call) => call.request));
      this.reply(group.map(({ id }, i) => ({ id, answer: results[i] })));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #refuse(group: readonly AppendCall[], reason: unknown): void {
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
    const { id, slices } = this.#chores[0];
    try {
      const { done, value } = slices.next();
      if (done === true) {
        this.#chores.shift();
        this.reply([{ id, answer: value }]);
      }
    } catch (error) {
      this.#chores.shift();
      this.reply([{ id, fault: toFault(error) }]);
    }
    this.#maintainWal(() => this.writer.withConnection((database) => this.wal.afterCommit(database)));
  }

  /**
   * What was acknowledged stays so: a WAL that cannot be looked after shows in `check` and at the next append. A database
   * that could not be synced ends the worker and with it the service.
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
    this.reply(this.#chores.splice(0).map((chore) => ({ id: chore.id, fault })));
    this.#closing = undefined;
    this.#maintainWal(() => this.writer.withConnection((database) => restartWal(database, 'TRUNCATE')));
    this.#answer(id, () => this.writer.close());
  }
}

function countBytes({ request }: AppendCall): number {
  return request.events.reduce((sum, { data, body }) => sum + data.length + (body?.byteLength ?? 0), 0);
}
