import type { Random } from '../generator/random.js';
import type { Operation } from './trace.js';

/** File contents by name after a power cut. */
export type Image = ReadonlyMap<string, Buffer>;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly at: number; readonly bytes: undefined };

interface ModelFile {
  durable: Buffer;
  /** Writes since the last sync, oldest first. Each may have reached the disk, independently of the others. */
  pending: Change[];
  named: boolean;
}

/** Unit that is written independently of its neighbours. */
const SECTOR_BYTES = 512;

/** Up to this many writes, every subset is tried. */
const FEW = 5;
/** Number of samples of subsets, and of sectors, if there are more. */
const SAMPLES = 6;

/**
 * Possible disk contents after a power cut at any point of a history. Guarantees are those of POSIX: data is durable after
 * a sync of its file, names and their removal after a sync of the folder; everything else is undefined. A torn write
 * leaves any subset of its sectors, or any prefix of its bytes: https://www.sqlite.org/atomiccommit.html assumes that
 * sectors are written linearly, but not atomically, and that other data is unchanged. A write discarded by a failed sync
 * never reaches the disk.
 */
export class DiskModel {
  private readonly files = new Map<string, ModelFile>();
  /** Removed files whose removal is not durable. */
  private readonly removed = new Map<string, ModelFile>();

  constructor(image: Image = new Map()) {
    for (const [name, durable] of image) this.files.set(name, { durable, pending: [], named: true });
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'opened':
      case 'created':
        this.open(operation.file, operation.kind === 'opened');
        break;
      case 'written':
        this.change(operation.file, operation);
        break;
      case 'truncated':
        this.change(operation.file, { at: operation.at, bytes: undefined });
        break;
      case 'synced':
        this.sync(operation.file);
        break;
      case 'unsynced':
        this.files.get(operation.file)!.pending = [];
        break;
      case 'names synced':
        this.syncNames();
        break;
      case 'unlinked':
        this.unlink(operation.file);
        break;
      default:
        operation satisfies never;
    }
  }

  /** Possible images after a cut: all if there are few, else the extremes and `most` random ones. */
  images(random: Random, most: number): Image[] {
    const names = [...new Set([...this.files.keys(), ...this.removed.keys()])];
    const alternatives = names.map((name) => ({ name, contents: this.contentsOf(name, random) }));
    const all = alternatives.reduce((product, { contents }) => product * contents.length, 1);
    const pick = (n: number): Image => {
      let rest = n;
      const image = new Map<string, Buffer>();
      for (const { name, contents } of alternatives) {
        const content = contents[rest % contents.length];
        rest = Math.floor(rest / contents.length);
        if (content !== undefined) image.set(name, content);
      }
      return image;
    };
    if (all <= most) return Array.from({ length: all }, (_, n) => pick(n));
    return [pick(0), pick(all - 1), ...Array.from({ length: most }, () => pick(random.below(all)))];
  }

  /** From the durable content to the content seen by the program; undefined: the file has no name. */
  private contentsOf(name: string, random: Random): (Buffer | undefined)[] {
    const file = this.files.get(name);
    const former = this.removed.get(name);
    const contents = file === undefined ? [undefined] : [...(file.named ? [] : [undefined]), ...possible(file, random)];
    return former === undefined ? contents : [...possible(former, random), ...contents];
  }

  private syncNames(): void {
    for (const file of this.files.values()) file.named = true;
    this.removed.clear();
  }

  private unlink(name: string): void {
    const file = this.files.get(name)!;
    if (file.named) this.removed.set(name, file);
    this.files.delete(name);
  }

  private open(name: string, named: boolean): void {
    if (!this.files.has(name)) this.files.set(name, { durable: Buffer.alloc(0), pending: [], named });
  }

  private change(name: string, change: Change): void {
    this.files.get(name)!.pending.push(change);
  }

  private sync(name: string): void {
    const file = this.files.get(name)!;
    file.durable = applied(file.durable, file.pending);
    file.pending = [];
  }
}

/** From the durable content to all writes. */
function possible({ durable, pending }: ModelFile, random: Random): Buffer[] {
  if (pending.length === 0) return [durable];
  const parts = pending.length <= FEW ? subsets(pending) : samples(pending, random);
  const loose = Array.from({ length: SAMPLES }, () => pending.flatMap((change) => sectorsOf(change, random)));
  return [[], ...loose, ...parts, pending].map((changes) => applied(durable, changes));
}

function subsets(pending: readonly Change[]): Change[][] {
  return Array.from({ length: 2 ** pending.length }, (_, bits) =>
    pending.filter((_change, i) => (bits >> i) % 2 === 1),
  );
}

/** Samples: a prefix with a torn last write, all but one write, and random subsets. */
function samples(pending: readonly Change[], random: Random): Change[][] {
  return Array.from({ length: SAMPLES }, () => {
    const n = random.below(pending.length);
    const before = pending.slice(0, n);
    return [
      [...before, ...sectorsOf(pending[n], random)],
      [...before, ...startOf(pending[n], random)],
      pending.filter((_, i) => i !== n),
      pending.filter(() => random.below(2) === 0),
    ];
  }).flat();
}

/** A random prefix of a write. */
function startOf({ at, bytes }: Change, random: Random): Change[] {
  return bytes === undefined ? [] : [{ at, bytes: bytes.subarray(0, random.below(bytes.length + 1)) }];
}

/** Random sectors of a write. */
function sectorsOf(change: Change, random: Random): Change[] {
  const { at, bytes } = change;
  if (bytes === undefined) return random.below(2) === 0 ? [change] : [];
  const sectors: Change[] = [];
  for (let from = 0, next; from < bytes.length; from = next) {
    next = Math.min(from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES), bytes.length);
    if (random.below(2) === 0) sectors.push({ at: at + from, bytes: bytes.subarray(from, next) });
  }
  return sectors;
}

function applied(durable: Buffer, changes: readonly Change[]): Buffer {
  const most = changes.reduce((size, { at, bytes }) => Math.max(size, at + (bytes?.length ?? 0)), durable.length);
  const content = Buffer.alloc(most);
  durable.copy(content);
  let end = durable.length;
  for (const { at, bytes } of changes) {
    if (bytes === undefined) {
      content.fill(0, at);
      end = at;
    } else {
      bytes.copy(content, at);
      end = Math.max(end, at + bytes.length);
    }
  }
  return content.subarray(0, end);
}
