import { blockId, type BlockLocation, type BlockSummary, type StoredBlock } from '../../../read-models/blocks/block.js';
import type { ReadModelReader } from '../../../read-models/read-model-store.js';
import type { BlockFormat } from './block-format.js';
import { ByteLruCache } from '../byte-lru-cache.js';

/** Bytes of small blocks kept at hand: the next merge needs them. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Blocks with their blobs, the small ones that were written lately without asking the store. */
export class StoredBlockCache<Summary extends BlockSummary> {
  private readonly kept: ByteLruCache<StoredBlock<Summary & BlockLocation>>;

  /** `memory`: part of the usual bytes. */
  constructor(
    private readonly format: BlockFormat<never, Summary>,
    private readonly store: ReadModelReader,
    memory = 1,
  ) {
    this.kept = new ByteLruCache<StoredBlock<Summary & BlockLocation>>(CACHE_BYTES * memory, countBlobBytes);
  }

  put(id: string, block: StoredBlock<Summary & BlockLocation>): void {
    this.kept.set(id, block);
  }

  delete(id: string): void {
    this.kept.delete(id);
  }

  clear(): void {
    this.kept.clear();
  }

  /** Throws when the block is not there: nobody but the projection removes blocks. */
  async load({ gridId, seq }: BlockLocation): Promise<StoredBlock<Summary & BlockLocation>> {
    const id = blockId(gridId, seq);
    const block = this.kept.get(id) ?? (await loadBlock(this.format, this.store, id));
    if (block === undefined) throw new Error(`block ${id} of ${this.format.blocks.name} is gone`);
    return block;
  }
}

/** A block with its blobs; undefined where it is gone. */
export async function loadBlock<Summary extends BlockSummary>(
  { blocks, blobs: names }: Pick<BlockFormat<never, Summary>, 'blocks' | 'blobs'>,
  store: ReadModelReader,
  id: string,
): Promise<StoredBlock<Summary & BlockLocation> | undefined> {
  const document = await store.get(blocks, id);
  if (document === undefined) return undefined;
  const blobs: Record<string, Uint8Array> = {};
  for (const name of names(document)) {
    const blob = await store.readBlob(blocks, id, name);
    if (blob === undefined) return undefined;
    blobs[name] = blob;
  }
  return { document, blobs };
}

function countBlobBytes({ blobs }: StoredBlock<BlockSummary & BlockLocation>): number {
  return Object.values(blobs).reduce((sum, blob) => sum + blob.byteLength, 0);
}
