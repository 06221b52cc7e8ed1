import { HindsightError } from '../../../errors.js';
import { hasPrefix, TELEMETRY_PREFIX } from '../../stream-names.js';
import { isDiskFull, isUnsyncedDatabase } from './disk-faults.js';
import type { DiskReserve } from './disk-reserve.js';
import type { LogWriter } from './log-writer.js';
import { faultOf } from './messages.js';
import type { Call, Reply, WriteCalls } from './messages.js';
import { truncate } from './truncation.js';
import type { Truncated } from './truncation.js';
import { startOver } from './wal-keeper.js';
import type { WalKeeper } from './wal-keeper.js';

/** What one transaction takes at most: a larger group would make its first append wait for its last. */
const GROUP_BYTES = 8 * 1024 * 1024;

type WriteCall = Call<WriteCalls>;
type AppendCall = Extract<WriteCall, { kind: 'append' }>;
type TruncateCall = Extract<WriteCall, { kind: 'truncate' }>;

interface Chore {
  readonly id: number;
  readonly slices: Generator<void, Truncated, void>;
}

/**
 * The append worker's order of work: everything that queued while the last commit ran is the next group; a slice of
 * truncation goes in between. Replies go out before the WAL is looked after.
 */
export class WriteDesk {
  #appends: AppendCall[] = [];
  readonly #chores: Chore[] = [];
  #closing: number | undefined;

  constructor(
    private readonly writer: LogWriter,
    private readonly wal: WalKeeper,
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
    if (this.#chores.length > 0) this.#advanceChore();
    if (this.#closing !== undefined && this.#appends.length === 0) this.#close(this.#closing);
  }

  /** The checkpointer has ended a pass. */
  passed(): void {
    this.#keepWal(() => this.writer.use((database) => this.wal.passed(database)));
  }

  #receive(call: WriteCall): void {
    switch (call.kind) {
      case 'append': this.#appends.push(call); break;
      case 'truncate': this.#chores.push({ id: call.id, slices: this.#slices(call) }); break;
      case 'open': this.#answer(call.id, () => this.writer.use(() => undefined)); break;
      case 'check': this.#answer(call.id, () => this.writer.check()); break;
      case 'close': this.#closing = call.id; break;
      default: call satisfies never;
    }
  }

  #slices({ request }: TruncateCall): Generator<void, Truncated, void> {
    return truncate(this.writer, request.prefix, request.beforeTime);
  }

  #commitGroup(): void {
    const group = this.#takeGroup();
    if (this.#mayTakeTelemetry()) this.#commitAll(group);
    else this.#commitCommands(group, new HindsightError('unavailable', 'The disk is full'));
    this.#keepWal(() => this.writer.use((database) => this.wal.afterCommit(database)));
  }

  #mayTakeTelemetry(): boolean {
    try {
      return this.reserve.held;
    } catch (error) {
      this.writer.remember(error as Error);
      return false;
    }
  }

  #commitAll(group: readonly AppendCall[]): void {
    const fault = this.#commit(group);
    if (fault === undefined) return;
    if (!isDiskFull(fault)) return this.#refuse(group, fault);
    this.reserve.giveUp();
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
    const fault = faultOf(reason);
    this.reply(group.map(({ id }) => ({ id, fault })));
  }

  #takeGroup(): AppendCall[] {
    let bytes = 0;
    const end = this.#appends.findIndex((call) => (bytes += bytesOf(call)) >= GROUP_BYTES);
    const group = end < 0 ? this.#appends : this.#appends.slice(0, end + 1);
    this.#appends = end < 0 ? [] : this.#appends.slice(end + 1);
    return group;
  }

  #advanceChore(): void {
    const { id, slices } = this.#chores[0];
    try {
      const { done, value } = slices.next();
      if (done === true) {
        this.#chores.shift();
        this.reply([{ id, answer: value }]);
      }
    } catch (error) {
      this.#chores.shift();
      this.reply([{ id, fault: faultOf(error) }]);
    }
    this.#keepWal(() => this.writer.use((database) => this.wal.afterCommit(database)));
  }

  /**
   * What was acknowledged stays so: a WAL that cannot be looked after shows in `check` and at the next append. A database
   * that could not be synced ends the worker and with it the service.
   */
  #keepWal(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isUnsyncedDatabase(error)) throw error;
      this.writer.remember(error as Error);
    }
  }

  #answer(id: number, work: () => unknown): void {
    try {
      this.reply([{ id, answer: work() }]);
    } catch (error) {
      this.reply([{ id, fault: faultOf(error) }]);
    }
  }

  #close(id: number): void {
    const fault = faultOf(new HindsightError('unavailable', 'The event store is closed'));
    this.reply(this.#chores.splice(0).map((chore) => ({ id: chore.id, fault })));
    this.#closing = undefined;
    this.#keepWal(() => this.writer.use((database) => startOver(database, 'TRUNCATE')));
    this.#answer(id, () => this.writer.close());
  }
}

function bytesOf({ request }: AppendCall): number {
  return request.events.reduce((sum, { data, body }) => sum + data.length + (body?.byteLength ?? 0), 0);
}
