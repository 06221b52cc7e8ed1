import { blockId, type BlockLocation, type BlockSummary, type StoredBlock } from '../../../read-models/blocks/block.js';
import type { ReadModelReader } from '../../../read-models/read-model-store.js';
import { StringInterner } from '../../../telemetry/columns/string-interner.js';
import type { BlockFormat, MergeableBlock } from './block-format.js';
import { ByteLruCache } from '../byte-lru-cache.js';

/** Bytes of small blocks to cache: the next merge needs them. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Reads blocks that are to be merged; small blocks that were written recently come from memory. */
export class StoredBlockCache<Columns extends object, Summary extends BlockSummary> {
  private readonly cache: ByteLruCache<MergeableBlock<Columns, Summary>>;

  /** `memory`: fraction of the default cache size. */
  constructor(
    private readonly format: BlockFormat<Columns, Summary>,
    private readonly store: ReadModelReader,
    memory = 1,
  ) {
    this.cache = new ByteLruCache<MergeableBlock<Columns, Summary>>(CACHE_BYTES * memory, countBytes);
  }

  put(id: string, block: MergeableBlock<Columns, Summary>): void {
    this.cache.set(id, block);
  }

  delete(id: string): void {
    this.cache.delete(id);
  }

  clear(): void {
    this.cache.clear();
  }

  /** Throws if the block is missing: only the projection removes blocks. */
  async load({ gridId, seq }: BlockLocation): Promise<MergeableBlock<Columns, Summary>> {
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

/** Bytes of a block beside its arrays: objects, and the headers of its arrays. Measured: 3 KiB. */
const BYTES_PER_BLOCK = 3_072;

/** Bytes of the blobs, or of the columns and their strings, without attributes of resources, which they share. */
function countBytes(block: MergeableBlock<object, BlockSummary>): number {
  const parts = Object.values('columns' in block ? block.columns : block.blobs) as unknown[];
  return parts.reduce<number>(
    (sum, part) => sum + (ArrayBuffer.isView(part) || part instanceof StringInterner ? part.byteLength : 0),
    BYTES_PER_BLOCK,
  );
}
