import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process (bytes). */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Number of open file descriptors of a process. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export const MIB = 2 ** 20;

/** Samples the memory of a process a few times per second. */
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

  /** Maximum resident memory so far (bytes). */
  get largest(): number {
    return Math.max(...this.samples.map(({ bytes }) => bytes));
  }

  /** Stops sampling. */
  end(): this {
    clearInterval(this.timer);
    this.look();
    return this;
  }

  /** Ignores errors if the process has ended: then its test fails anyway. */
  private lookWhileItRuns(): void {
    if (existsSync(`/proc/${this.pid}/status`)) this.look();
    else clearInterval(this.timer);
  }

  private look(): void {
    this.samples.push({ atMs: performance.now() - this.began, bytes: residentBytes(this.pid) });
  }
}
