import { blockId, type BlockLocation, type BlockSummary, type StoredBlock } from '../../../read-models/blocks/block.js';
import type { ReadModelReader } from '../../../read-models/read-model-store.js';
import type { BlockFormat } from './block-format.js';
import { ByteLruCache } from '../byte-lru-cache.js';

/** Bytes of small blocks to cache: the next merge needs them. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Reads blocks with their blobs; small blocks that were written recently come from memory. */
export class StoredBlockCache<Summary extends BlockSummary> {
  private readonly cache: ByteLruCache<StoredBlock<Summary & BlockLocation>>;

  /** `memory`: fraction of the default cache size. */
  constructor(
    private readonly format: BlockFormat<never, Summary>,
    private readonly store: ReadModelReader,
    memory = 1,
  ) {
    this.cache = new ByteLruCache<StoredBlock<Summary & BlockLocation>>(CACHE_BYTES * memory, countBlobBytes);
  }

  put(id: string, block: StoredBlock<Summary & BlockLocation>): void {
    this.cache.set(id, block);
  }

  delete(id: string): void {
    this.cache.delete(id);
  }

  clear(): void {
    this.cache.clear();
  }

  /** Throws if the block is missing: only the projection removes blocks. */
  async load({ gridId, seq }: BlockLocation): Promise<StoredBlock<Summary & BlockLocation>> {
    const id = blockId(gridId, seq);
    const block = this.cache.get(id) ?? (await loadBlock(this.format, this.store, id));
    if (block === undefined) throw new Error(`block ${id} of ${this.format.blocks.name} no longer exists`);
    return block;
  }
}

/** A block with its blobs; undefined if it is gone. */
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
