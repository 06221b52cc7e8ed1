import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Logger } from '../../../../self-telemetry/logger.js';
import type { FoldAttempt, PoisonEventJournal, CrashRecord } from '../../crash-loop-guard.js';

/** Padded to this at least: one small write replaces all, without a moment in which the file is empty. */
const MIN_FILE_BYTES = 4096;

interface JournalContent {
  /** Whether the process that wrote it ended in order. */
  readonly ended: boolean;
  readonly attempts: Readonly<Record<string, FoldAttempt>>;
}

/**
 * Attempts in one small file, written over in place and never synced: its pages outlive the process, which is all that
 * they have to. Opens at first use.
 */
export class FilePoisonEventJournal implements PoisonEventJournal {
  private notes = new Map<string, FoldAttempt>();
  private former: JournalContent | undefined;
  private readonly asked = new Set<string>();
  private descriptor: number | undefined;
  private bytes = MIN_FILE_BYTES;
  private isFailing = false;

  constructor(
    private readonly path: string,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  readPrevious(run: string): CrashRecord | undefined {
    const { ended, attempts } = (this.former ??= this.begin());
    if (ended || this.asked.has(run)) return undefined;
    this.asked.add(run);
    return Object.hasOwn(attempts, run) ? { attempt: attempts[run] } : {};
  }

  record(run: string, attempt: FoldAttempt): void {
    this.notes.set(run, attempt);
    this.write(false);
  }

  clear(run: string): void {
    if (this.notes.delete(run)) this.write(false);
  }

  /** The process ends in order. Legal before first use, and twice. */
  close(): void {
    if (this.descriptor === undefined) return;
    this.notes.clear();
    this.write(true);
    closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  /** From now on the file says that a process is at work. */
  private begin(): JournalContent {
    const former = this.load();
    this.notes = new Map(Object.entries(former.attempts));
    this.write(false);
    return former;
  }

  /** Nothing to be cautious about where there is no file yet. */
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

  /** A disk that takes no note stops no projection: only what ends the process is then not recognised. */
  private write(ended: boolean): void {
    try {
      const text = JSON.stringify({ ended, attempts: Object.fromEntries(this.notes) } satisfies JournalContent);
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
    if (!this.isFailing) this.log.warn('what projections try cannot be noted', { error });
    this.isFailing = true;
  }
}
