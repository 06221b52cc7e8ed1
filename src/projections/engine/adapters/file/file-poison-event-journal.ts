import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Logger } from '../../../../self-telemetry/logger.js';
import type { FoldAttempt, PoisonEventJournal, CrashRecord } from '../../crash-loop-guard.js';

/** Minimum file size: one small write replaces all content, and the file is never empty in between. */
const MIN_FILE_BYTES = 4096;

interface JournalContent {
  /** Whether the process that wrote it exited cleanly. */
  readonly ended: boolean;
  readonly attempts: Readonly<Record<string, FoldAttempt>>;
}

/**
 * Journal in one small file, overwritten in place and never synced: its pages outlive the process, which is sufficient.
 * Opens the file at first use.
 */
export class FilePoisonEventJournal implements PoisonEventJournal {
  private attempts = new Map<string, FoldAttempt>();
  private previous: JournalContent | undefined;
  private readonly readRuns = new Set<string>();
  private descriptor: number | undefined;
  private bytes = MIN_FILE_BYTES;
  private isFailing = false;

  constructor(
    private readonly path: string,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  readPrevious(run: string): CrashRecord | undefined {
    const { ended, attempts } = (this.previous ??= this.beginProcess());
    if (ended || this.readRuns.has(run)) return undefined;
    this.readRuns.add(run);
    return Object.hasOwn(attempts, run) ? { attempt: attempts[run] } : {};
  }

  record(run: string, attempt: FoldAttempt): void {
    this.attempts.set(run, attempt);
    this.write(false);
  }

  clear(run: string): void {
    if (this.attempts.delete(run)) this.write(false);
  }

  /** Marks a clean exit. Idempotent; may be called before first use. */
  close(): void {
    if (this.descriptor === undefined) return;
    this.attempts.clear();
    this.write(true);
    closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  /** Reads the records of the previous process and marks the file as in use. */
  private beginProcess(): JournalContent {
    const previous = this.load();
    this.attempts = new Map(Object.entries(previous.attempts));
    this.write(false);
    return previous;
  }

  /** A missing file counts as a clean exit. */
  private load(): JournalContent {
    try {
      const descriptor = this.open();
      const bytes = Buffer.alloc(fstatSync(descriptor).size);
      this.bytes = Math.max(this.bytes, bytes.length);
      readSync(descriptor, bytes, 0, bytes.length, 0);
      const text = bytes.toString('utf8').trim();
      return text === '' ? { ended: true, attempts: {} } : (JSON.parse(text) as JournalContent);
    } catch (error) {
      this.warn(error);
      return { ended: false, attempts: {} };
    }
  }

  /** A write failure stops no projection: only poison events are then not recognised. */
  private write(ended: boolean): void {
    try {
      const text = JSON.stringify({ ended, attempts: Object.fromEntries(this.attempts) } satisfies JournalContent);
      this.bytes = Math.max(this.bytes, Buffer.byteLength(text));
      writeSync(this.open(), text.padEnd(this.bytes), 0, 'utf8');
      this.isFailing = false;
    } catch (error) {
      this.warn(error);
    }
  }

  private open(): number {
    this.descriptor ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
    return this.descriptor;
  }

  private warn(error: unknown): void {
    if (!this.isFailing)
      this.log.warn('Cannot access the poison-event journal; events that crash the process will not be recognised', {
        error,
      });
    this.isFailing = true;
  }
}
