import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../../../test/support/power-cut/shim.c', import.meta.url));

/** Members of `struct control` in shim.c, 4 bytes each, in order; `match` follows them. */
const MEMBERS = [
  'cutAfter',
  'seed',
  'syncErrno',
  'syncFails',
  'syncDelayMs',
  'writeErrno',
  'lies',
  'keep',
  'syncs',
] as const;
const MATCH_BYTES = 32;

export const EIO = 5;
export const ENOSPC = 28;

/** Faults of the disk; absent members are unchanged. */
export type DiskFaults = Partial<Record<Exclude<(typeof MEMBERS)[number], 'syncs'>, number>> & {
  readonly match?: string;
};

/** Writes to the control file of a disk, which a process on that disk finds in DISK_CONTROL. */
export function setFaults(control: number, faults: DiskFaults): void {
  for (const [name, value] of Object.entries(faults)) {
    if (typeof value === 'string')
      writeSync(
        control,
        Buffer.concat([Buffer.from(value), Buffer.alloc(MATCH_BYTES)], MATCH_BYTES),
        0,
        MATCH_BYTES,
        MEMBERS.length * 4,
      );
    else writeSync(control, Buffer.from(Int32Array.of(value).buffer), 0, 4, MEMBERS.indexOf(name as 'seed') * 4);
  }
}

let library: string | undefined;

/** Path of the compiled shim; undefined without a C compiler or Linux. */
function compiled(): string | undefined {
  if (library !== undefined) return library;
  const file = join(mkdtempSync(join(tmpdir(), 'hindsight-shim-')), 'shim.so');
  try {
    execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', file, SOURCE, '-ldl', '-lpthread'], { stdio: 'ignore' });
    process.once('exit', () => rmSync(join(file, '..'), { recursive: true, force: true }));
    return (library = file);
  } catch {
    return undefined;
  }
}

/** A disk with injected faults for a process started with its environment (see shim.c). */
export class FaultyDisk {
  readonly dataDir: string;
  private readonly root: string;
  private readonly control: number;

  private constructor(private readonly shim: string) {
    this.root = mkdtempSync(join(tmpdir(), 'hindsight-disk-'));
    this.dataDir = join(this.root, 'data');
    writeFileSync(join(this.root, 'control'), Buffer.alloc(MEMBERS.length * 4 + MATCH_BYTES));
    execFileSync('mkdir', [this.dataDir, join(this.root, 'shadows')]);
    this.control = openSync(join(this.root, 'control'), 'r+');
  }

  /** Undefined if unsupported: tests that need it are skipped. */
  static make(): FaultyDisk | undefined {
    const shim = process.platform === 'linux' ? compiled() : undefined;
    return shim === undefined ? undefined : new FaultyDisk(shim);
  }

  get environment(): Readonly<Record<string, string>> {
    const { root, dataDir, shim } = this;
    return {
      DATA_DIR: dataDir,
      LD_PRELOAD: shim,
      DISK_DIR: dataDir,
      DISK_SHADOWS: join(root, 'shadows'),
      DISK_CONTROL: join(root, 'control'),
    };
  }

  set(faults: DiskFaults): void {
    setFaults(this.control, faults);
  }

  heal(): void {
    this.set({ cutAfter: 0, syncErrno: 0, syncFails: 0, syncDelayMs: 0, writeErrno: 0, lies: 0, keep: 0, match: '' });
  }

  /** Number of syncs by all processes. */
  get syncs(): number {
    return this.read('syncs');
  }

  /** Whether a cut is pending: then the process has ended for another reason. */
  get awaitsCut(): boolean {
    return this.read('cutAfter') > 0;
  }

  remove(): void {
    closeSync(this.control);
    rmSync(this.root, { recursive: true, force: true });
  }

  private read(member: (typeof MEMBERS)[number]): number {
    const bytes = Buffer.alloc(4);
    readSync(this.control, bytes, 0, 4, MEMBERS.indexOf(member) * 4);
    return bytes.readInt32LE();
  }
}
