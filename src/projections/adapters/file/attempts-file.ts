import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Logger } from '../../../log.js';
import type { Attempt, Attempts } from '../../attempts.js';

/** Padded to this at least: one small write replaces all, without a moment in which the file is empty. */
const BYTES = 4096;

/**
 * Attempts in one small file, written over in place and never synced: the pages outlive the process, which is all that
 * they have to. Costs some microseconds a note. Opens at first use.
 */
export class AttemptsFile implements Attempts {
  private readonly notes = new Map<string, Attempt>();
  private inherited: Map<string, Attempt> | undefined;
  private descriptor: number | undefined;
  private bytes = BYTES;
  private isFailing = false;

  constructor(
    private readonly path: string,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  left(run: string): Attempt | undefined {
    const inherited = (this.inherited ??= this.load());
    const attempt = inherited.get(run);
    inherited.delete(run);
    return attempt;
  }

  note(run: string, attempt: Attempt): void {
    this.notes.set(run, attempt);
    this.write();
  }

  forget(run: string): void {
    if (this.notes.delete(run)) this.write();
  }

  /** Legal before first use, and twice. */
  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private load(): Map<string, Attempt> {
    try {
      const descriptor = this.open();
      const bytes = Buffer.alloc(fstatSync(descriptor).size);
      this.bytes = Math.max(this.bytes, bytes.length);
      readSync(descriptor, bytes, 0, bytes.length, 0);
      const text = bytes.toString('utf8').trim();
      return new Map(text === '' ? [] : (Object.entries(JSON.parse(text) as object) as [string, Attempt][]));
    } catch (error) {
      this.warn(error);
      return new Map();
    }
  }

  /** A disk that takes no note stops no projection: only what kills the process is then not recognised. */
  private write(): void {
    try {
      const text = JSON.stringify(Object.fromEntries(this.notes));
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
