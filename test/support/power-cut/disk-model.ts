import type { Random } from '../generator/random.js';
import type { Operation } from './trace.js';

/** Files by name, as they could be found after a cut. */
export type Image = ReadonlyMap<string, Buffer>;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly at: number; readonly bytes: undefined };

interface ModelFile {
  durable: Buffer;
  /** Since the last sync, oldest first: each may have reached the disk or not, whatever came before or after it. */
  pending: Change[];
  named: boolean;
}

/** The unit that is written as a whole or not at all; SQLite asks no more of a disk than that others stay as they are. */
const SECTOR_BYTES = 512;

/** Writes of which every subset is tried. */
const FEW = 5;
/** Samples of subsets, and of loose sectors, where there are more. */
const SAMPLES = 6;

/**
 * What a disk may have after a cut at any moment of a history. It promises what POSIX does and no more: data are durable
 * after a sync of their file, names after a sync of the folder, sectors are whole, and everything else is open. Names that
 * were removed are gone at once. A write that a failed sync left behind never comes to the disk.
 */
export class DiskModel {
  private readonly files = new Map<string, ModelFile>();

  constructor(image: Image = new Map()) {
    for (const [name, durable] of image) this.files.set(name, { durable, pending: [], named: true });
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'opened': case 'created': this.open(operation.file, operation.kind === 'opened'); break;
      case 'written': this.change(operation.file, operation); break;
      case 'truncated': this.change(operation.file, { at: operation.at, bytes: undefined }); break;
      case 'synced': this.sync(operation.file); break;
      case 'unsynced': this.files.get(operation.file)!.pending = []; break;
      case 'names synced': for (const file of this.files.values()) file.named = true; break;
      case 'unlinked': this.files.delete(operation.file); break;
      default: operation satisfies never;
    }
  }

  /** What a cut now may leave: everything where that is little, else the extremes and `most` at random. */
  images(random: Random, most: number): Image[] {
    const alternatives = [...this.files].map(([name, file]) => ({ name, contents: contentsOf(file, random) }));
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

/** Undefined: without its name. The first is what was durable, the last is everything. */
function contentsOf({ durable, pending, named }: ModelFile, random: Random): (Buffer | undefined)[] {
  const missing = named ? [] : [undefined];
  if (pending.length === 0) return [durable, ...missing];
  const parts = pending.length <= FEW ? subsets(pending) : samples(pending, random);
  const loose = Array.from({ length: SAMPLES }, () => pending.flatMap((change) => sectorsOf(change, random)));
  return [...missing, durable, ...[...loose, ...parts, pending].map((changes) => applied(durable, changes))];
}

function subsets(pending: readonly Change[]): Change[][] {
  return Array.from({ length: 2 ** pending.length }, (_, bits) => pending.filter((_change, i) => (bits >> i) % 2 === 1));
}

/** In order up to one that is torn; without one; and any. */
function samples(pending: readonly Change[], random: Random): Change[][] {
  return Array.from({ length: SAMPLES }, () => {
    const n = random.below(pending.length);
    return [[...pending.slice(0, n), ...sectorsOf(pending[n], random)], pending.filter((_, i) => i !== n), pending.filter(() => random.below(2) === 0)];
  }).flat();
}

/** Any sectors of a write. */
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
