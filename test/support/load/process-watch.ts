import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Bytes of memory that a process has resident. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Descriptors that a process has open. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export const MIB = 2 ** 20;

/** Looks at the memory of a process a few times a second. */
export class ProcessWatch {
  readonly samples: { readonly atMs: number; readonly bytes: number }[] = [];
  private readonly began = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly pid: number,
    everyMs = 250,
  ) {
    this.look();
    this.timer = setInterval(() => this.lookWhileItRuns(), everyMs);
  }

  /** Bytes, the most so far. */
  get largest(): number {
    return Math.max(...this.samples.map(({ bytes }) => bytes));
  }

  /** Ends it. */
  end(): this {
    clearInterval(this.timer);
    this.look();
    return this;
  }

  /** A process that has ended fails its test, not the runner. */
  private lookWhileItRuns(): void {
    if (existsSync(`/proc/${this.pid}/status`)) this.look();
    else clearInterval(this.timer);
  }

  private look(): void {
    this.samples.push({ atMs: performance.now() - this.began, bytes: residentBytes(this.pid) });
  }
}
